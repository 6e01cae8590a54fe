"""Signals from files related to the best of a first pass: imports, references, folders, tests and shared words."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np

from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.postings import Floats
from bottega.retrieve.search.query import ParsedQuery
from bottega.source.words import identifiers, tally

_STRONG = 0.5
_SEEDS, _STEPS, _DAMPING, _BACKWARDS = 12, 4, 0.5, 0.3
_FOLDER_FILES = 30
_FEEDBACK_CHUNKS, _FEEDBACK_TERMS = 4, 15


def compute_neighbour_signals(
    query: ParsedQuery, corpus: Corpus, signals: dict[str, Floats], mix: Floats
) -> dict[str, Floats]:
    """`signals` are those of the first pass, each at most 1; `mix` scores chunks."""
    base = _normalize(signals["chunk"] + signals["file"] + signals["defined_names"] + signals["path"])
    first = base + 0.25 * (signals["title_chunk"] + signals["title_exact_definition"] + signals["exact_definition"])
    first = np.where(corpus.is_test, 0, first).astype(np.float32)
    return {
        "importing_file": _score_importing_file(corpus, base),
        "references": _score_references(corpus, first),
        "folder": _score_folder(corpus, first),
        "matching_test": _score_matching_test(corpus, base),
        "feedback": _score_feedback(query, corpus, signals, mix),
    }


def _score_importing_file(corpus: Corpus, base: Floats) -> Floats:
    """The best file that imports this one."""
    source, target, _ = corpus.links("imports")
    voting = ~corpus.is_test[source]
    strong = np.where(base > _STRONG, base, 0).astype(np.float32)
    found = np.zeros(corpus.size, np.float32)
    np.maximum.at(found, target[voting], strong[source[voting]])
    return found


def _score_references(corpus: Corpus, first: Floats) -> Floats:
    """A short random walk along references from the best files; a fraction goes backwards."""
    source, target, weight = corpus.links("uses")
    voting = ~(corpus.is_test[source] | corpus.is_test[target])
    source, target, weight = source[voting], target[voting], weight[voting]
    size = corpus.size
    seeds = np.zeros(size)
    best = np.argsort(-first, kind="stable")[:_SEEDS]
    seeds[best] = first[best].astype(np.float64) ** 3
    seeds /= max(float(seeds.sum()), 1e-9)
    weight = np.log1p(weight) / np.sqrt(np.maximum(np.bincount(target, minlength=size), 1))[target]
    weight = weight / np.maximum(np.bincount(source, weight, minlength=size), 1e-9)[source]
    incoming = np.maximum(np.bincount(target, weight, minlength=size), 1e-9)
    reached = seeds.copy()
    for _ in range(_STEPS):
        onwards = np.bincount(target, weight * reached[source], minlength=size)
        backwards = np.bincount(source, weight * reached[target] / incoming[target], minlength=size)
        reached = (1 - _DAMPING) * seeds + _DAMPING * ((1 - _BACKWARDS) * onwards + _BACKWARDS * backwards)
    return np.sqrt(np.maximum(reached - (1 - _DAMPING) * seeds, 0)).astype(np.float32)


def _score_folder(corpus: Corpus, first: Floats) -> Floats:
    best = np.argsort(-first, kind="stable")[:_FOLDER_FILES]
    gain = np.bincount(
        corpus.folders[best], first[best].astype(np.float64) ** 2, minlength=int(corpus.folders.max(initial=0)) + 1
    )
    return gain[corpus.folders].astype(np.float32)


def _score_matching_test(corpus: Corpus, base: Floats) -> Floats:
    """Code whose tests match."""
    source, target, _ = corpus.links("tests")
    found = np.zeros(corpus.size, np.float32)
    np.maximum.at(found, target, base[source])
    return found


def _score_feedback(query: ParsedQuery, corpus: Corpus, signals: dict[str, Floats], mix: Floats) -> Floats:
    """Pseudo-relevance feedback from the best chunks."""
    if not mix.any():
        return np.zeros(corpus.size, np.float32)
    order = np.argsort(
        -(mix + 0.3 * signals["path"][corpus.chunk_file] - corpus.is_test[corpus.chunk_file]), kind="stable"
    )
    counted: Counter[int] = Counter()
    bags = [tally(identifiers(corpus.text(int(chunk)))) for chunk in order[:_FEEDBACK_CHUNKS]]
    terms = np.array(sorted({number for bag in bags for number in bag if number not in query.terms}), np.uint64)
    frequency = corpus.chunk.frequencies(terms)
    idf = dict(zip(terms.tolist(), np.log(1 + (corpus.chunks - frequency + 0.5) / (frequency + 0.5)), strict=True))
    for bag in bags:
        for number, count in bag.items():
            if number in idf:
                counted[number] += math.log1p(count) * idf[number]
    chosen = sorted(counted, key=lambda number: (-counted[number], number))[:_FEEDBACK_TERMS]
    return corpus.file.scores(dict.fromkeys(chosen, 1.0))


def _normalize(values: Floats) -> Floats:
    return (values / max(float(values.max(initial=0)), 1e-9)).astype(np.float32)
