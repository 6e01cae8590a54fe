"""One SQLite database in WAL mode, brought up to date by numbered migrations."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path

from bottega.errors import StorageError
from bottega.home import make_private_directory, refuse_links, refuse_programs, transaction
from bottega.journal.failures import storage_errors

_BUSY_SECONDS = 30


class Database:
    """One SQLite database of the journal; threads take turns on its connection, and a busy file is waited for."""

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
        """A transaction that takes the write lock first, so that it cannot fail half-way because of another writer."""
        with storage_errors(self.path), self._lock, transaction(self._connection):
            yield self._connection

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        with storage_errors(self.path), self._lock:
            yield self._connection

    def close(self) -> None:
        with self._lock:
            self._connection.close()


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


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL, which needs the file alone: SQLite itself does not wait for that."""
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
    connection.execute("PRAGMA foreign_keys = OFF")  # dropping a table that is rebuilt must not delete its children
    with transaction(connection):
        version = _known_version(connection)
        for number, script in enumerate(_migrations()[version:], version + 1):
            for statement in _statements(script):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number}")
        _refuse_orphans(connection)
    connection.execute("PRAGMA foreign_keys = ON")


def _refuse_orphans(connection: sqlite3.Connection) -> None:
    orphan = connection.execute("PRAGMA foreign_key_check").fetchone()
    if orphan is not None:
        raise sqlite3.DatabaseError(f"a row of {orphan[0]} refers to no row of {orphan[2]}")


def _known_version(connection: sqlite3.Connection) -> int:
    version = _version(connection)
    if version > len(_migrations()):
        raise StorageError(
            "this repository's records were written by a newer bottega",
            hint="Upgrade bottega: `bottega docs install` tells how.",
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
