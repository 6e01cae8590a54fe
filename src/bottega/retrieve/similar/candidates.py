"""Choose the units that share most words and word pairs with some code; they are compared line by line later."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.index import Part
from bottega.retrieve.search.corpus import Corpus
from bottega.source.words import build_grams, identifiers, terms_of

_UPPER = np.uint64(0xFFFFFFFF00000000)
_UNIT_SHIFT, _UNIT_MASK = np.uint64(16), np.uint64(0xFFFF)
_COUNT_MASK = np.uint64((1 << 14) - 1)
_SMOOTHING = 12.0


class Candidate(NamedTuple):
    """Lines of a file, `symbol` is the number of the symbol in it, -1 for none."""

    file: int
    first: int
    last: int
    symbol: int
    score: float


def choose_candidates(text: str, corpus: Corpus, most: int) -> list[Candidate]:
    """The best units first. Words count by their rarity among all units, adjacent words as much again."""
    counts = Counter(number for word in identifiers(text) for number in terms_of(word))
    pairs = np.unique(build_grams(identifiers(text))[0])
    found: list[Candidate] = []
    for part in corpus.snapshot.parts:
        found += _score_part(part, counts, pairs, most)
    return sorted(found, key=lambda candidate: (-candidate.score, candidate.file, candidate.first))[:most]


def _score_part(part: Part, counts: Counter[int], pairs: NDArray[np.uint32], most: int) -> list[Candidate]:
    arrays, places = part
    starts = arrays["unit.at"].astype(np.int64)
    size = int(starts[-1])
    if not size:
        return []
    lengths = _measure(arrays, starts, size)
    shared = _score_words(arrays, starts, size, counts) + _score_pairs(arrays, starts, size, pairs)
    score = shared / np.sqrt(lengths + _SMOOTHING)
    file = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    score[places[file] < 0] = 0
    best = np.argsort(-score, kind="stable")[:most]
    return [
        Candidate(
            int(places[file[at]]),
            int(arrays["unit.first"][at]),
            int(arrays["unit.last"][at]),
            int(arrays["unit.symbol"][at]),
            float(score[at]),
        )
        for at in best.tolist()
        if score[at] > 0 and arrays["unit.symbol"][at] >= 0
    ]


def _measure(arrays: Any, starts: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """How many different words each unit has."""
    return np.bincount(_find_units(arrays, "unit.word", starts, arrays["unit.word"]), minlength=size).astype(np.float64)


def _score_words(arrays: Any, starts: NDArray[np.int64], size: int, counts: Counter[int]) -> NDArray[np.float64]:
    """The sum over shared words of how often both sides have them, by rarity."""
    terms = np.array(sorted(counts), np.uint64) & _UPPER
    asked = np.array([counts[number] for number in sorted(counts)], np.float64)
    words = arrays["unit.word"]
    keys = words & _UPPER
    place = np.minimum(np.searchsorted(terms, keys), max(len(terms) - 1, 0))
    hits = np.flatnonzero(terms[place] == keys) if len(terms) else np.zeros(0, np.int64)
    term = place[hits]
    unit = _find_units(arrays, "unit.word", starts, words[hits], hits)
    rarity = np.log(1 + size / np.maximum(np.bincount(term, minlength=len(terms)), 1))
    both = np.minimum(asked[term], (words[hits] & _COUNT_MASK).astype(np.float64))
    return np.bincount(unit, both * rarity[term], minlength=size).astype(np.float64)


def _score_pairs(arrays: Any, starts: NDArray[np.int64], size: int, pairs: NDArray[np.uint32]) -> NDArray[np.float64]:
    known = arrays["unit.pair"]
    if not len(pairs) or not len(known):
        return np.zeros(size)
    place = np.minimum(np.searchsorted(pairs, known), len(pairs) - 1)
    hits = np.flatnonzero(pairs[place] == known)
    file = np.searchsorted(arrays["unit.pair_at"].astype(np.int64), hits, "right") - 1
    unit = starts[file] + arrays["unit.pair_unit"][hits]
    rarity = np.log(1 + size / np.maximum(np.bincount(place[hits], minlength=len(pairs)), 1))
    return np.bincount(unit, rarity[place[hits]], minlength=size).astype(np.float64)


def _find_units(
    arrays: Any,
    name: str,
    starts: NDArray[np.int64],
    words: NDArray[np.uint64],
    at: NDArray[np.int64] | None = None,
) -> NDArray[np.int64]:
    """The unit of each packed word, counted over the files of the segment."""
    places = np.arange(len(words)) if at is None else at
    file = np.searchsorted(arrays[f"{name}_at"].astype(np.int64), places, "right") - 1
    return starts[file] + ((words >> _UNIT_SHIFT) & _UNIT_MASK).astype(np.int64)
