"""Find symbols that repeat some code, and symbols that resemble it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from bottega.index import KnowledgeReader, SymbolRow
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.similar.candidates import Candidate, choose_candidates
from bottega.retrieve.similar.compare import CLONE, SAME_SHAPE, Resemblance, compare, normalize_lines
from bottega.source import Span

Kinship = Literal["clone", "same shape", "like"]

_COMPARED = 150
# Code below both floors is left out. Of 144 results for 24 functions of click, bubbletea, ky and bat, read one by one,
# nearly all that a person would call alike share 30 % of the shape, or 45 % of the words; the others share brackets
# and returns, or a name. Below 10 % of the words, a third of the shape of few lines is brackets, too.
_LEAST_SHAPE, _LEAST_WORDS, _ENOUGH_WORDS = 0.3, 0.1, 0.45
_FEWEST_LINES = 3
_ORDER = {"clone": 0, "same shape": 1, "like": 2}


class SimilarCode(NamedTuple):
    """`words` is the share of the best possible score of shared words and word pairs."""

    symbol: SymbolRow
    language: str
    kinship: Kinship
    resemblance: Resemblance
    words: float


def find_similar(span: Span, reader: KnowledgeReader) -> list[SimilarCode]:
    """The nearest first: clones, then code of the same shape, then code with the same words, down to a floor."""
    text = reader.lines(span)
    if text is None:
        return []
    corpus = reader.memo(Corpus, lambda: Corpus(reader.snapshot))
    candidates = choose_candidates(text, corpus, _COMPARED)
    best = max((candidate.score for candidate in candidates), default=1.0)
    found = filter(_is_alike, _compare_all(text, span, candidates, best, corpus, reader))
    return sorted(found, key=_sort_key)


def _compare_all(
    text: str, span: Span, candidates: list[Candidate], best: float, corpus: Corpus, reader: KnowledgeReader
) -> Iterator[SimilarCode]:
    lines = normalize_lines(text)
    for candidate in candidates:
        file = corpus.snapshot.files[candidate.file]
        symbols = reader.base.get_symbols_for_file(file.id)
        symbol = symbols[candidate.symbol] if candidate.symbol < len(symbols) else None
        if symbol is None or symbol.span.overlaps(span):
            continue
        other = normalize_lines(reader.lines(symbol.span) or "")
        resemblance = compare(lines, other)
        kinship = _judge(resemblance, min(len(lines), len(other)))
        yield SimilarCode(symbol, file.language, kinship, resemblance, round(candidate.score / best, 3))


def _is_alike(found: SimilarCode) -> bool:
    if found.kinship != "like" or found.words >= _ENOUGH_WORDS:
        return True
    return found.resemblance.shape >= _LEAST_SHAPE and found.words >= _LEAST_WORDS


def _judge(resemblance: Resemblance, lines: int) -> Kinship:
    """A line or two in common are no clone."""
    if lines < _FEWEST_LINES:
        return "like"
    if resemblance.lines >= CLONE:
        return "clone"
    return "same shape" if resemblance.shape >= SAME_SHAPE else "like"


def _sort_key(found: SimilarCode) -> tuple[float, ...]:
    kinship = _ORDER[found.kinship]
    alike = (-found.resemblance.lines, -found.resemblance.shape)[kinship] if kinship < 2 else 0.0
    return kinship, alike, -found.words
