"""One pull of the same weights at a time, on this machine."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from bottega.errors import StorageError
from bottega.models.weights.catalogue import Weights

if sys.platform == "win32":
    import msvcrt

    def _seize(file: BinaryIO) -> None:
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _seize(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def exclusive(weights: Weights, into: Path) -> Iterator[None]:
    """Hold the lock of these weights, or say that someone else does.

    The lock ends with the process, however it ends. Its empty file stays: deleting it would let a third
    process lock a new file while a second still waits on the old one.
    """
    with (into / f".{weights.file}.lock").open("ab") as file:
        _seize_or_say(file, weights)
        yield


def _seize_or_say(file: BinaryIO, weights: Weights) -> None:
    try:
        _seize(file)
    except (BlockingIOError, PermissionError) as error:
        hint = "Wait for it to end, or stop it; what it has brought so far is kept."
        raise StorageError(f"Another pull of {weights.name} is under way", hint=hint) from error
