"""One pull of the same weights at a time, on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bottega.errors import StorageError
from bottega.journal import FileLock
from bottega.models.weights.catalogue import Weights


@contextmanager
def exclusive(weights: Weights, into: Path) -> Iterator[None]:
    """Hold the lock of these weights, or say that someone else does.

    The lock ends with the process, however it ends. Its empty file stays: deleting it would let a third
    process lock a new file while a second still waits on the old one.
    """
    lock = FileLock(into / f".{weights.file}.lock")
    if not lock.take():
        hint = "Wait for it to end, or stop it; what it has brought so far is kept."
        raise StorageError(f"Another pull of {weights.name} is under way", hint=hint)
    try:
        yield
    finally:
        lock.release()
