"""Open files below a root directory only: no symbolic link is followed, no device or FIFO is opened."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bottega.errors import InputError

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FLAGS = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
_MAX_SHOWN = 200


class OutsideRoot(InputError):
    """A path that does not exist below the root directory, leads out of it, or is not a regular file or directory."""


def split_path(path: str) -> list[str]:
    """The names of a relative path; refuses absolute paths, `..` and zero bytes."""
    if "\0" in path:
        raise OutsideRoot("a path cannot hold a zero byte")
    names = [name for name in path.split("/") if name not in {"", "."}]
    if path.startswith("/") or ".." in names:
        raise OutsideRoot(
            f"{path[:_MAX_SHOWN]} is outside of the root directory", hint="Paths are relative to the root directory."
        )
    return names


@contextmanager
def open_below(root: Path, path: str) -> Iterator[int]:
    """A descriptor of a regular file or a directory, opened one component at a time so that no link is followed."""
    names = split_path(path)
    handle = -1
    try:
        handle = os.open(root, _FLAGS | getattr(os, "O_DIRECTORY", 0))
        for name in names:
            below = os.open(name, _FLAGS, dir_fd=handle)
            os.close(handle)
            handle = below
        mode = os.fstat(handle).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise OutsideRoot(f"{path[:_MAX_SHOWN]} is no file and no directory")
        yield handle
    except OSError as error:
        raise OutsideRoot(f"{path[:_MAX_SHOWN]}: {error.strerror or 'cannot be opened'}") from None
    finally:
        if handle >= 0:
            os.close(handle)


def read_below(root: Path, path: str, max_bytes: int) -> tuple[bytes, os.stat_result]:
    """The first bytes of a file, and its status."""
    with open_below(root, path) as handle:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OutsideRoot(f"{path[:_MAX_SHOWN]} is a directory", hint="List it instead.")
        parts: list[bytes] = []
        left = max_bytes
        while left > 0 and (part := os.read(handle, min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts), status
