"""Sessions in memory: a claim holds between all journals over the same records."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from bottega.errors import InputError
from bottega.journal import Masker, SessionHandle
from bottega.journal.sessions import masked_value
from bottega.testing.memory.records import MemoryRecords


class MemorySession:
    """Implements `SessionHandle`."""

    def __init__(self, records: MemoryRecords, mask: Masker, run_id: str) -> None:
        self._records = records
        self._mask = mask
        self._run_id = run_id
        self._is_open = True

    def put(self, values: Mapping[str, Any]) -> None:
        stored = {key: masked_value(self._mask, key, value) for key, value in values.items()}
        with self._records.lock:
            self._records.sessions[self._run_id].update(stored)

    def get(self, key: str) -> Any:
        with self._records.lock:
            text = self._records.sessions[self._run_id].get(key)
        return None if text is None else json.loads(text)

    def keys(self, prefix: str = "") -> list[str]:
        with self._records.lock:
            return sorted(key for key in self._records.sessions[self._run_id] if key.startswith(prefix))

    def close(self) -> None:
        with self._records.lock:
            if self._is_open:
                self._records.claims.discard(self._run_id)
            self._is_open = False


class MemorySessionStore:
    """Implements `SessionStore`."""

    def __init__(self, records: MemoryRecords, mask: Masker) -> None:
        self._records = records
        self._mask = mask

    def open(self, run_id: str) -> MemorySession:
        with self._records.lock:
            if run_id in self._records.claims:
                raise InputError(f"run {run_id} is being carried out by another process", hint="Wait for it to end.")
            self._records.claims.add(run_id)
            self._records.sessions.setdefault(run_id, {})
        return MemorySession(self._records, self._mask, run_id)

    def exists(self, run_id: str) -> bool:
        return run_id in self._records.sessions

    def is_alive(self, run_id: str) -> bool:
        return run_id in self._records.claims

    def forget(self, is_known: Callable[[str], bool]) -> None:
        with self._records.lock:
            for run_id in list(self._records.sessions):
                if not is_known(run_id) and not self.is_alive(run_id):
                    del self._records.sessions[run_id]

    def archive(self, run_id: str, session: SessionHandle) -> None:
        try:
            with self._records.lock:
                self._records.rows(run_id)
                self._records.archives.setdefault(run_id, self._records.sessions.pop(run_id))
        finally:
            session.close()
