"""Signals from the words of a unit: its code, its comments, its name and the names that it lies in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.index import find_unit_pairs, find_unit_words, measure_units
from bottega.retrieve.search.postings import sort_weights
from bottega.retrieve.search.symbols.candidates import Candidates, Ints

Values = NDArray[np.float64]
# How much a word counts in code, comment, name and owner.
FIELDS = np.array([1.0, 0.25, 3.0, 1.0])
COMMENTS = np.array([0.0, 1.0, 0.0, 0.0])
_K1, _B = 1.2, 0.5


class Occurrences(NamedTuple):
    """Occurrences of the terms of a query: which term, in which unit, in which field, how often."""

    term: Ints
    unit: Ints
    field: Ints
    times: NDArray[np.float32]


def find_occurrences(candidates: Candidates, terms: NDArray[np.uint64]) -> Occurrences:
    columns = []
    for file in candidates.files:
        found = find_unit_words(file.arrays, file.document, terms)
        columns.append((found.term, found.unit + file.first, found.field, found.times))
    if not columns:
        nothing = np.zeros(0, np.int64)
        return Occurrences(nothing, nothing, nothing, np.zeros(0, np.float32))
    return Occurrences(*(np.concatenate(column) for column in zip(*columns, strict=True)))


def measure_lengths(candidates: Candidates) -> NDArray[np.float32]:
    """How many words each unit has in each field."""
    rows = [measure_units(file.arrays, file.document) for file in candidates.files]
    return np.concatenate([np.zeros((0, len(FIELDS)), np.float32), *rows])


def score_words(
    weights: Mapping[int, float], candidates: Candidates, lengths: NDArray[np.float32], fields: Values = FIELDS
) -> Values:
    """BM25F of the units; how rare a term is, and how long a unit is in the mean, is counted among blocks alone."""
    terms, asked = sort_weights(weights)
    found = find_occurrences(candidates, terms)
    size, counted = candidates.size, candidates.are_blocks
    key = found.term * size + found.unit
    places, inverse = np.unique(key, return_inverse=True)
    times = np.bincount(inverse, found.times * fields[found.field], minlength=len(places))
    term, unit = places // max(size, 1), places % max(size, 1)
    term, unit, times = term[times > 0], unit[times > 0], times[times > 0]
    frequency = np.bincount(term[counted[unit]], minlength=len(terms))
    gain = asked * np.log(1 + (counted.sum() - frequency + 0.5) / (frequency + 0.5))
    length = lengths @ fields
    norm = _K1 * (1 - _B + _B * length / max(float(length[counted].mean()) if counted.any() else 0.0, 1e-9))
    scores = np.bincount(unit, gain[term] * times * (_K1 + 1) / (times + norm[unit]), minlength=size)
    return scores.astype(np.float64)


def score_pairs(pairs: NDArray[np.uint32], candidates: Candidates) -> Values:
    """Adjacent words of the query that are adjacent in a unit, too, by their rarity among the units."""
    size = candidates.size
    columns = []
    for file in candidates.files:
        pair, unit = find_unit_pairs(file.arrays, file.document, pairs)
        columns.append((pair, unit + file.first))
    if not columns:
        return np.zeros(size)
    pair, unit = (np.concatenate(column) for column in zip(*columns, strict=True))
    rarity = np.log(1 + size / np.maximum(np.bincount(pair, minlength=len(pairs)), 1))
    scores = np.bincount(unit, rarity[pair], minlength=size)
    return scores.astype(np.float64)


def score_meaning(chunks: NDArray[np.float32], candidates: Candidates) -> Values:
    """The similarity of the best chunk over a unit; less where the two share less than half of the shorter one."""
    corpus = candidates.corpus
    result = np.zeros(candidates.size)
    for file in candidates.files:
        low, high = np.searchsorted(corpus.chunk_file, [file.number, file.number + 1])
        first, last = corpus.chunk_first[low:high], corpus.chunk_last[low:high]
        inside = slice(file.first, file.first + file.size)
        unit_first, unit_last = candidates.first[inside, None], candidates.last[inside, None]
        shared = np.minimum(last, unit_last) - np.maximum(first, unit_first) + 1
        half = np.maximum(1.0, 0.5 * np.minimum(last - first + 1, unit_last - unit_first + 1))
        if high > low:
            result[inside] = (chunks[low:high] * np.clip(shared / half, 0, 1)).max(axis=1)
    return result
