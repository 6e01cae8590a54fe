"""Read files of a repository that may be hostile: no device, no symbolic link, at most a given size."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

# `O_NONBLOCK`: opening a FIFO returns at once. `O_NOCTTY`: a terminal does not become ours.
_SAFELY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_DIRECTORY = _SAFELY | getattr(os, "O_DIRECTORY", 0)
_KINDS = (
    (stat.S_ISDIR, "is a directory"),
    (stat.S_ISFIFO, "is a FIFO"),
    (stat.S_ISSOCK, "is a socket"),
    (stat.S_ISCHR, "is a device"),
    (stat.S_ISBLK, "is a device"),
)


class NotARegularFile(OSError):
    """The path is a symbolic link, a FIFO, a socket, a device or a directory."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(errno.EINVAL, reason, str(path))


class FileTooLarge(OSError):
    """The file is larger than the limit."""

    def __init__(self, path: Path, limit: int) -> None:
        super().__init__(errno.EFBIG, f"is larger than {limit:,} bytes", str(path))


def read_regular_file(path: Path, *, limit: int, below: Path | None = None) -> bytes:
    """Return the bytes of a regular file.

    Raise `NotARegularFile` for anything else, symbolic links included, `FileTooLarge` for more than `limit` bytes,
    and the system's own `OSError` where it cannot be opened. With `below`, a directory above the file, no directory
    between the two may be a link either, so that nothing outside `below` is read.
    """
    with _open(path, below) as handle:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise NotARegularFile(path, _name_file_kind(status.st_mode))
        if status.st_size > limit:
            raise FileTooLarge(path, limit)
        return _read_up_to(handle, status.st_size, path, limit)


@contextmanager
def _open(path: Path, below: Path | None) -> Iterator[int]:
    try:
        handle = os.open(path, _SAFELY) if below is None else _open_below(path, below)
    except OSError as error:
        if error.errno == errno.ELOOP or (error.errno == errno.ENXIO and path.is_socket()):
            raise NotARegularFile(path, "is a symbolic link" if error.errno == errno.ELOOP else "is a socket") from None
        raise
    except ValueError:  # a NUL in the path
        raise NotARegularFile(path, "has a name that no file can have") from None
    try:
        yield handle
    finally:
        os.close(handle)


def _open_below(path: Path, below: Path) -> int:
    """Open one component at a time, each in the directory opened before it."""
    *folders, name = path.relative_to(below).parts
    if ".." in folders or name == "..":
        raise NotARegularFile(path, "leads out of its directory")
    at = os.open(below, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    try:
        for folder in folders:
            inner = os.open(folder, _DIRECTORY, dir_fd=at)
            os.close(at)
            at = inner
        return os.open(name, _SAFELY, dir_fd=at)
    finally:
        os.close(at)


def _read_up_to(handle: int, size: int, path: Path, limit: int) -> bytes:
    """Read to the end: a file may have grown since `fstat`, and files of `/proc` report no size."""
    parts: list[bytes] = []
    total = 0
    while part := os.read(handle, min(max(size - total, 0), limit - total) + 1):
        parts.append(part)
        total += len(part)
        if total > limit:
            raise FileTooLarge(path, limit)
    return b"".join(parts)


def _name_file_kind(mode: int) -> str:
    return next((reason for is_kind, reason in _KINDS if is_kind(mode)), "is not a regular file")
