"""What everything under `.bottega/` shares: private directories, files replaced as a whole, errors with a hint."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from bottega.errors import StorageError
from bottega.journal.home import NAME, seal_home
from bottega.journal.locks import try_lock
from bottega.journal.records import RecordConflict

_TEMPORARY = ".new-"
_LEAST_FREE = 256 * 1024  # bytes; SQLite grows its shared-memory file by 32 KiB
_STORAGE_ERRORS = {
    *(errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EDQUOT),
    *(errno.ENOTDIR, errno.EISDIR, errno.EIO, errno.ENOLCK),
}


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit the block or nothing of it, also when SQLite has rolled back by itself, as it does on a full disk."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def make_private_directory(path: Path) -> None:
    """Make `.bottega/` or a directory below it: owned by this user, closed to others, ignored by git.

    Raise `StorageError` for a symbolic link, which could point anywhere, and for a directory of another user, who
    could read it.
    """
    for directory in reversed((path, *path.parents)):
        if NAME in directory.parts:
            _make_own(directory)
    if path.name == NAME:
        refuse_links(path / name for name in (".gitignore", "raw.sqlite", "raw.sqlite-wal", "raw.sqlite-shm"))
        _ignore_everything(path / ".gitignore")


def replace_file(target: Path, content: str) -> None:
    """Write a file as a whole: a reader sees the old content or the new one.

    The temporary file stays locked until it is renamed, so that `remove_abandoned_files` leaves it alone.
    """
    file, temporary = _open_temporary(target)
    with file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def remove_abandoned_files(folder: Path) -> None:
    """Remove the temporary files of killed processes in a folder and below it."""
    for place, _, names in os.walk(folder):
        for name in names:
            if name.startswith(_TEMPORARY):
                with contextlib.suppress(OSError):  # it was removed meanwhile, or belongs to another user
                    _remove_if_abandoned(Path(place, name))


def _open_temporary(target: Path) -> tuple[IO[str], Path]:
    while True:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=_TEMPORARY)
        file = os.fdopen(handle, "w", encoding="utf-8", errors="replace")
        if try_lock(file.fileno()) and Path(name).exists():  # another process may remove it before it is locked
            return file, Path(name)
        file.close()


def _remove_if_abandoned(path: Path) -> None:
    handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        if try_lock(handle):
            path.unlink()
    finally:
        os.close(handle)


def refuse_links(paths: Iterable[Path]) -> None:
    for path in paths:
        if path.is_symlink():
            raise StorageError(f"{path} is a symbolic link", hint="Remove it: what lies under .bottega must be real.")


def _make_own(directory: Path) -> None:
    refuse_links([directory])
    if not directory.exists():
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)  # another process may make it first
    if not directory.is_dir():
        raise StorageError(f"{directory} is not a directory", hint="Move it aside; bottega keeps its records there.")
    status = directory.stat()
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        raise StorageError(f"{directory} belongs to another user", hint="Work in a directory of your own.")
    if status.st_mode & 0o077:
        directory.chmod(0o700)
    if directory.name == NAME:
        seal_home(directory)


def _ignore_everything(path: Path) -> None:
    if not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != "*\n":
        path.write_text("*\n", encoding="utf-8")


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


def refuse_programs(connection: sqlite3.Connection) -> None:
    """Refuse a database that brings triggers, views or virtual tables, which would run code of somebody else.

    Close it and raise `sqlite3.DatabaseError`, as for a damaged file.
    """
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        found = connection.execute(
            "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'"
        ).fetchone()
        if found is not None:
            raise sqlite3.DatabaseError(f"it brings a {found[0]} of its own ({str(found[1])[:60]!r})")
    except sqlite3.Error:
        connection.close()
        raise
