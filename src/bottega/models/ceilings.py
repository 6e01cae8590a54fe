"""The ceilings of one run: tokens, cost, minutes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from bottega.errors import CeilingReached
from bottega.settings import Limits


class Ceilings:
    """Counts over the whole run, with what was used before it was resumed. A limit of 0 means no ceiling."""

    def __init__(
        self,
        limits: Limits,
        *,
        tokens: int = 0,
        cost: float | None = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._limits = limits
        self._tokens = tokens
        self._cost = cost
        self._clock = clock
        self._started = clock()
        self._lock = threading.Lock()

    def check(self, model: str, *, price_known: bool) -> None:
        """Raise `CeilingReached` if another call is not allowed; called before every call."""
        with self._lock:
            if self._limits.tokens and self._tokens >= self._limits.tokens:
                raise CeilingReached(model, f"{self._tokens} of {self._limits.tokens} tokens used")
            if self._limits.minutes and self._clock() - self._started >= self._limits.minutes * 60:
                raise CeilingReached(model, f"{self._limits.minutes:g} minutes")
            if self._limits.cost and (self._cost is None or not price_known):
                raise CeilingReached(
                    model, f"the price of {model} is unknown, so ${self._limits.cost:g} cannot be kept"
                )
            if self._limits.cost and self._cost is not None and self._cost >= self._limits.cost:
                raise CeilingReached(model, f"${self._cost:.4f} of ${self._limits.cost:g} spent")

    def add(self, tokens: int, cost: float | None) -> None:
        with self._lock:
            self._tokens += tokens
            self._cost = None if cost is None or self._cost is None else self._cost + cost
