"""Open what lies below a directory, and nothing else: no link is followed on the way, no device or pipe is opened."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bottega.errors import InputError

_NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
_FLAGS = os.O_RDONLY | _NOFOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)


class Outside(InputError):
    """A path that leads nowhere, or out of the target."""


def steps(path: str) -> list[str]:
    """The names on the way to a path below the target."""
    if "\0" in path:
        raise Outside("a path cannot hold a zero byte")
    names = [name for name in path.split("/") if name not in {"", "."}]
    if path.startswith("/") or ".." in names:
        raise Outside(f"{path[:200]} is outside of the target", hint="Paths are relative to the target.")
    return names


@contextmanager
def opened(target: Path, path: str) -> Iterator[int]:
    """A descriptor of a regular file or a directory below the target."""
    names = steps(path)
    handle = -1
    try:
        handle = os.open(target, _FLAGS | getattr(os, "O_DIRECTORY", 0))
        for name in names:
            below = os.open(name, _FLAGS, dir_fd=handle)
            os.close(handle)
            handle = below
        mode = os.fstat(handle).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise Outside(f"{path[:200]} is no file and no directory")
        yield handle
    except OSError as error:
        raise Outside(f"{path[:200]}: {error.strerror or 'cannot be opened'}") from None
    finally:
        if handle >= 0:
            os.close(handle)


def content(target: Path, path: str, most: int) -> tuple[bytes, os.stat_result]:
    """The beginning of a file, at most so many bytes."""
    with opened(target, path) as handle:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise Outside(f"{path[:200]} is a directory", hint="Use list_directory.")
        parts: list[bytes] = []
        left = most
        while left > 0 and (part := os.read(handle, min(left, 1 << 20))):
            parts.append(part)
            left -= len(part)
        return b"".join(parts), status
