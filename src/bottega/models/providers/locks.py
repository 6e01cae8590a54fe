"""Wait for a lock without ignoring a cancel."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from bottega.cancellation import current_cancellation

_POLL = 0.05


@contextmanager
def hold_lock(lock: threading.Lock) -> Iterator[None]:
    """Hold the lock while the block runs; raise `Cancelled` if the run is cancelled while another call holds it."""
    cancellation = current_cancellation()
    cancellation.check()
    while not lock.acquire(timeout=_POLL):
        cancellation.check()
    try:
        yield
    finally:
        lock.release()
