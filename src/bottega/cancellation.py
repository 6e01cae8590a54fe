"""Stop a run from another thread or process: one token per run, seen by everything the run waits for.

A run works under `cancel_scope(token)`. Whatever may wait for long inside it asks `current_cancellation()`: a loop
calls `check()`, a pause is `sleep()`, and a call that blocks in the system is wrapped in `interrupting(close)`, which
closes its socket or kills its process. Threads that work for a run start their function through `keep_scope`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from functools import wraps
from typing import ParamSpec, TypeVar

from bottega.errors import Cancelled

P = ParamSpec("P")
R = TypeVar("R")


class Cancellation:
    """A token that is cancelled at most once; `reason` says by whom or why."""

    def __init__(self) -> None:
        self.reason = ""
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._interrupts: dict[object, Callable[[], None]] = {}

    @property
    def is_cancelled(self) -> bool:
        return self._event.is_set()

    def cancel(self, reason: str = "cancelled") -> None:
        """Wake every wait and interrupt every call under this token; a second time does nothing."""
        with self._lock:
            if self._event.is_set():
                return
            self.reason = reason
            self._event.set()
            interrupts = list(self._interrupts.values())
        for interrupt in interrupts:
            interrupt()

    def check(self) -> None:
        """Raise `Cancelled` once the token is cancelled."""
        if self._event.is_set():
            raise Cancelled(self.reason)

    def sleep(self, seconds: float) -> None:
        """Sleep, but raise `Cancelled` as soon as the token is cancelled."""
        self._event.wait(seconds)
        self.check()

    @contextmanager
    def interrupting(self, interrupt: Callable[[], None]) -> Iterator[None]:
        """Call `interrupt` from the cancelling thread if the token is cancelled while the block runs.

        `interrupt` must make the blocking call return or raise, must not raise itself, and may come when the block is
        already over. Once cancelled, what the block raises becomes `Cancelled`, and what it returns is kept.
        """
        key = object()
        with self._lock:
            self.check()
            self._interrupts[key] = interrupt
        try:
            yield
        except Exception:
            self.check()
            raise
        finally:
            with self._lock:
                del self._interrupts[key]


_NEVER = Cancellation()
_current: ContextVar[Cancellation] = ContextVar("cancellation", default=_NEVER)


def current_cancellation() -> Cancellation:
    """The token of the run this thread works for; outside of any run, one that nobody cancels."""
    return _current.get()


@contextmanager
def cancel_scope(cancellation: Cancellation) -> Iterator[None]:
    """Everything inside the block works under this token."""
    reset = _current.set(cancellation)
    try:
        yield
    finally:
        _current.reset(reset)


def keep_scope(function: Callable[P, R]) -> Callable[P, R]:
    """The function, working under the caller's context in whatever thread calls it: threads inherit none."""
    context = copy_context()

    @wraps(function)
    def scoped(*args: P.args, **kwargs: P.kwargs) -> R:
        return context.copy().run(function, *args, **kwargs)

    return scoped
