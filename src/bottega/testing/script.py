"""The order of events: one step for each request to a model, whoever asks first."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable

from bottega.testing.mishaps import Fail
from bottega.testing.steps import Step
from bottega.testing.wire import Received

Plot = Iterable[Step] | Callable[[Received], Step]


class Script:
    """Steps in order, or a function that answers by content; the function may be called by many threads at once."""

    def __init__(self, plot: Plot, *, repeat_last: bool = False) -> None:
        self._improvise = plot if callable(plot) else None
        self._steps = () if callable(plot) else tuple(plot)
        self._repeat_last = repeat_last
        self._taken = 0
        self._lock = threading.Lock()

    def next(self, ask: Received) -> Step:
        if self._improvise:
            return self._improvise(ask)
        with self._lock:
            place, self._taken = self._taken, self._taken + 1
        if place < len(self._steps):
            return self._steps[place]
        return self._steps[-1] if self._repeat_last and self._steps else self._exhausted(place)

    def _exhausted(self, place: int) -> Fail:
        return Fail(500, f"the script has {len(self._steps)} steps and this is request {place + 1}")
