"""Candidates as a model judges them: files by the signatures that match, symbols by their texts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from bottega.retrieve.context.candidates import RankedCandidates
from bottega.retrieve.context.texts import FileTexts, shorten_lines
from bottega.retrieve.search.corpus import Corpus
from bottega.source import Span, estimate_tokens

_MOST_FILES, _MOST_SYMBOLS = 20, 24
_SIGNATURES = 4
_TOKENS_OF_A_SYMBOL = 400


@dataclass(frozen=True, slots=True)
class FileOutline:
    """A file by its path and the signatures of its best symbols."""

    path: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SymbolText:
    """A symbol by its key, its place and its text."""

    node: str
    place: str
    text: str


def outline_files(candidates: RankedCandidates, corpus: Corpus) -> list[FileOutline]:
    """The first files of the scope, each with the signatures of its best symbols."""
    best: dict[int, list[str]] = defaultdict(list)
    for unit in candidates.units:
        if unit.symbol is not None and len(best[unit.file]) < _SIGNATURES:
            best[unit.file].append(unit.symbol.signature or unit.symbol.qualified)
    files = [file.number for file in candidates.scope if file.tier <= 1][:_MOST_FILES]
    return [FileOutline(corpus.paths[number], tuple(best[number])) for number in files]


def outline_symbols(candidates: RankedCandidates, texts: FileTexts) -> list[SymbolText]:
    """The first symbols by rank, each with its text; long ones are shortened."""
    wanted = frozenset(candidates.query.terms)
    found = []
    for unit in [unit for unit in candidates.units if unit.symbol is not None][:_MOST_SYMBOLS]:
        symbol = unit.symbol
        assert symbol is not None
        lines = texts.read_lines(Span(symbol.path, unit.first, unit.last))
        shown = shorten_lines(lines, wanted, _TOKENS_OF_A_SYMBOL, estimate_tokens)
        found.append(SymbolText(symbol.node, f"{symbol.span} {symbol.kind} {symbol.qualified}", shown.text))
    return found
