"""Signals from places that the query names: frames of a traceback and numbered lines."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from bottega.retrieve.search.places import is_same_file
from bottega.retrieve.search.query import ParsedQuery
from bottega.retrieve.search.symbols.candidates import Candidates

Values = NDArray[np.float64]
_FRAME = re.compile(
    r'File "([^"\n]+)", line \d+, in (\w+)'
    r"|(?<![\w./-])([\w./-]++\.py) in (\w+)\("
    r"|(?<![\w./-])([\w./-]++\.py):\d+:? in (\w+)"
)
_PLACE = re.compile(r'File "([^"\n]+)", line (\d+)|(?<![\w./-])([\w./-]++\.\w+):(\d+)')
_MOST_FRAMES, _MOST_PLACES = 100, 500


def score_frames(query: ParsedQuery, candidates: Candidates) -> Values:
    """Functions that frames of a traceback name; the last frame counts most."""
    result = np.zeros(candidates.size)
    text = query.text.replace("\\", "/")
    frames = [[part for part in groups if part] for groups in _FRAME.findall(text)][-_MOST_FRAMES:]
    for distance, (path, name) in enumerate(reversed(frames)):
        for at, symbol in enumerate(candidates.symbols):
            if symbol is not None and symbol.name == name and is_same_file(path, symbol.path):
                result[at] = max(result[at], 1 / (1 + 0.25 * distance))
    return result


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
