"""Wait for the index lock; a cancel ends the wait."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bottega.cancellation import current_cancellation
from bottega.home import FileLock, try_lock

_POLL_S = 0.05


@contextmanager
def index_lock(folder: Path) -> Iterator[None]:
    """The lock that every writer of an index holds."""
    lock = FileLock(folder / "index.lock")
    wait_for(lock)
    try:
        yield
    finally:
        lock.release()


def wait_for(lock: FileLock) -> None:
    """Take a lock, however long another process holds it; raise `Cancelled` or, where locks do not work, `OSError`."""
    if lock.take():
        return
    with tempfile.TemporaryFile(dir=lock.path.parent) as probe:
        is_possible = try_lock(probe.fileno())
    if not is_possible:
        lock.take(wait=True)
        return
    while not lock.take():
        current_cancellation().sleep(_POLL_S)
