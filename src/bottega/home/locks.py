"""Locks between processes and threads that the system releases when their holder dies."""

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

    def _probe(handle: IO[bytes]) -> None:
        msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)

    def _take_descriptor(handle: int) -> None:
        """Do nothing: Windows does not remove a file that another process has open."""
else:
    import fcntl

    def _take(handle: IO[bytes], *, wait: bool) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _probe(handle: IO[bytes]) -> None:
        """Try a shared lock, so that several processes that test at once do not mistake each other for the holder."""
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)

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
    """An exclusive lock on a file, held between `take` and `release` or the death of the process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._handle: IO[bytes] | None = None

    def take(self, *, wait: bool = False) -> bool:
        """Whether the lock was taken; with `wait`, only once its holder has released it."""
        while True:
            handle = os.fdopen(os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600), "r+b")
            try:
                _take(handle, wait=wait)
            except OSError:
                handle.close()
                if wait:
                    raise  # not held by another, but impossible here, as on some network file systems
                return False
            if self._is_current(handle):
                self._handle = handle
                return True
            handle.close()  # the holder deleted the file: the next process locks a new one

    def _is_current(self, handle: IO[bytes]) -> bool:
        try:
            return os.path.samestat(os.fstat(handle.fileno()), self.path.stat())
        except FileNotFoundError:
            return False

    def is_held(self) -> bool:
        """Whether the lock is held; `take` in another process may fail during this test."""
        try:
            handle = os.fdopen(os.open(self.path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)), "r+b")
        except FileNotFoundError:
            return False
        with handle:
            try:
                _probe(handle)
            except OSError:
                return True
        return False

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
