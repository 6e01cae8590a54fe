"""Split a file into chunks at definition boundaries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import chain

from bottega.index.analyse.values import NOBODY, Chunk, Symbol
from bottega.source.words import identifiers

# Characters. About this size ranks files best; smaller chunks show spans better but cost twice the postings.
_SIZE = 1500
_FULL_ENOUGH = 0.45
_TOO_FULL = 1.35


def find_boundaries(lines: Sequence[str], openings: frozenset[int]) -> list[tuple[int, int]]:
    """First and last line of each chunk: split at a definition once nearly half full, anywhere once too full."""
    spans, first, size = [], 1, 0
    for number, line in enumerate(lines, 1):
        length = len(line)
        at_opening = number in openings and size >= _SIZE * _FULL_ENOUGH
        if size and (at_opening or size + length > _SIZE * _TOO_FULL):
            spans.append((first, number - 1))
            first, size = number, 0
        size += length
    if size:
        spans.append((first, len(lines)))
    return spans


@dataclass(frozen=True, slots=True)
class ChunkedFile:
    """The chunks of a file, with the words of each in order and the names that each defines.

    `line_sizes` says how many words each line of the file has.
    """

    chunks: tuple[Chunk, ...]
    words: list[list[str]]
    names: list[list[str]]
    line_sizes: list[int]


def cut_chunks(lines: Sequence[str], symbols: Sequence[Symbol], above: Mapping[int, int]) -> ChunkedFile:
    """Split into chunks and attach symbols; `above` maps the first line of a definition to that of its comment."""
    openings = frozenset(above.get(symbol.first, symbol.first) for symbol in symbols)
    by_line: dict[int, list[int]] = {}
    for place, symbol in enumerate(symbols):
        by_line.setdefault(symbol.first, []).append(place)
    by_words = [identifiers(line) for line in lines]
    made = ChunkedFile((), [], [], [len(words) for words in by_words])
    chunks = []
    spans = find_boundaries(lines, openings)
    for (first, last), around in zip(spans, _find_enclosing([first for first, _ in spans], symbols), strict=True):
        opened = [place for line in range(first, last + 1) for place in by_line.get(line, ())]
        chunks.append(Chunk(first, last, _find_owner(around, opened, symbols), _hash_lines(lines[first - 1 : last])))
        made.words.append(list(chain.from_iterable(by_words[first - 1 : last])))
        made.names.append([symbols[place].name for place in opened])
    return ChunkedFile(tuple(chunks), made.words, made.names, made.line_sizes)


def _hash_lines(lines: Sequence[str]) -> int:
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "little", signed=True)


def _find_enclosing(starts: Sequence[int], symbols: Sequence[Symbol]) -> list[int]:
    """The innermost symbol that begins above each line and reaches it; lines ascend, one sweep over both."""
    result: list[int] = []
    unfinished: list[int] = []
    at = 0
    for line in starts:
        while at < len(symbols) and symbols[at].first < line:
            unfinished.append(at)
            at += 1
        while unfinished and symbols[unfinished[-1]].last < line:
            unfinished.pop()
        result.append(unfinished[-1] if unfinished else NOBODY)
    return result


def _find_owner(around: int, opened: Sequence[int], symbols: Sequence[Symbol]) -> int:
    """The first definition opened in a chunk, unless it begins inside another that goes on for longer."""
    if around != NOBODY and (not opened or symbols[opened[0]].parent != around):
        return around
    return opened[0] if opened else around
