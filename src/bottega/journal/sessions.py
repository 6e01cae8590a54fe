"""Sessions of runs: one small SQLite file each, archived into the journal when the run is done."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from bottega.errors import InputError
from bottega.home import FileLock, make_private_directory, transaction
from bottega.journal.database import Database, connect
from bottega.journal.failures import storage_errors
from bottega.journal.ids import now
from bottega.journal.protocols import SessionHandle
from bottega.journal.secrets import Masker

_ATTEMPTS, _PAUSE = 50, 0.002


class SqliteSession:
    """The table `kv` of one file, with the lock that claims the run."""

    def __init__(self, path: Path, mask: Masker, lock: FileLock) -> None:
        self.path = path
        self._mask = mask
        self._lock = lock
        with storage_errors(path):
            self._db = connect(path)
            try:
                self._db.execute(
                    "CREATE TABLE IF NOT EXISTS kv"
                    " (key TEXT PRIMARY KEY, value TEXT NOT NULL, updated_at TEXT NOT NULL)"
                )
            except BaseException:
                self._db.close()
                raise

    def put(self, values: Mapping[str, Any]) -> None:
        rows = [(key, masked_value(self._mask, key, value), now()) for key, value in values.items()]
        with storage_errors(self.path), transaction(self._db):
            self._db.executemany(
                "INSERT INTO kv (key, value, updated_at) VALUES (?, ?, ?)"
                " ON CONFLICT (key) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
                rows,
            )

    def get(self, key: str) -> Any:
        with storage_errors(self.path):
            row = self._db.execute("SELECT value FROM kv WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def keys(self, prefix: str = "") -> list[str]:
        with storage_errors(self.path):
            rows = self._db.execute(
                "SELECT key FROM kv WHERE substr(key, 1, ?) = ? ORDER BY key", (len(prefix), prefix)
            )
            return [row[0] for row in rows]

    def finish(self) -> None:
        """Move every value from the WAL into the file and close it; the run stays claimed until `close`."""
        with storage_errors(self.path):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._db.close()

    def close(self) -> None:
        self._db.close()
        self._lock.release()


def _take_patiently(lock: FileLock) -> bool:
    """Try for a moment: `is_alive` of another process holds the lock while it looks."""
    for _ in range(_ATTEMPTS):
        if lock.take():
            return True
        time.sleep(_PAUSE)
    return False


def masked_value(mask: Masker, key: str, value: Any) -> str:
    """The JSON text to store; the position of a run holds names of steps, whose keys must stay as they are."""
    return mask.structure(value) if key == "position" else mask.json(value)


class SqliteSessionStore:
    """A folder with a database and a lock file per run; the system releases the lock when its holder dies."""

    def __init__(self, folder: Path, database: Database, mask: Masker) -> None:
        self._folder = folder
        self._database = database
        self._mask = mask
        self._open: WeakValueDictionary[str, SqliteSession] = WeakValueDictionary()

    def open(self, run_id: str) -> SqliteSession:
        with storage_errors(self._folder):
            make_private_directory(self._folder)
            lock = FileLock(self._folder / f"{run_id}.lock")
            if not _take_patiently(lock):
                raise InputError(f"run {run_id} is being carried out by another process", hint="Wait for it to end.")
        try:
            session = SqliteSession(self._file(run_id), self._mask, lock)
        except BaseException:
            lock.release()
            raise
        self._open[run_id] = session
        return session

    def exists(self, run_id: str) -> bool:
        return self._file(run_id).exists()

    def is_alive(self, run_id: str) -> bool:
        return FileLock(self._folder / f"{run_id}.lock").is_held()

    def forget(self, is_known: Callable[[str], bool]) -> None:
        for path in self._folder.glob("*.sqlite"):
            if not is_known(path.stem) and not self.is_alive(path.stem):
                self._delete(path.stem)

    def archive(self, run_id: str, session: SessionHandle) -> None:
        """Store the bytes of the session's file in the table `session_archives` and delete its files."""
        path = self._file(run_id)
        try:
            self._open[run_id].finish()
            with self._database.writing() as db:
                db.execute(
                    "INSERT INTO session_archives (run_id, session, archived_at) VALUES (?, ?, ?)"
                    " ON CONFLICT (run_id) DO NOTHING",
                    (run_id, path.read_bytes(), now()),
                )
            self._delete(run_id)
        finally:
            session.close()

    def _delete(self, run_id: str) -> None:
        for ending in (".sqlite", ".sqlite-wal", ".sqlite-shm", ".lock"):
            (self._folder / f"{run_id}{ending}").unlink(missing_ok=True)

    def _file(self, run_id: str) -> Path:
        return self._folder / f"{run_id}.sqlite"
