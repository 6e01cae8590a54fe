"""Cancel a call that works in a thread of its own, once it has reached the phase a test is about."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from bottega.cancellation import Cancellation, cancel_scope
from bottega.errors import Cancelled

PROMPTLY = 1.0
"""Seconds within which a cancelled call has to end on a busy machine."""
PATIENCE = 20.0
_POLL = 0.005


@dataclass(slots=True)
class CallInThread:
    """A call under a token; `raised` is what ended it, None while it runs or when it succeeded."""

    call: Callable[[], object]
    token: Cancellation = field(default_factory=Cancellation)
    raised: BaseException | None = None
    thread: threading.Thread = field(init=False)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def cancel(self) -> None:
        """Cancel, and check that the call ends promptly with `Cancelled`."""
        started = time.monotonic()
        self.token.cancel("by a test")
        self.thread.join(PATIENCE)
        seconds = time.monotonic() - started
        assert not self.thread.is_alive(), "the call goes on after the cancel"
        assert isinstance(self.raised, Cancelled), repr(self.raised)
        assert seconds < PROMPTLY, f"the call took {seconds:.2f} s to end"

    def _work(self) -> None:
        try:
            with cancel_scope(self.token):
                self.call()
        except BaseException as error:  # noqa: BLE001 - the test looks at it
            self.raised = error


def wait_until(is_reached: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not is_reached():
        assert time.monotonic() < end, "the phase was never reached"
        time.sleep(_POLL)


def cancel_during(call: Callable[[], object], is_reached: Callable[[], object]) -> None:
    """Start the call, wait for the phase, cancel, and check that it ended promptly with `Cancelled`."""
    started = CallInThread(call)
    wait_until(is_reached)
    started.cancel()
