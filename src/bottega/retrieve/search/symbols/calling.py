"""A signal from the graph: functions that call one of the best units."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bottega.retrieve.search.symbols.candidates import Candidates

Values = NDArray[np.float64]
# Units whose callers count.
_BEST = 20


def score_callers(total: Values, candidates: Candidates) -> Values:
    """How far the best unit that each unit calls is above the last of the best ones, by the scores so far."""
    result = np.zeros(candidates.size)
    best = np.argsort(-total, kind="stable")[:_BEST]
    units = {symbol.id: at for at, symbol in enumerate(candidates.symbols) if symbol is not None}
    called = {symbol.id: float(total[at]) for at in best.tolist() if (symbol := candidates.symbols[at]) is not None}
    if len(called) < 2:
        return result
    lowest, highest = float(total[best[-1]]), float(total[best[0]])
    snapshot = candidates.corpus.snapshot
    files = [snapshot.files[file.number].id for file in candidates.files]
    for caller, target, confidence in snapshot.base.get_calls_of(list(called), files):
        at = units.get(caller)
        if at is not None and caller != target:
            gain = (called[target] - lowest) / max(highest - lowest, 1e-9) * confidence
            result[at] = max(result[at], gain)
    return result
