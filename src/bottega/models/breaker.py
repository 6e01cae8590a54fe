"""A circuit breaker per model: 3 failures in a row open it for 30 s, doubling to 300 s."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bottega.errors import BreakerOpen, ModelFault, ModelTimeout, ModelUnreachable, ReplyCut

_FAILURES = 3
_FIRST_PAUSE = 30.0
_LONGEST_PAUSE = 300.0
_COUNTED_ERRORS = (ModelUnreachable, ModelTimeout, ModelFault, ReplyCut)


@dataclass(slots=True)
class _Health:
    failures: int = 0
    pause: float = _FIRST_PAUSE
    open_until: float = 0.0
    has_trial: bool = False


class Breaker:
    """Counts failures by model. Rate limits, refused keys and cancelled calls are not its fault and do not count."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._health: dict[str, _Health] = {}
        self._lock = threading.Lock()

    @contextmanager
    def watch(self, model: str) -> Iterator[None]:
        """One call: refused while the circuit is open, counted when it ends.

        After the pause a single call goes through as a trial; one that is cancelled leaves the trial to the next call.
        """
        self.check(model)
        try:
            yield
        except BaseException as error:
            self.record_failure(model, error)
            raise
        self.record_success(model)

    def check(self, model: str) -> None:
        """Raise `BreakerOpen` while the circuit is open; the first call after that is the trial."""
        with self._lock:
            health = self._health.setdefault(model, _Health())
            remaining = health.open_until - self._clock()
            if remaining > 0 or (health.has_trial and health.failures >= _FAILURES):
                raise BreakerOpen(model, max(remaining, 0.0))
            health.has_trial = health.failures >= _FAILURES

    def is_open(self, model: str) -> bool:
        with self._lock:
            health = self._health.get(model)
            return health is not None and health.open_until > self._clock()

    def record_success(self, model: str) -> None:
        with self._lock:
            self._health[model] = _Health()

    def record_failure(self, model: str, error: BaseException) -> None:
        with self._lock:
            health = self._health.setdefault(model, _Health())
            was_trial, health.has_trial = health.has_trial, False
            if not isinstance(error, _COUNTED_ERRORS) or (isinstance(error, ModelFault) and not error.passing):
                return
            health.failures += 1
            if health.failures >= _FAILURES:
                health.pause = min(health.pause * 2, _LONGEST_PAUSE) if was_trial else health.pause
                health.open_until = self._clock() + health.pause
