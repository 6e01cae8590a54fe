"""Leave a failing model alone for a while: 3 failures in a row, 30 s, doubling to 300 s."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bottega.errors import BreakerOpen, ModelFault, ModelTimeout, ModelUnreachable, ReplyCut

_FAILURES = 3
_FIRST_REST = 30.0
_LONGEST_REST = 300.0
_COUNTED = (ModelUnreachable, ModelTimeout, ModelFault, ReplyCut)


@dataclass(slots=True)
class _Health:
    failures: int = 0
    rest: float = _FIRST_REST
    closed_until: float = 0.0
    trial: bool = False


class Breaker:
    """Counts failures by model. Rate limits and refused keys never count: the model is well, we are not."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._health: dict[str, _Health] = {}
        self._lock = threading.Lock()

    @contextmanager
    def watch(self, model: str) -> Iterator[None]:
        """One call: refused while the model rests, counted when it ends. An interrupted trial leaves its place free."""
        self.check(model)
        try:
            yield
        except BaseException as error:
            self.failed(model, error)
            raise
        self.succeeded(model)

    def check(self, model: str) -> None:
        with self._lock:
            health = self._health.setdefault(model, _Health())
            remaining = health.closed_until - self._clock()
            if remaining > 0 or (health.trial and health.failures >= _FAILURES):
                raise BreakerOpen(model, max(remaining, 0.0))
            health.trial = health.failures >= _FAILURES

    def is_open(self, model: str) -> bool:
        with self._lock:
            health = self._health.get(model)
            return health is not None and health.closed_until > self._clock()

    def succeeded(self, model: str) -> None:
        with self._lock:
            self._health[model] = _Health()

    def failed(self, model: str, error: BaseException) -> None:
        with self._lock:
            health = self._health.setdefault(model, _Health())
            was_trial, health.trial = health.trial, False
            if not isinstance(error, _COUNTED) or (isinstance(error, ModelFault) and not error.passing):
                return
            health.failures += 1
            if health.failures >= _FAILURES:
                health.rest = min(health.rest * 2, _LONGEST_REST) if was_trial else health.rest
                health.closed_until = self._clock() + health.rest
