"""Errors of the disk that weights are stored on: too little space, no permission, full during a download."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bottega.errors import StorageError

_FULL = {errno.ENOSPC, errno.EDQUOT}
_NOT_WRITABLE = {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST}
_ELSEWHERE = "point XDG_CACHE_HOME at another disk"


@contextmanager
def explain_storage_errors(into: Path) -> Iterator[None]:
    """Raise `StorageError` with a hint in place of an `OSError` about `into`."""
    try:
        yield
    except OSError as error:
        raise _explain(error, into) from error


def describe_shortage(needed: int, into: Path) -> str | None:
    """How much space is missing for `needed` more bytes in `into`; `None` if they fit."""
    free = shutil.disk_usage(into).free
    if needed <= free:
        return None
    return f"{_format_size(needed)} must be free in {into}, and {_format_size(free)} are"


def not_enough_space(shortage: str) -> StorageError:
    return StorageError(f"Not enough disk space: {shortage}", hint=f"Free some space, or {_ELSEWHERE}.")


def _explain(error: OSError, into: Path) -> StorageError:
    if error.errno in _FULL:
        hint = f"Free some space and pull again, what has come is kept; or {_ELSEWHERE}."
        return StorageError(f"The disk of {into} is full", hint=hint)
    if error.errno in _NOT_WRITABLE:
        hint = f"Give yourself the right to write there, or {_ELSEWHERE}."
        return StorageError(f"{into} cannot be used: {error.strerror}", hint=hint)
    return StorageError(f"{error.filename or into}: {error.strerror or error}")


def _format_size(count: int) -> str:
    return f"{count / 1e9:.1f} GB" if count >= 1e9 else f"{count / 1e6:.1f} MB"
