"""Run one refresh at a time in a process; threads that wait for the same one share its result."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar

from bottega.cancellation import current_cancellation

T = TypeVar("T")
_POLL_S = 0.05


class SharedTurns(Generic[T]):
    """Runs one action at a time; a caller that waited for a turn that began after its call gets its result.

    The result of a turn that raised or returned `None` is not shared.
    """

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._is_running = False
        self._begun = 0
        self._last: tuple[int, T] | None = None

    def run(
        self, action: Callable[[], T | None], *, may_share: bool = True, patience_s: float | None = None
    ) -> T | None:
        """The result of `action`, or of the same action in another thread; `None` after waiting `patience_s`."""
        with self._condition:
            asked = self._begun
            deadline = None if patience_s is None else time.monotonic() + patience_s
            while self._is_running:
                if deadline is not None and time.monotonic() > deadline:
                    return None
                self._condition.wait(_POLL_S)
                current_cancellation().check()
                if may_share and self._last is not None and self._last[0] > asked:
                    return self._last[1]
            self._is_running = True
            self._begun += 1
            turn = self._begun
        result = None
        try:
            result = action()
        finally:
            with self._condition:
                self._is_running = False
                if result is not None:
                    self._last = turn, result
                self._condition.notify_all()
        return result
