"""Find symbols that repeat some code, and symbols that resemble it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from bottega.index import KnowledgeReader, SymbolRow
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.similar.candidates import Candidate, choose_candidates
from bottega.retrieve.similar.compare import Resemblance, compare, normalize_lines
from bottega.source import Span

Kinship = Literal["clone", "same shape", "like"]

_COMPARED = 150
# A clone shares so many of its lines, a symbol of the same shape so many of its lines but for names and values.
_CLONE, _SAME_SHAPE = 0.7, 0.75
_FEWEST_LINES = 3
_ORDER = {"clone": 0, "same shape": 1, "like": 2}


class SimilarCode(NamedTuple):
    """`words` is the share of the best possible score of shared words and word pairs."""

    symbol: SymbolRow
    language: str
    kinship: Kinship
    resemblance: Resemblance
    words: float


def find_similar(span: Span, reader: KnowledgeReader, limit: int) -> list[SimilarCode]:
    """The nearest first: clones, then code of the same shape, then code with the same words."""
    text = reader.lines(span)
    if text is None:
        return []
    corpus = reader.memo(Corpus, lambda: Corpus(reader.snapshot))
    candidates = choose_candidates(text, corpus, _COMPARED)
    best = max((candidate.score for candidate in candidates), default=1.0)
    found = sorted(_compare_all(text, span, candidates, best, corpus, reader), key=_sort_key)
    return found[:limit]


def _compare_all(
    text: str, span: Span, candidates: list[Candidate], best: float, corpus: Corpus, reader: KnowledgeReader
) -> Iterator[SimilarCode]:
    lines = normalize_lines(text)
    for candidate in candidates:
        file = corpus.snapshot.files[candidate.file]
        symbols = reader.base.get_symbols_for_file(file.id)
        symbol = symbols[candidate.symbol] if candidate.symbol < len(symbols) else None
        if symbol is None or _overlap(symbol.span, span):
            continue
        other = normalize_lines(reader.lines(symbol.span) or "")
        resemblance = compare(lines, other)
        kinship = _judge(resemblance, min(len(lines), len(other)))
        yield SimilarCode(symbol, file.language, kinship, resemblance, round(candidate.score / best, 3))


def _judge(resemblance: Resemblance, lines: int) -> Kinship:
    """A line or two in common are no clone."""
    if lines < _FEWEST_LINES:
        return "like"
    if resemblance.lines >= _CLONE:
        return "clone"
    return "same shape" if resemblance.shape >= _SAME_SHAPE else "like"


def _sort_key(found: SimilarCode) -> tuple[float, ...]:
    kinship = _ORDER[found.kinship]
    alike = (-found.resemblance.lines, -found.resemblance.shape)[kinship] if kinship < 2 else 0.0
    return kinship, alike, -found.words


def _overlap(one: Span, other: Span) -> bool:
    return one.path == other.path and one.first <= other.last and other.first <= one.last
