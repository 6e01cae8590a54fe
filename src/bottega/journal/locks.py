"""A lock between processes that the system releases when its holder dies."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Self

if sys.platform == "win32":
    import msvcrt

    def _take(handle: IO[bytes], *, wait: bool) -> None:
        msvcrt.locking(handle.fileno(), msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)

    def _take_descriptor(handle: int) -> None:
        """A file that is being written is open without sharing there: it cannot be removed."""
else:
    import fcntl

    def _take(handle: IO[bytes], *, wait: bool) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _take_descriptor(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def try_lock(handle: int) -> bool:
    """Lock an open file until it is closed; False while another process holds it."""
    try:
        _take_descriptor(handle)
    except OSError:
        return False
    return True


class FileLock:
    """Held while the file stays open. `take()` says whether it was free."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: IO[bytes] | None = None

    def take(self, *, wait: bool = False) -> bool:
        handle = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600), "r+b")
        try:
            _take(handle, wait=wait)
        except OSError:
            handle.close()
            if wait:
                raise  # not held by another, but impossible here, as on some network file systems
            return False
        self._handle = handle
        return True

    def release(self) -> None:
        if self._handle is not None:
            self._handle.close()
            self._handle = None

    def __enter__(self) -> Self:
        self.take(wait=True)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    with FileLock(path):
        yield
