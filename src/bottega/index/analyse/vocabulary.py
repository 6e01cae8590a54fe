"""Count the words of one file, over a vocabulary of that file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.index.analyse.chunks import ChunkedFile
from bottega.index.analyse.definitions import defined_names, definition_weights
from bottega.index.analyse.values import NOBODY, Bags, Grams, Symbol, Unit, Words
from bottega.source.words import build_neighbour_grams, hash_pairs, identifiers, read_identifier

_MOST = np.iinfo(np.uint16).max
# Up to so many pairs of a text and a term, counting in a dense table is faster than sorting.
_DENSE = 2_000_000

Numbers = NDArray[np.int64]


class WordCounts(NamedTuple):
    words: Words
    grams: Grams


class UnitLines(NamedTuple):
    """The units of a file, the unit of each line, and which lines are comments."""

    units: Sequence[Unit]
    owners: Numbers
    is_comment: NDArray[np.bool_]


def count_words(cut: ChunkedFile, head: str, symbols: Sequence[Symbol], lines: UnitLines) -> WordCounts:
    """Count the terms of every chunk, of the names in it, of the head of the file, of what it defines, of its units."""
    rows, names = cut.words, cut.names
    weights = definition_weights(symbols)
    titles = _list_titles(symbols, lines.units)
    texts = [*rows, *names, identifiers(head), *titles, list(weights)]
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
    after = 2 * len(rows) + 1 + len(titles)
    borders = (0, len(rows), 2 * len(rows), 2 * len(rows) + 1, after, *range(after + 1, after + 4))
    sets = [_slice_bags(bags, first, last) for first, last in pairwise(borders)]
    titled = sets.pop(3)
    telling = _Flat.from_rows([read.telling for read in readings])
    in_file = int(sizes[: len(rows)].sum())
    kept, kept_lengths = telling.locate_rows(spelt[:in_file])
    in_order = telling.values[kept]
    owners = np.repeat(lines.owners, cut.line_sizes)
    in_units = _count_in_units(places[index[: int(lengths[:in_file].sum())]], lengths[:in_file], owners, cut, lines)
    sets.append(_append_texts(_sum_weights(*in_units, (2 * len(lines.units), len(terms))), titled))
    pairs = build_unit_pairs(in_order, np.repeat(owners, kept_lengths))
    return WordCounts(Words(terms, *sets), Grams(*build_neighbour_grams(in_order), pairs))


def _list_titles(symbols: Sequence[Symbol], units: Sequence[Unit]) -> list[list[str]]:
    """For each unit the words of its name, then for each those of the names that it lies in."""
    names = [identifiers(symbols[unit.symbol].name) if unit.symbol != NOBODY else [] for unit in units]
    owners = []
    for unit in units:
        symbol = symbols[unit.symbol] if unit.symbol != NOBODY else None
        owners.append(identifiers(symbol.qualified.removesuffix(symbol.name)) if symbol is not None else [])
    return [*names, *owners]


def _count_in_units(
    terms: Numbers, lengths: Numbers, owners: Numbers, cut: ChunkedFile, lines: UnitLines
) -> tuple[Numbers, Numbers, Numbers]:
    """Every term of the file with its text: the code of unit `n` is text `n`; comments come after the code of all."""
    fields = owners + len(lines.units) * np.repeat(lines.is_comment, cut.line_sizes)
    return np.repeat(fields, lengths), terms, np.ones(len(terms), np.int64)


def _append_texts(bags: Bags, more: Bags) -> Bags:
    return Bags(
        np.concatenate([bags.at, more.at[1:] + bags.at[-1]]).astype(np.uint32),
        np.concatenate([bags.term, more.term]),
        np.concatenate([bags.times, more.times]),
    )


def build_unit_pairs(words: NDArray[np.uint64], owners: Numbers) -> NDArray[np.uint64]:
    """Pairs of adjacent words of one unit, each once: `pair << 16 | unit`, sorted."""
    if len(words) < 2:
        return np.zeros(0, np.uint64)
    inside = owners[:-1] == owners[1:]
    pairs = hash_pairs(words)[inside].astype(np.uint64)
    return np.unique((pairs << np.uint64(16)) | owners[:-1][inside].astype(np.uint64))


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
