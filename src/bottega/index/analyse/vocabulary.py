"""Count the words of one file, over a vocabulary of that file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.index.analyse.definitions import defined_names, definition_weights
from bottega.index.analyse.values import Bags, Grams, Symbol, Words
from bottega.source.words import build_neighbour_grams, identifiers, read_identifier

_MOST = np.iinfo(np.uint16).max
# Up to so many pairs of a text and a term, counting in a dense table is faster than sorting.
_DENSE = 2_000_000

Numbers = NDArray[np.int64]


class WordCounts(NamedTuple):
    words: Words
    grams: Grams


def count_words(
    rows: Sequence[list[str]], names: Sequence[list[str]], head: str, symbols: Sequence[Symbol]
) -> WordCounts:
    """Count the terms of every chunk, of the names in it, of the head of the file and of what it defines.

    `rows` holds the identifiers of each chunk in their order.
    """
    weights = definition_weights(symbols)
    texts = [*rows, *names, identifiers(head), list(weights)]
    sizes = np.fromiter(map(len, texts), np.int64, len(texts))
    numbers = {word: number for number, word in enumerate(dict.fromkeys(chain.from_iterable(texts)))}
    spelt = np.fromiter(map(numbers.__getitem__, chain.from_iterable(texts)), np.int64, int(sizes.sum()))
    weight = np.ones(len(spelt), np.int64)
    weight[len(spelt) - len(weights) :] = list(weights.values())
    readings = [read_identifier(word) for word in numbers]
    flat = _Flat.from_rows([read.terms for read in readings])
    exact, loose = defined_names(weights)
    listed = np.fromiter(chain(exact, loose), np.uint64, len(exact) + len(loose))
    terms, places = np.unique(np.concatenate([flat.values, listed]), return_inverse=True)
    index, lengths = flat.locate_rows(spelt)
    text = np.repeat(np.arange(len(texts)), sizes)
    bags = _sum_weights(
        np.concatenate([np.repeat(text, lengths), np.repeat([len(texts), len(texts) + 1], [len(exact), len(loose)])]),
        np.concatenate([places[: len(flat.values)][index], places[len(flat.values) :]]),
        np.concatenate([np.repeat(weight, lengths), list(exact.values()), list(loose.values())]).astype(np.int64),
        (len(texts) + 2, len(terms)),
    )
    borders = (0, len(rows), 2 * len(rows), *range(2 * len(rows) + 1, 2 * len(rows) + 5))
    sets = (_slice_bags(bags, first, last) for first, last in pairwise(borders))
    telling = _Flat.from_rows([read.telling for read in readings])
    in_order = telling.values[telling.locate_rows(spelt[: int(sizes[: len(rows)].sum())])[0]]
    return WordCounts(Words(terms, *sets), Grams(*build_neighbour_grams(in_order)))


class _Flat(NamedTuple):
    """Rows of unequal length, one after the other; row `n` lies from `at[n]` to `at[n + 1]`."""

    values: NDArray[np.uint64]
    at: Numbers

    @classmethod
    def from_rows(cls, rows: Sequence[tuple[int, ...]]) -> _Flat:
        at = np.zeros(len(rows) + 1, np.int64)
        np.cumsum(np.fromiter(map(len, rows), np.int64, len(rows)), out=at[1:])
        return cls(np.fromiter(chain.from_iterable(rows), np.uint64, int(at[-1])), at)

    def locate_rows(self, chosen: Numbers) -> tuple[Numbers, Numbers]:
        """The indexes of the values of the chosen rows, and how many values each row has."""
        first = self.at[chosen]
        lengths = self.at[chosen + 1] - first
        before = np.cumsum(lengths) - lengths
        return np.repeat(first - before, lengths) + np.arange(int(lengths.sum())), lengths


def _sum_weights(text: Numbers, term: Numbers, weight: Numbers, shape: tuple[int, int]) -> Bags:
    """Sum the weights of each term in each text."""
    texts, terms = shape
    key = text * max(terms, 1) + term
    if texts * terms <= _DENSE:
        table = np.bincount(key, weight, minlength=texts * terms)
        found = np.flatnonzero(table)
        times = table[found]
    else:
        found, inverse = np.unique(key, return_inverse=True)
        times = np.bincount(inverse, weight)
    at = np.searchsorted(found, np.arange(texts + 1) * max(terms, 1))
    return Bags(
        at.astype(np.uint32), (found % max(terms, 1)).astype(np.uint32), np.minimum(times, _MOST).astype(np.uint16)
    )


def _slice_bags(bags: Bags, first: int, last: int) -> Bags:
    low, high = bags.at[first], bags.at[last]
    return Bags(bags.at[first : last + 1] - low, bags.term[low:high], bags.times[low:high])
