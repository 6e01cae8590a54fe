"""Signals from places that the query names: frames of a traceback and numbered lines."""

from __future__ import annotations

import re
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bottega.retrieve.search.places import is_same_file
from bottega.retrieve.search.query import ParsedQuery
from bottega.retrieve.search.symbols.candidates import Candidates

Values = NDArray[np.float64]
_PLACE = re.compile(r'File "([^"\n]+)", line (\d+)|(?<![\w./-])([\w./-]++\.\w+):(\d+)')
_MOST_PLACES = 500


def score_symbols(weights: Mapping[int, float], candidates: Candidates) -> Values:
    """The weights that symbols have by their id."""
    found = [weights.get(symbol.id, 0.0) if symbol is not None else 0.0 for symbol in candidates.symbols]
    return np.array(found, float) if weights else np.zeros(candidates.size)


def score_lines(query: ParsedQuery, candidates: Candidates) -> Values:
    """1 where a place in the query, `path.py:12`, lies in the unit."""
    result = np.zeros(candidates.size)
    found = _PLACE.findall(query.text.replace("\\", "/"))[-_MOST_PLACES:]
    places = {tuple(part for part in groups if part) for groups in found}
    for path, line in sorted(places):
        for at, symbol in enumerate(candidates.symbols):
            if symbol is not None and len(line) < 9 and symbol.first <= int(line) <= symbol.last:
                result[at] = max(result[at], float(is_same_file(path, symbol.path)))
    return result
