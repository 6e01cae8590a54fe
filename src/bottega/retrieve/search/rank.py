"""Rank files by signals, and choose the best chunk of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.definitions import score_defining_chunks
from bottega.retrieve.search.postings import Floats
from bottega.retrieve.search.query import ParsedQuery
from bottega.retrieve.search.signals import Signals, compute_signals
from bottega.retrieve.search.weights import load_weights

_CHUNKS_OF_A_FILE = 5
# Signals that are positive where a word of the query stands. Vectors alone rank something for any nonsense.
_OF_WORDS = (
    *("file", "path", "loose_definition", "joined_definition", "joined_name", "commit_messages", "description"),
    *("path_in_query", "module_in_query", "traceback_in_query"),
)


class RankedChunk(NamedTuple):
    """A chunk with its score; `shares` is what each signal added to the score of its file."""

    chunk: int
    file: int
    score: float
    shares: Mapping[str, float]


class ScoredFiles(NamedTuple):
    """The score of every file, what each signal added to it, and the scores of the chunks."""

    total: NDArray[np.float64]
    signals: Signals
    weights: Mapping[str, float]

    def shares(self, file: int) -> Mapping[str, float]:
        shares = {
            name: round(float(weight * self.signals.files[name][file]), 4) for name, weight in self.weights.items()
        }
        return {name: share for name, share in shares.items() if share}


def score_files(query: ParsedQuery, corpus: Corpus, similarity: Floats | None = None) -> ScoredFiles:
    """Score files by the weighted sum of their signals.

    `similarity` is that of every chunk's vector to the query, where there are vectors.
    """
    found = compute_signals(query, corpus, similarity)
    weights = load_weights("long" if query.is_long else "short")
    total = np.zeros(corpus.size)
    for name, weight in weights.items():
        total += weight * found.files[name]
    return ScoredFiles(total, found, weights)


def has_words(scored: ScoredFiles) -> bool:
    """Whether any file has a word of the query in its text, its names, its path or its history."""
    return any(bool((scored.signals.files[name] > 0).any()) for name in _OF_WORDS)


def select_files(
    scored: ScoredFiles, corpus: Corpus, limit: int, allowed: NDArray[np.bool_] | None = None
) -> list[int]:
    """The best files that some positive signal speaks for; of equal scores by path."""
    positive = (scored.signals.files[name] for name, weight in scored.weights.items() if weight > 0)
    touched = sum(positive, np.zeros(corpus.size)) > 0
    total = np.where(touched if allowed is None else touched & allowed, scored.total, -np.inf)
    order = np.lexsort((np.arange(corpus.size), -np.round(total, 6)))[:limit]
    return [int(file) for file in order if np.isfinite(total[file])]


def rank_hybrid(
    query: ParsedQuery,
    corpus: Corpus,
    limit: int,
    allowed: NDArray[np.bool_] | None = None,
    similarity: Floats | None = None,
) -> list[RankedChunk]:
    """Rank files; one chunk for each file first, further chunks only after the files run out."""
    scored = score_files(query, corpus, similarity)
    order = select_files(scored, corpus, limit, allowed)
    by_file = _select_chunks(scored.signals.mix + score_defining_chunks(query, corpus), corpus, order)

    def build_ranked(file: int, chunk: int) -> RankedChunk:
        return RankedChunk(chunk, file, round(float(scored.total[file]), 4), scored.shares(file))

    first = [build_ranked(file, by_file[file][0]) for file in order if by_file[file]]
    if len(first) < limit:
        first += [build_ranked(file, chunk) for file in order for chunk in by_file[file][1:]]
    return first[:limit]


def rank_bm25(
    query: ParsedQuery, corpus: Corpus, limit: int, allowed: NDArray[np.bool_] | None = None
) -> list[RankedChunk]:
    """Rank chunks by BM25 alone."""
    return _rank_scores("bm25", corpus.chunk.scores(query.terms), corpus, limit, allowed)


def _rank_scores(
    name: str, scores: Floats, corpus: Corpus, limit: int, allowed: NDArray[np.bool_] | None
) -> list[RankedChunk]:
    if allowed is not None:
        scores = np.where(allowed[corpus.chunk_file], scores, 0)
    order = np.lexsort((np.arange(len(scores)), -np.round(scores, 6)))[:limit]
    return [
        RankedChunk(int(c), int(corpus.chunk_file[c]), round(float(scores[c]), 4), {name: round(float(scores[c]), 4)})
        for c in order
        if scores[c] > 0
    ]


def _select_chunks(mix: Floats, corpus: Corpus, files: list[int]) -> Mapping[int, list[int]]:
    """The best chunks of each file; ties by position."""
    wanted = np.zeros(corpus.size, bool)
    wanted[files] = True
    places = np.flatnonzero(wanted[corpus.chunk_file])
    order = places[np.lexsort((corpus.chunk_first[places], -np.round(mix[places], 6)))]
    found: dict[int, list[int]] = defaultdict(list)
    for chunk in order.tolist():
        chunks = found[int(corpus.chunk_file[chunk])]
        if len(chunks) < _CHUNKS_OF_A_FILE:
            chunks.append(chunk)
    return found
