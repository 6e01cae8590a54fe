"""The lock that allows one pull of the same weights at a time on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bottega.errors import StorageError
from bottega.home import FileLock
from bottega.models.weights.catalogue import Weights


@contextmanager
def lock_weights(weights: Weights, into: Path) -> Iterator[None]:
    """Hold the lock of these weights. Raise `StorageError` if another process holds it.

    The lock ends with the process. Its empty file stays: if it were deleted, a third process could lock a new file
    while a second one still holds the old.
    """
    lock = FileLock(into / f".{weights.file}.lock")
    if not lock.take():
        hint = "Wait for it to end, or stop it; what it has brought so far is kept."
        raise StorageError(f"Another pull of {weights.name} is under way", hint=hint)
    try:
        yield
    finally:
        lock.release()
