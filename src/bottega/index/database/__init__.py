"""Open curated.sqlite, write it in place or as a copy that replaces it, and rebuild it when it is damaged."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib import resources
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

from bottega.cancellation import current_cancellation
from bottega.errors import StorageError
from bottega.home import refuse_programs, transaction
from bottega.index.analyse import VERSION as ANALYSIS_VERSION

# Raise it with every change of schema.sql and of what is written from the same analyses: an index of another version
# is rebuilt, never migrated.
VERSION = 4
NAME = "curated.sqlite"
_MAKES_OF_A_VERSION = 1000
_MAKE = VERSION * _MAKES_OF_A_VERSION + ANALYSIS_VERSION  # a new version of the analysis reads every file again
_CACHE_KIB = 200_000
_BUSY_SECONDS = 30
# How long a commit waits for readers to leave. While it waits, SQLite lets no new reader in.
_COMMIT_MS = 250
_PAGES = 16_384
GENERATION = "generation"


class InUse(Exception):
    """A reader holds the file that should be written in place; nothing was written."""


class IndexDatabase:
    """A connection for the one writer. Readers open their own with `open_reader`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, is_new: bool) -> None:
        self.path = path
        self.connection = connection
        self.is_new = is_new
        self._is_beside = is_new

    @contextmanager
    def writing(self, *, in_place: bool = True) -> Iterator[sqlite3.Connection]:
        """One transaction; a held snapshot keeps its state.

        Changes are written to the file itself when nobody reads it, otherwise, or with `in_place` off, to a copy that
        replaces it. Raise `InUse` when a reader opens the file meanwhile and keeps it: write again, not in place.
        """
        if not self._is_beside and not (in_place and self._has_no_reader()):
            self._copy()
        with self._interruptible(), self._short_commit_wait(), transaction(self.connection):
            self.set_meta(GENERATION, uuid4().hex)
            yield self.connection
        if self._is_beside:
            self._replace_database()

    def _has_no_reader(self) -> bool:
        """Whether no reader holds the file at this moment."""
        self.connection.execute("PRAGMA busy_timeout = 0")
        try:
            self.connection.execute("BEGIN EXCLUSIVE")
            self.connection.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            return False
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000}")
        return True

    def _copy(self) -> None:
        """Continue with a copy; a partial copy is simply discarded.

        SQLite makes the copy: closing a file that we read ourselves would release the locks of readers in this process.
        """
        self._is_beside = True
        _remove_leftovers(self._beside)
        copy = sqlite3.connect(self._beside)
        try:
            _disable_journal(copy)
            self.connection.backup(copy, pages=_PAGES, progress=lambda *_: current_cancellation().check())
        finally:
            copy.close()
        self.connection.close()
        self.connection = _connect(self._beside)
        _disable_journal(self.connection)

    def _interruptible(self) -> AbstractContextManager[None]:
        """Have a cancelled run abort the statement that is being executed, such as CREATE INDEX."""
        connection = self.connection

        def interrupt() -> None:
            with suppress(sqlite3.ProgrammingError):  # the connection is closed already
                connection.interrupt()

        return current_cancellation().interrupting(interrupt)

    @contextmanager
    def _short_commit_wait(self) -> Iterator[None]:
        if self._is_beside:
            yield
            return
        self.connection.execute(f"PRAGMA busy_timeout = {_COMMIT_MS}")
        try:
            yield
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                raise InUse from error
            raise
        finally:
            self.connection.execute(f"PRAGMA busy_timeout = {_BUSY_SECONDS * 1000}")

    def _replace_database(self) -> None:
        self.connection.close()
        _flush_to_disk(self._beside)
        # Delete the old rollback journal; it must not apply to the new file.
        self.path.with_name(f"{NAME}-journal").unlink(missing_ok=True)
        self._beside.replace(self.path)
        self.connection = _connect(self.path)
        self.is_new = self._is_beside = False

    @property
    def _beside(self) -> Path:
        return self.path.with_suffix(".new")

    def make_indexes(self) -> None:
        for statement in _read_sql("indexes.sql").split(";"):
            self.connection.execute(statement)

    @property
    def seal(self) -> str:
        return self.get_meta("seal")

    def get_meta(self, key: str) -> str:
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def set_meta(self, key: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

    def close(self) -> None:
        self.connection.close()
        if self._is_beside:
            self._beside.unlink(missing_ok=True)


def open_database(folder: Path, seal: str) -> IndexDatabase:
    """Open the index, or create one that takes its place once it is written.

    An index without this user's seal is ignored.

    Raise `StorageError` when the index cannot be read; `new_database` begins again.
    """
    path = folder / NAME
    if not path.exists():
        return create_database(folder, seal)
    try:
        connection = _connect(path)
        if _is_ours(connection, seal):
            return IndexDatabase(path, connection, is_new=False)
        connection.close()
        return create_database(folder, seal)
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{NAME} is damaged: {error}", hint="It is rebuilt.") from error


def create_database(folder: Path, seal: str) -> IndexDatabase:
    path = (folder / NAME).with_suffix(".new")
    _remove_leftovers(path)
    connection = _connect(path)
    _disable_journal(connection)
    connection.executescript(_read_sql("schema.sql"))
    connection.execute(f"PRAGMA user_version = {_MAKE}")
    connection.execute("INSERT INTO meta (key, value) VALUES ('seal', ?)", (seal,))
    return IndexDatabase(folder / NAME, connection, is_new=True)


def open_reader(folder: Path, seal: str) -> sqlite3.Connection | None:
    """A read-only connection, or `None` where there is no index with this user's seal and of this version."""
    path = folder / NAME
    if not path.exists():
        return None
    try:
        connection = read_only(path)
        connection.execute("PRAGMA query_only = ON")
        if _is_ours(connection, seal):
            return connection
        connection.close()
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{NAME} is damaged: {error}", hint="`bottega index` rebuilds it.") from error
    return None


def read_only(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(str(path))}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, check_same_thread=False)
    refuse_programs(connection)
    return connection


def read_old_descriptions(folder: Path, seal: str) -> list[tuple[str, ...]]:
    """Descriptions by models in the index that is about to be replaced: analysing the files does not restore them."""
    path = folder / NAME
    try:
        connection = read_only(path)
        try:
            make = connection.execute("PRAGMA user_version").fetchone()[0]
            if make // _MAKES_OF_A_VERSION != VERSION or not _is_sealed(connection, seal):
                return []
            return connection.execute("SELECT * FROM file_metadata").fetchall()
        finally:
            connection.close()
    except sqlite3.DatabaseError:
        return []


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    refuse_programs(connection)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _remove_leftovers(path: Path) -> None:
    for leftover in (path, path.with_name(path.name + "-journal")):
        leftover.unlink(missing_ok=True)


def _disable_journal(connection: sqlite3.Connection) -> None:
    """Skip the journal for a new file: it is discarded unless it is completed."""
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")


def _flush_to_disk(path: Path) -> None:
    """Flush a file to the disk before it replaces another one."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _is_ours(connection: sqlite3.Connection, seal: str) -> bool:
    return connection.execute("PRAGMA user_version").fetchone()[0] == _MAKE and _is_sealed(connection, seal)


def _is_sealed(connection: sqlite3.Connection, seal: str) -> bool:
    row = connection.execute("SELECT value FROM meta WHERE key = 'seal'").fetchone()
    return row is not None and row[0] == seal


def _read_sql(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
