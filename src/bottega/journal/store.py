"""One SQLite file in WAL mode with numbered migrations, one connection that threads take in turns."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import IO

from bottega.errors import StorageError
from bottega.journal.home import NAME, seal_home
from bottega.journal.locks import try_lock

_BUSY_SECONDS = 30
_BESIDE = ".new-"
_LEAST_FREE = 256 * 1024
_OF_THE_DISK = {
    *(errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOSPC, errno.EDQUOT),
    *(errno.ENOTDIR, errno.EISDIR, errno.EIO, errno.ENOLCK),
}


class Store:
    """A database of the house. Writes are transactions; a busy file is waited for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        with storage_errors(path):
            make_private_directory(path.parent)
            self._connection = connect(path)
            try:
                _migrate(self._connection)
            except BaseException:
                self.close()
                raise

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that takes the write lock at once, so that it cannot fail half-way for want of it."""
        with storage_errors(self.path), self._lock, transaction(self._connection):
            yield self._connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with storage_errors(self.path), self._lock:
            yield self._connection

    def close(self) -> None:
        with self._lock:
            self._connection.close()


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All or nothing, also where SQLite has rolled back by itself, as it does on a full disk."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def make_private_directory(path: Path) -> None:
    """`.bottega/` and what is under it: a real directory, this person's own, closed to others, ignored by git.

    A repository is not trusted to bring one: a link in its place could point anywhere, a directory of somebody else's
    could be read by them.
    """
    for directory in reversed((path, *path.parents)):
        if NAME in directory.parts:
            _make_own(directory)
    if path.name == NAME:
        refuse_links(path / name for name in (".gitignore", "raw.sqlite", "raw.sqlite-wal", "raw.sqlite-shm"))
        _ignore_everything(path / ".gitignore")


def replace_file(target: Path, content: str) -> None:
    """Write a file as a whole: whoever reads it sees the old one or the new one.

    The file beside it stays locked until it is in place, so that `remove_abandoned_files` tells it from a dead one.
    """
    file, temporary = _open_beside(target)
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
    """Remove what processes that were killed left of `replace_file` in a folder and below it."""
    for place, _, names in os.walk(folder):
        for name in names:
            if name.startswith(_BESIDE):
                with contextlib.suppress(OSError):  # it is gone, or another user's
                    _remove_if_abandoned(Path(place, name))


def _open_beside(target: Path) -> tuple[IO[str], Path]:
    while True:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=_BESIDE)
        file = os.fdopen(handle, "w", encoding="utf-8", errors="replace")
        if try_lock(file.fileno()) and Path(name).exists():  # nobody took it for abandoned before it was locked
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
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)  # another process may have been quicker
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
    """Turn what SQLite and the file system say into one message a person can act on."""
    try:
        yield
    except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
        raise  # a mistake in the calling code: the file is sound
    except sqlite3.OperationalError as error:
        raise _explained(path, str(error)) from error
    except sqlite3.DatabaseError as error:
        raise StorageError(
            f"{path.name} is damaged: {error}",
            hint=f"Move {path} aside; a fresh one is made. `sqlite3 {path.name} .recover` may save the old records.",
        ) from error
    except OSError as error:
        if error.errno not in _OF_THE_DISK:
            raise
        raise _explained(path, str(error)) from error


def _explained(path: Path, text: str) -> StorageError:
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


def connect(path: Path) -> sqlite3.Connection:
    refuse_links([path])
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    try:
        refuse_programs(connection)
        _use_wal(connection)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection


def refuse_programs(connection: sqlite3.Connection) -> None:
    """Use a database as data alone: one that brings triggers, views or virtual tables of its own is refused.

    Close it and raise `sqlite3.DatabaseError` for such a one, as for a damaged file.
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


def _use_wal(connection: sqlite3.Connection) -> None:
    """Turning a new file to WAL needs it alone, and SQLite does not wait for that by itself."""
    deadline = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return


def _migrate(connection: sqlite3.Connection) -> None:
    if _version(connection) == len(_migrations()):
        return
    with transaction(connection):
        version = _known_version(connection)
        for number, script in enumerate(_migrations()[version:], version + 1):
            for statement in _statements(script):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")


def _known_version(connection: sqlite3.Connection) -> int:
    version = _version(connection)
    if version > len(_migrations()):
        raise StorageError(
            "this repository's records were written by a newer bottega", hint="Upgrade: pip install -U bottega"
        )
    return version


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _migrations() -> list[str]:
    folder = resources.files("bottega.journal") / "migrations"
    files = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name)
    return [entry.read_text(encoding="utf-8") for entry in files]


def _statements(script: str) -> Iterator[str]:
    pending = ""
    for line in script.splitlines(keepends=True):
        pending += line
        if sqlite3.complete_statement(pending):
            yield pending
            pending = ""
