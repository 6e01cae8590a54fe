"""Select chunks for a model within a token budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from bottega.source import Span
from bottega.source.words import identifiers, terms_of

# Every chunk is first cut to its best lines, so that many fit; then the first ones are extended.
_SHARE_OF_FIRST_LOOK = 0.75
_SLIM, _LEAST_SLIM, _SLIM_PARTS = 160, 60, 24


@dataclass(frozen=True, slots=True)
class ContextChunk:
    """Lines of a file as they were read. `node` is its key in the graph, `origin` the step that found it.

    `about` is the purpose of the file as a model described it, if any.
    """

    path: str
    first: int
    last: int
    text: str
    symbol: str = ""
    kind: str = ""
    node: str = ""
    signature: str = ""
    origin: str = "search"
    about: str = ""

    @property
    def span(self) -> Span:
        return Span(self.path, self.first, self.last)


def pack(
    chunks: Sequence[ContextChunk], query: str, tokens: int, cost: Callable[[ContextChunk], int]
) -> list[ContextChunk]:
    """As many chunks as fit, in order, each cut to its best lines; the first ones are extended within the budget."""
    wanted = query_terms(query)
    slim = max(_LEAST_SLIM, min(_SLIM, tokens // _SLIM_PARTS))
    chosen: list[ContextChunk] = []
    spent = 0
    for chunk in chunks:
        short = narrow_chunk(chunk, wanted, slim, cost)
        if spent + cost(short) > tokens * _SHARE_OF_FIRST_LOOK:
            break
        chosen.append(short)
        spent += cost(short)
    for place, chunk in enumerate(chunks[: len(chosen)]):
        free = tokens - spent + cost(chosen[place])
        fuller = narrow_chunk(chunk, wanted, free, cost)
        spent += cost(fuller) - cost(chosen[place])
        chosen[place] = fuller
    return chosen


def narrow_chunk(
    chunk: ContextChunk, wanted: frozenset[int], tokens: int, cost: Callable[[ContextChunk], int]
) -> ContextChunk:
    """Cut to consecutive lines within the budget that contain most of the query's words; at least one line."""
    if cost(chunk) <= tokens:
        return chunk
    lines = chunk.text.split("\n")
    worth = [len(wanted & _terms(line)) for line in lines]
    low = high = max(range(len(lines)), key=lambda at: (worth[at], -at))
    best = _cut_chunk(chunk, lines, low, high)
    while low > 0 or high < len(lines) - 1:
        goes_up = low > 0 and (high == len(lines) - 1 or worth[low - 1] > worth[high + 1])
        low, high = (low - 1, high) if goes_up else (low, high + 1)
        wider = _cut_chunk(chunk, lines, low, high)
        if cost(wider) > tokens:
            break
        best = wider
    return best


def merge_chunks(known: Sequence[ContextChunk], new: Iterable[ContextChunk]) -> list[ContextChunk]:
    """Append new chunks, except those inside a known one."""
    found = list(known)
    for chunk in new:
        if not any(
            chunk.path == other.path and other.first <= chunk.first <= chunk.last <= other.last for other in found
        ):
            found.append(chunk)
    return found


def query_terms(query: str) -> frozenset[int]:
    return frozenset(_terms(query))


def _cut_chunk(chunk: ContextChunk, lines: Sequence[str], low: int, high: int) -> ContextChunk:
    return replace(chunk, first=chunk.first + low, last=chunk.first + high, text="\n".join(lines[low : high + 1]))


def _terms(line: str) -> set[int]:
    return {term for word in identifiers(line) for term in terms_of(word)}
