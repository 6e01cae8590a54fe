"""The disk says no: too little room, no permission, full half-way."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bottega.errors import StorageError

_FULL = {errno.ENOSPC, errno.EDQUOT}
_CLOSED = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST}
_ELSEWHERE = "point XDG_CACHE_HOME at another disk"


@contextmanager
def storage_errors(into: Path) -> Iterator[None]:
    """Turn what the operating system says about `into` into words a person can act on."""
    try:
        yield
    except OSError as error:
        raise _explained(error, into) from error


def shortage(needed: int, into: Path) -> str | None:
    """What is missing for `needed` more bytes in `into`, in words; None when they fit."""
    free = shutil.disk_usage(into).free
    if needed <= free:
        return None
    return f"{_human(needed)} must be free in {into}, and {_human(free)} are"


def too_little_space(lack: str) -> StorageError:
    return StorageError(f"Not enough disk space: {lack}", hint=f"Free some space, or {_ELSEWHERE}.")


def _explained(error: OSError, into: Path) -> StorageError:
    if error.errno in _FULL:
        hint = f"Free some space and pull again, what has come is kept; or {_ELSEWHERE}."
        return StorageError(f"The disk of {into} is full", hint=hint)
    if error.errno in _CLOSED:
        hint = f"Give yourself the right to write there, or {_ELSEWHERE}."
        return StorageError(f"{into} cannot be used: {error.strerror}", hint=hint)
    return StorageError(f"{error.filename or into}: {error.strerror or error}")


def _human(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"
