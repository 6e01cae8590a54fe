"""Runs in flight: one small SQLite file each, a table of keys, archived into the journal at the end."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bottega.errors import InputError
from bottega.journal.ids import now
from bottega.journal.locks import FileLock
from bottega.journal.secrets import Masker
from bottega.journal.store import Store, connect, make_private_directory, storage_errors, transaction


class Session:
    """Keys and JSON values of one run. Everything in one `put` is there together or not at all."""

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
        rows = [(key, self._stored(key, value), now()) for key, value in values.items()]
        with storage_errors(self.path), transaction(self._db):
            self._db.executemany("INSERT OR REPLACE INTO kv (key, value, updated_at) VALUES (?, ?, ?)", rows)

    def _stored(self, key: str, value: Any) -> str:
        return self._mask.structure(value) if key == "position" else self._mask.json(value)

    def get(self, key: str) -> Any:
        """None when the key is absent."""
        with storage_errors(self.path):
            row = self._db.execute("SELECT value FROM kv WHERE key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    def keys(self, prefix: str = "") -> list[str]:
        with storage_errors(self.path):
            rows = self._db.execute(
                "SELECT key FROM kv WHERE substr(key, 1, ?) = ? ORDER BY key", (len(prefix), prefix)
            )
            return [row[0] for row in rows]

    def close(self) -> None:
        """Leave the file for a later resume."""
        self._db.close()
        self._lock.release()


class Sessions:
    """The folder of sessions. A session is locked while its process lives, so a dead one can be told."""

    def __init__(self, folder: Path, store: Store, mask: Masker) -> None:
        self._folder = folder
        self._store = store
        self._mask = mask

    def open(self, run_id: str) -> Session:
        with storage_errors(self._folder):
            make_private_directory(self._folder)
            lock = FileLock(self._folder / f"{run_id}.lock")
            if not lock.take():
                raise InputError(f"run {run_id} is being carried out by another process", hint="Wait for it to end.")
        try:
            return Session(self._file(run_id), self._mask, lock)
        except BaseException:
            lock.release()
            raise

    def exists(self, run_id: str) -> bool:
        return self._file(run_id).exists()

    def is_alive(self, run_id: str) -> bool:
        """Whether some process is carrying the run out right now."""
        path = self._folder / f"{run_id}.lock"
        if not path.exists():
            return False
        lock = FileLock(path)
        free = lock.take()
        lock.release()
        return not free

    def forget(self, known: Callable[[str], bool]) -> None:
        """Delete the files of runs that the journal no longer knows."""
        for path in self._folder.glob("*.sqlite"):
            if not known(path.stem) and not self.is_alive(path.stem):
                self._delete(path.stem)

    def archive(self, run_id: str, session: Session) -> None:
        """Close the session, keep its bytes in the journal, delete its files."""
        path = self._file(run_id)
        try:
            with storage_errors(path):
                session._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # noqa: SLF001 - the folder owns its files
            session._db.close()  # noqa: SLF001 - the lock is held until the files are gone
            with self._store.writing() as db:
                db.execute(
                    "INSERT OR IGNORE INTO session_archives (run_id, session, archived_at) VALUES (?, ?, ?)",
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
