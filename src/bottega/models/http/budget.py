"""The deadline of one call, enforced on every read, write and connect of the call."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from bottega.models.http.limits import HEADER_BYTES

_READ_AHEAD = 64 * 1024
"""The size of one read: the last read of the headers may hold this much of the body."""


class OutOfTime(Exception):
    """The deadline of the call has passed."""


class HeadersTooLarge(Exception):
    """The headers of a response exceed `HEADER_BYTES`."""


class CallBudget:
    """The time that a call has left, and the number of header bytes it has read."""

    def __init__(self, end: float) -> None:
        self.end = end
        self._header_bytes: int | None = None

    def remaining(self) -> float:
        """Seconds until the deadline; raises `OutOfTime` when it has passed."""
        left = self.end - time.monotonic()
        if left <= 0:
            raise OutOfTime
        return left

    def extend(self, seconds: float) -> None:
        """Move the deadline, for a download that makes progress."""
        self.end = time.monotonic() + seconds

    def count_read(self, size: int) -> None:
        if self._header_bytes is None:
            return
        self._header_bytes += size
        if self._header_bytes > HEADER_BYTES + _READ_AHEAD:
            raise HeadersTooLarge

    @contextmanager
    def awaiting_headers(self) -> Iterator[None]:
        """Count what is read, interim responses included, until the final headers are complete."""
        self._header_bytes = 0
        try:
            yield
        finally:
            self._header_bytes = None


_current: ContextVar[CallBudget | None] = ContextVar("call_budget", default=None)


def current_budget() -> CallBudget | None:
    return _current.get()


@contextmanager
def call_budget(seconds: float) -> Iterator[CallBudget]:
    """Bound everything inside the block. A block within another one never outlasts it."""
    outer = _current.get()
    end = time.monotonic() + seconds
    budget = CallBudget(end if outer is None else min(end, outer.end))
    token = _current.set(budget)
    try:
        yield budget
    finally:
        _current.reset(token)
