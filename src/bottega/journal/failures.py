"""Errors of SQLite and the file system as errors that say what to do."""

from __future__ import annotations

import errno
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bottega.errors import StorageError
from bottega.journal.records import RecordConflict

_LEAST_FREE = 256 * 1024  # bytes; SQLite grows its shared-memory file by 32 KiB
_STORAGE_ERRORS = {
    *(errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EDQUOT),
    *(errno.ENOTDIR, errno.EISDIR, errno.EIO, errno.ENOLCK),
}


@contextmanager
def storage_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite and the file system into a `StorageError` that says what to do.

    A violated constraint becomes `RecordConflict`: the file is sound, and the calling code is wrong.
    """
    try:
        yield
    except sqlite3.ProgrammingError:
        raise  # the calling code is wrong, not the file
    except sqlite3.IntegrityError as error:
        raise RecordConflict(str(error)) from error
    except sqlite3.OperationalError as error:
        raise _explain(path, str(error)) from error
    except sqlite3.DatabaseError as error:
        raise StorageError(
            f"{path.name} is damaged: {error}",
            hint=f"Move {path} aside; a fresh one is made. `sqlite3 {path.name} .recover` may save the old records.",
        ) from error
    except OSError as error:
        if error.errno not in _STORAGE_ERRORS:
            raise
        raise _explain(path, str(error)) from error


def _explain(path: Path, text: str) -> StorageError:
    low = text.lower()
    if any(word in low for word in ("full", "no space", "quota")) or ("i/o" in low and _is_full(path)):
        hint = "Free some space, then `bottega resume last`."
        return StorageError(f"the disk is full: {path} cannot grow", hint=hint)
    if "locked" in low:
        return StorageError(f"{path.name} is in use by another process", hint="Wait for it to finish, then try again.")
    if any(word in low for word in ("readonly", "read-only", "permission", "unable to open", "a directory")):
        return StorageError(f"{path} cannot be written: {text}", hint="Check the permissions of the directory.")
    return StorageError(f"{path.name}: {text}", hint="Check the file system.")


def _is_full(path: Path) -> bool:
    """SQLite reports a full disk as an I/O error when it is the shared-memory file that cannot grow."""
    return shutil.disk_usage(path.parent).free < _LEAST_FREE
