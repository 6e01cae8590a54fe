"""Score one field over all segments as if they were one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.index import Part, expand_ranges

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


class Postings(NamedTuple):
    """Postings of several terms: index of the term, document, and count."""

    term: Ints
    doc: Ints
    times: Floats


class Field:
    """BM25 with the statistics of existing documents."""

    def __init__(self, name: str, parts: Sequence[Part], size: int, *, k1: float = 1.2, b: float = 0.75) -> None:
        self._name = name
        self._parts = parts
        self.size = size
        self._k1 = k1
        self._b = b
        self.length = np.zeros(size, np.float32)
        for arrays, places in parts:
            alive = places >= 0
            self.length[places[alive]] = arrays[f"{name}.length"][alive]
        mean = float(self.length.mean()) if size else 1.0
        self._norm = (k1 * (1 - b + b * self.length / max(mean, 1e-9))).astype(np.float32)

    def find(self, terms: NDArray[np.uint64]) -> Postings:
        found = [_find_postings(arrays, self._name, places, terms) for arrays, places in self._parts]
        if not found:
            return Postings(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))
        if len(found) == 1:
            return found[0]
        return Postings(*(np.concatenate(column) for column in zip(*found, strict=True)))

    def scores(self, weights: Mapping[int, float], *, saturate: bool = True) -> Floats:
        """BM25 of every document; without `saturate` the sum of the idf of its terms."""
        terms, asked = sort_weights(weights)
        found = self.find(terms)
        gain = (asked * self.idf(found, len(terms)))[found.term]
        if saturate:
            gain = gain * (found.times * (self._k1 + 1) / (found.times + self._norm[found.doc]))
        return np.bincount(found.doc, gain, minlength=self.size).astype(np.float32)

    def idf(self, found: Postings, terms: int) -> NDArray[np.float64]:
        df = np.bincount(found.term, minlength=terms)
        rarity: NDArray[np.float64] = np.log(1 + (self.size - df + 0.5) / (df + 0.5))
        return rarity

    def frequencies(self, terms: NDArray[np.uint64]) -> Ints:
        """The number of documents that contain each term."""
        return np.bincount(self.find(terms).term, minlength=len(terms)).astype(np.int64)


class Grams:
    """Scores documents by the idf of the word pairs or triples that they share with the query."""

    def __init__(self, name: str, parts: Sequence[Part], size: int) -> None:
        self._name = name
        self._parts = parts
        self._size = size

    def scores(self, grams: NDArray[np.uint32]) -> Floats:
        terms, docs = [], []
        for arrays, places in self._parts:
            known = arrays[f"{self._name}.gram"]
            low, high = np.searchsorted(known, grams, "left"), np.searchsorted(known, grams, "right")
            term, at = expand_ranges(low.astype(np.int64), high.astype(np.int64))
            doc = places[arrays[f"{self._name}.doc"][at]]
            terms.append(term[doc >= 0])
            docs.append(doc[doc >= 0])
        if not terms:
            return np.zeros(self._size, np.float32)
        term, doc = np.concatenate(terms), np.concatenate(docs)
        df = np.bincount(term, minlength=len(grams))
        idf = np.log(1 + (self._size - df + 0.5) / (df + 0.5))
        return np.bincount(doc, idf[term], minlength=self._size).astype(np.float32)


def sort_weights(weights: Mapping[int, float]) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Terms and weights in a fixed order, so that floating-point sums are reproducible."""
    terms = np.fromiter(weights, np.uint64, len(weights))
    asked = np.fromiter(weights.values(), np.float64, len(weights))
    order = np.argsort(terms)
    return terms[order], asked[order]


def _find_postings(arrays: Mapping[str, NDArray[Any]], name: str, places: Ints, terms: NDArray[np.uint64]) -> Postings:
    known, at = arrays[f"{name}.term"], arrays[f"{name}.at"]
    if not len(known) or not len(terms):
        return Postings(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))
    place = np.minimum(np.searchsorted(known, terms), len(known) - 1)
    hit = known[place] == terms
    low = np.where(hit, at[place], 0).astype(np.int64)
    high = np.where(hit, at[place + 1], 0).astype(np.int64)
    term, index = expand_ranges(low, high)
    doc = places[arrays[f"{name}.doc"][index]]
    count = arrays[f"{name}.count"][index].astype(np.float32)
    alive = doc >= 0
    return Postings(term, doc, count) if alive.all() else Postings(term[alive], doc[alive], count[alive])
