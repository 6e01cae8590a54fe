"""curated.sqlite: opened, filled, replaced, and made anew when it is damaged."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from urllib.parse import quote

from bottega.errors import StorageError
from bottega.index.analyse import VERSION as ANALYSIS_VERSION
from bottega.journal.store import refuse_programs, transaction

# Raised with every change of schema.sql and of what is written from the same analyses: an index of another version is
# made anew, never migrated.
VERSION = 4
NAME = "curated.sqlite"
_MAKES_OF_A_VERSION = 1000
_MAKE = VERSION * _MAKES_OF_A_VERSION + ANALYSIS_VERSION  # what was read differently is read again
_CACHE_KIB = 200_000
_BUSY_SECONDS = 30


class Curated:
    """A connection for the one writer. Readers open their own with `open_reader`."""

    def __init__(self, path: Path, connection: sqlite3.Connection, *, is_new: bool) -> None:
        self.path = path
        self.connection = connection
        self.is_new = is_new

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """All or nothing. A new index appears under its name only when it is whole."""
        with transaction(self.connection):
            yield self.connection
        if self.is_new:
            self.connection.close()
            _settle(self.path.with_suffix(".new"))
            # What a killed writer left to undo belongs to the old file, and must not be done to the new one.
            self.path.with_name(f"{NAME}-journal").unlink(missing_ok=True)
            self.path.with_suffix(".new").replace(self.path)
            self.connection = _connected(self.path)
            self.is_new = False

    def make_indexes(self) -> None:
        for statement in _sql("indexes.sql").split(";"):
            self.connection.execute(statement)

    @property
    def seal(self) -> str:
        return self.meta("seal")

    def meta(self, key: str) -> str:
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""

    def set_meta(self, key: str, value: str) -> None:
        self.connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, value))

    def close(self) -> None:
        self.connection.close()
        if self.is_new:
            self.path.with_suffix(".new").unlink(missing_ok=True)


def open_curated(folder: Path, seal: str) -> Curated:
    """The index as it stands, or a new one that takes its place once it is written.

    One without this person's seal came from somewhere else, and is not believed.

    Raise `StorageError` when what stands there cannot be read; `new_curated` begins again.
    """
    path = folder / NAME
    if not path.exists():
        return new_curated(folder, seal)
    try:
        connection = _connected(path)
        if _is_ours(connection, seal):
            return Curated(path, connection, is_new=False)
        connection.close()
        return new_curated(folder, seal)
    except sqlite3.DatabaseError as error:
        raise StorageError(f"{NAME} is damaged: {error}", hint="It is made anew.") from error


def new_curated(folder: Path, seal: str) -> Curated:
    path = (folder / NAME).with_suffix(".new")
    for leftover in (path, path.with_name(path.name + "-journal")):
        leftover.unlink(missing_ok=True)
    connection = _connected(path)
    connection.execute("PRAGMA journal_mode = OFF")
    connection.execute("PRAGMA synchronous = OFF")
    connection.executescript(_sql("schema.sql"))
    connection.execute(f"PRAGMA user_version = {_MAKE}")
    connection.execute("INSERT INTO meta (key, value) VALUES ('seal', ?)", (seal,))
    return Curated(folder / NAME, connection, is_new=True)


def open_reader(folder: Path, seal: str) -> sqlite3.Connection | None:
    """A connection that cannot write, or `None` where there is no index of this person and version."""
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
        raise StorageError(f"{NAME} is damaged: {error}", hint="`bottega index` makes it anew.") from error
    return None


def read_only(path: Path) -> sqlite3.Connection:
    uri = f"file:{quote(str(path))}?mode=ro"
    connection = sqlite3.connect(uri, uri=True, timeout=_BUSY_SECONDS, check_same_thread=False)
    refuse_programs(connection)
    return connection


def descriptions_before(folder: Path, seal: str) -> list[tuple[str, ...]]:
    """What models said of files in the index that is about to be replaced: reading the files does not bring it back."""
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


def _connected(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    refuse_programs(connection)
    connection.execute("PRAGMA journal_mode = DELETE")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _settle(path: Path) -> None:
    """Have the disk hold all of a file before it takes another one's name."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _is_ours(connection: sqlite3.Connection, seal: str) -> bool:
    return connection.execute("PRAGMA user_version").fetchone()[0] == _MAKE and _is_sealed(connection, seal)


def _is_sealed(connection: sqlite3.Connection, seal: str) -> bool:
    row = connection.execute("SELECT value FROM meta WHERE key = 'seal'").fetchone()
    return row is not None and row[0] == seal


def _sql(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
