"""The history of `write` in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from bottega.journal import HISTORY_FIELDS, Masker
from bottega.testing.memory.records import MemoryRecords

_LATELY = 50


class MemoryHistoryStore:
    """Implements `HistoryStore` with lists of at most `max_entries` lines, of which `max_files` are kept."""

    def __init__(self, records: MemoryRecords, mask: Masker, *, max_entries: int, max_files: int) -> None:
        self._records = records
        self._mask = mask
        self._max_entries = max_entries
        self._max_files = max_files

    def append(self, record: Mapping[str, Any]) -> None:
        if tuple(record) != HISTORY_FIELDS:
            raise ValueError(f"a history record has the fields {HISTORY_FIELDS}")
        line = self._mask.json(record)
        with self._records.lock:
            files = self._records.history
            if files and line in files[-1][-_LATELY:]:
                return
            if not files or len(files[-1]) >= self._max_entries:
                files.append([])
            files[-1].append(line)
            if self._max_files:
                del files[: -self._max_files]

    def newest(self) -> Iterator[dict[str, Any]]:
        with self._records.lock:
            lines = [line for file in self._records.history for line in file]
        for line in reversed(lines):
            yield json.loads(line)
