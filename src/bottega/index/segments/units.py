"""The words of units as arrays in the order of the files: search reads those of the few files that it looks into.

The arrays of a file lie together. A word is one number: the upper half of its term, its unit, its field, its count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.index.analyse.values import UNIT_FIELDS, Wording

Arrays = dict[str, NDArray[Any]]
Part = tuple[Mapping[str, NDArray[Any]], NDArray[np.int64]]

# Arrays with as many entries for a file as the difference of its two places in the array of this name.
_ENTRIES = {
    "unit.at": ("unit.first", "unit.last", "unit.symbol"),
    "unit.word_at": ("unit.word",),
    "unit.pair_at": ("unit.pair", "unit.pair_unit"),
}
_UNIT_BITS, _FIELD_BITS, _COUNT_BITS = 16, 2, 14
_UNIT_SHIFT, _FIELD_SHIFT = _FIELD_BITS + _COUNT_BITS, _COUNT_BITS
_MOST_COUNTED = (1 << _COUNT_BITS) - 1
_UPPER = np.uint64(0xFFFFFFFF00000000)


class UnitWords(NamedTuple):
    """Occurrences of terms in the units of one file: which of the terms asked for, in which unit, field, how often."""

    term: NDArray[np.int64]
    unit: NDArray[np.int64]
    field: NDArray[np.int64]
    times: NDArray[np.float32]


def build_unit_arrays(analyses: Sequence[Wording]) -> Arrays:
    words = [_pack_words(analysis) for analysis in analyses]
    pairs = [analysis.grams.units for analysis in analyses]
    table = np.array([unit for analysis in analyses for unit in analysis.units], np.int64).reshape(-1, 3)
    joined = np.concatenate([np.zeros(0, np.uint64), *pairs])
    return {
        "unit.at": _sum_lengths(len(analysis.units) for analysis in analyses),
        "unit.first": table[:, 0].astype(np.uint32),
        "unit.last": table[:, 1].astype(np.uint32),
        "unit.symbol": table[:, 2].astype(np.int32),
        "unit.word_at": _sum_lengths(map(len, words)),
        "unit.word": np.concatenate([np.zeros(0, np.uint64), *words]),
        "unit.pair_at": _sum_lengths(map(len, pairs)),
        "unit.pair": (joined >> np.uint64(_UNIT_BITS)).astype(np.uint32),
        "unit.pair_unit": (joined & np.uint64((1 << _UNIT_BITS) - 1)).astype(np.uint16),
    }


def merge_unit_arrays(parts: Sequence[Part]) -> Arrays:
    """Join the arrays of several segments, each given with the new place of every file, -1 for deleted ones."""
    merged: Arrays = {}
    for at, names in _ENTRIES.items():
        lengths = []
        columns: dict[str, list[NDArray[Any]]] = {name: [] for name in names}
        for arrays, places in parts:
            order = np.argsort(places, kind="stable")[int((places < 0).sum()) :]
            low = arrays[at][:-1].astype(np.int64)[order]
            high = arrays[at][1:].astype(np.int64)[order]
            _, index = expand_ranges(low, high)
            lengths.append(high - low)
            for name in names:
                columns[name].append(arrays[name][index])
        merged[at] = _sum_lengths(np.concatenate(lengths).tolist())
        merged |= {name: np.concatenate(column) for name, column in columns.items()}
    return merged


def find_unit_words(arrays: Mapping[str, NDArray[Any]], file: int, terms: NDArray[np.uint64]) -> UnitWords:
    """Where the units of a file hold some terms, given in any order."""
    words = arrays["unit.word"][int(arrays["unit.word_at"][file]) : int(arrays["unit.word_at"][file + 1])]
    keys = terms & _UPPER
    term, index = expand_ranges(np.searchsorted(words, keys), np.searchsorted(words, keys | ~_UPPER, "right"))
    found = words[index]
    return UnitWords(
        term,
        ((found >> np.uint64(_UNIT_SHIFT)) & np.uint64((1 << _UNIT_BITS) - 1)).astype(np.int64),
        ((found >> np.uint64(_FIELD_SHIFT)) & np.uint64((1 << _FIELD_BITS) - 1)).astype(np.int64),
        (found & np.uint64(_MOST_COUNTED)).astype(np.float32),
    )


def measure_units(arrays: Mapping[str, NDArray[Any]], file: int) -> NDArray[np.float32]:
    """How many words each unit of a file has, by field: one row for each unit."""
    words = arrays["unit.word"][int(arrays["unit.word_at"][file]) : int(arrays["unit.word_at"][file + 1])]
    count = int(arrays["unit.at"][file + 1]) - int(arrays["unit.at"][file])
    place = ((words >> np.uint64(_FIELD_SHIFT)) & np.uint64((1 << (_UNIT_BITS + _FIELD_BITS)) - 1)).astype(np.int64)
    times = (words & np.uint64(_MOST_COUNTED)).astype(np.float64)
    sums = np.bincount(place, times, minlength=count << _FIELD_BITS)
    return sums[: count << _FIELD_BITS].reshape(count, 1 << _FIELD_BITS).astype(np.float32)


def find_unit_pairs(
    arrays: Mapping[str, NDArray[Any]], file: int, pairs: NDArray[np.uint32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Which of some word pairs stand in which units of a file."""
    inside = slice(int(arrays["unit.pair_at"][file]), int(arrays["unit.pair_at"][file + 1]))
    known, units = arrays["unit.pair"][inside], arrays["unit.pair_unit"][inside]
    pair, index = expand_ranges(np.searchsorted(known, pairs, "left"), np.searchsorted(known, pairs, "right"))
    return pair, units[index].astype(np.int64)


def _pack_words(analysis: Wording) -> NDArray[np.uint64]:
    bags, count = analysis.words.units, len(analysis.units)
    text = np.repeat(np.arange(len(UNIT_FIELDS) * count), bags.at[1:] - bags.at[:-1])
    unit, field = (text % max(count, 1)).astype(np.uint64), (text // max(count, 1)).astype(np.uint64)
    packed: NDArray[np.uint64] = (
        (analysis.words.terms[bags.term] & _UPPER)
        | (unit << np.uint64(_UNIT_SHIFT))
        | (field << np.uint64(_FIELD_SHIFT))
        | np.minimum(bags.times, _MOST_COUNTED).astype(np.uint64)
    )
    packed.sort()
    return packed


def expand_ranges(low: NDArray[np.int64], high: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All numbers of each half-open range, with the index of their range."""
    lengths: NDArray[np.int64] = high - low
    owner = np.repeat(np.arange(len(lengths)), lengths)
    return owner, np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths - low, lengths)


def _sum_lengths(lengths: Any) -> NDArray[np.uint32]:
    return np.cumsum([0, *lengths]).astype(np.uint32)
