"""The words of one file, counted over one vocabulary of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from bottega.index.analyse.definitions import defined_terms
from bottega.index.analyse.values import Bags, Symbol, Words
from bottega.index.words import identifiers, tally

_MOST = np.iinfo(np.uint16).max


def words(chunks: Sequence[Counter[str]], names: Sequence[Counter[str]], head: str, symbols: Sequence[Symbol]) -> Words:
    """Count the terms of every piece, of the names in it, of the head of the file and of what it defines."""
    tallies = [tally(chunk) for chunk in chunks]
    tallies += [tally(name) for name in names]
    tallies += [tally(identifiers(head)), *defined_terms(symbols)]
    sizes = np.fromiter((len(counted) for counted in tallies), np.int64, len(tallies))
    total = int(sizes.sum())
    numbers = np.fromiter((number for counted in tallies for number in counted), np.uint64, total)
    counts = np.fromiter((count for counted in tallies for count in counted.values()), np.int64, total)
    terms, places = np.unique(numbers, return_inverse=True)
    at = np.concatenate([[0], np.cumsum(sizes)])
    small = np.minimum(counts, _MOST).astype(np.uint16)
    pieces = len(chunks) + len(names)
    borders = (0, len(chunks), pieces, pieces + 1, pieces + 2, pieces + 3, pieces + 4)

    def bags(first: int, last: int) -> Bags:
        low, high = at[first], at[last]
        return Bags((at[first : last + 1] - low).astype(np.uint32), places[low:high].astype(np.uint32), small[low:high])

    return Words(terms, *(bags(first, last) for first, last in pairwise(borders)))
