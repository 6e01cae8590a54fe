"""A cache of analyses by content, shared by branches and worktrees."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from bottega.errors import StorageError
from bottega.home import FileLock, refuse_programs
from bottega.index.analyse import VERSION
from bottega.index.database import read_only

_SCHEMA = """
CREATE TABLE IF NOT EXISTS analyses (
  key BLOB PRIMARY KEY,
  language TEXT NOT NULL,
  role TEXT NOT NULL,
  note TEXT NOT NULL,
  used INTEGER NOT NULL,
  data BLOB NOT NULL
);
CREATE TABLE IF NOT EXISTS seal (value TEXT NOT NULL);
"""
_MAKE = 2
_DAY = 86_400
_KEPT_DAYS = 30


def analysis_key(content: str, language: str, path_role: str, masking: str) -> bytes:
    """The cache key: the analysis depends on content, language and role, but not on the path.

    `masking` is what masking the secrets depends on beside the content.
    """
    text = f"{VERSION}\0{content}\0{language}\0{path_role}\0{masking}"
    return blake2b(text.encode(), digest_size=16).digest()


class LostAnalyses(StorageError):
    """The cache cannot be read; its files are analysed again."""


class MissingAnalyses(StorageError):
    """The cache lacks an analysis that the index refers to; a rebuild analyses the file again."""

    def __init__(self) -> None:
        super().__init__("analyses of the index are missing", hint="`bottega index --rebuild` reads them again.")


class CachedAnalysis(NamedTuple):
    """The analysis of some content. `data` is empty for files that are not ranked."""

    key: bytes
    language: str
    role: str
    note: str
    data: bytes


class AnalysisCache:
    """The cache in blobs.sqlite. It only saves work and may be deleted at any time."""

    def __init__(self, path: Path, seal: str) -> None:
        self.path = path
        with FileLock(path.with_suffix(".lock")):  # of several processes that start at once, one creates the file
            self._connection = _open(path, seal)
        self._today = int(time.time()) // _DAY

    def get(self, key: bytes) -> CachedAnalysis | None:
        with _translate_errors():
            row = self._connection.execute(
                "SELECT language, role, note, data FROM analyses WHERE key = ?", (key,)
            ).fetchone()
        return CachedAnalysis(key, *row) if row else None

    def read_data(self, keys: Iterable[bytes]) -> Iterator[bytes]:
        """The data under each key, in order. Raise `MissingAnalyses` for a key that is not there."""
        return _read_data(self._connection, keys)

    @property
    def is_empty(self) -> bool:
        with _translate_errors():
            return self._connection.execute("SELECT 1 FROM analyses LIMIT 1").fetchone() is None

    def put(self, rows: Iterable[CachedAnalysis]) -> None:
        with _translate_errors(), self._connection:
            self._connection.executemany(
                "INSERT OR REPLACE INTO analyses (key, language, role, note, used, data) VALUES (?, ?, ?, ?, ?, ?)",
                ((row.key, row.language, row.role, row.note, self._today, row.data) for row in rows),
            )

    def forget_old(self, kept: Iterable[bytes]) -> None:
        """Delete analyses that no index has used for a month; `kept` are in use now."""
        with _translate_errors(), self._connection:
            self._connection.executemany(
                "UPDATE analyses SET used = ? WHERE key = ? AND used < ?",
                ((self._today, key, self._today) for key in kept),
            )
            self._connection.execute("DELETE FROM analyses WHERE used < ?", (self._today - _KEPT_DAYS,))

    def close(self) -> None:
        self._connection.close()


def read_analyses(path: Path, keys: Iterable[bytes]) -> Iterator[bytes]:
    """As `AnalysisCache.read_data`, for another process while the index is being written."""
    connection = read_only(path)
    try:
        yield from _read_data(connection, keys)
    finally:
        connection.close()


def _read_data(connection: sqlite3.Connection, keys: Iterable[bytes]) -> Iterator[bytes]:
    for key in keys:
        with _translate_errors():
            row = connection.execute("SELECT data FROM analyses WHERE key = ?", (key,)).fetchone()
        if row is None:
            raise MissingAnalyses
        yield row[0]


def remove_cache(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Raise `LostAnalyses` for a damaged file; errors of a full or locked disk pass."""
    try:
        yield
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        raise LostAnalyses(f"blobs.sqlite is damaged: {error}", hint="It is rebuilt.") from error


def _open(path: Path, seal: str) -> sqlite3.Connection:
    """Open the cache; one that is damaged, of another version or without this user's seal is deleted."""
    try:
        connection = _connect(path)
        is_made = connection.execute("PRAGMA user_version").fetchone()[0] == _MAKE
        if is_made and connection.execute("SELECT value FROM seal").fetchone() == (seal,):
            return connection
        connection.close()
    except sqlite3.DatabaseError:
        pass
    remove_cache(path)
    connection = _connect(path)
    connection.executescript(_SCHEMA)
    connection.execute("INSERT INTO seal VALUES (?)", (seal,))
    connection.execute(f"PRAGMA user_version = {_MAKE}")
    connection.commit()
    return connection


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=30)
    refuse_programs(connection)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection
