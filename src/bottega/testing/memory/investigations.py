"""Investigations in memory."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bottega.errors import InputError, StorageError
from bottega.journal import Masker, Shelf, new_id
from bottega.journal.investigations import sign_value
from bottega.testing.memory.records import MemoryInvestigation, MemoryRecords


class MemoryInvestigationStore:
    """Implements `InvestigationStore`; values that have a name of their own are on the shelf ""."""

    def __init__(self, records: MemoryRecords, mask: Masker) -> None:
        self._records = records
        self._mask = mask

    def open(self, target: str, *, fresh: bool = False) -> str:
        with self._records.lock:
            name = self._records.targets.get(target, "")
            if fresh or name not in self._records.investigations:
                name = self._records.targets[target] = new_id()
                self._records.investigations[name] = MemoryInvestigation()
            return name

    def all(self) -> dict[str, str]:
        with self._records.lock:
            return dict(self._records.targets)

    def forget(self, target: str = "") -> int:
        with self._records.lock:
            names = [name for known, name in self._records.targets.items() if known == target]
            forgotten = names if target else list(self._records.investigations)
            for name in forgotten:
                del self._records.investigations[name]
            kept = {known: name for known, name in self._records.targets.items() if target and known != target}
            self._records.targets = kept
        return len(forgotten)

    def reports(self, target: str) -> dict[str, str]:
        with self._records.lock:
            return dict(self._records.reports.get(target, {}))

    def note_report(self, target: str, path: str, digest: str) -> None:
        with self._records.lock:
            self._records.reports.setdefault(target, {})[path] = digest

    def read(self, name: str, file: str) -> Any:
        return self._read(name, "", file)

    def write(self, name: str, file: str, value: Mapping[str, Any]) -> None:
        self._write(name, "", file, value)

    def entry(self, name: str, shelf: Shelf, path: str) -> Any:
        return self._read(name, shelf, path)

    def put(self, name: str, shelf: Shelf, path: str, value: Mapping[str, Any]) -> None:
        self._write(name, shelf, path, value)

    def entries(self, name: str, shelf: Shelf) -> Iterator[Any]:
        with self._records.lock:
            paths = [key for known, key in self._find_or_empty(name).values if known == shelf]
            entries = [entry for path in paths if (entry := self._read(name, shelf, path)) is not None]
        yield from sorted(entries, key=lambda entry: str(entry.get("relative_path", "")))

    def drop(self, name: str, shelf: Shelf, kept: Sequence[str]) -> None:
        with self._records.lock:
            values = self._find_or_empty(name).values
            for key in [key for key in values if key[0] == shelf and key[1] not in kept]:
                del values[key]

    def lines(self, name: str, file: str) -> list[Any]:
        with self._records.lock:
            return [json.loads(line) for line in self._find_or_empty(name).lists.get(file, [])]

    def append(self, name: str, file: str, value: Mapping[str, Any]) -> None:
        line = self._mask.json(value)
        with self._records.lock:
            self._existing(name).lists.setdefault(file, []).append(line)

    def rewrite(self, name: str, file: str, values: Sequence[Mapping[str, Any]]) -> None:
        lines = [self._mask.json(value) for value in values]
        with self._records.lock:
            self._existing(name).lists[file] = lines

    def _read(self, name: str, shelf: str, key: str) -> Any:
        with self._records.lock:
            stored = self._find_or_empty(name).values.get((shelf, key))
        if stored is None:
            return None
        value = json.loads(stored[0])
        return value if stored[1] == sign_value(key, value, self._records.seal_key) else None

    def _write(self, name: str, shelf: str, key: str, value: Mapping[str, Any]) -> None:
        text = self._mask.json(dict(value))
        seal = sign_value(key, json.loads(text), self._records.seal_key)
        with self._records.lock:
            self._existing(name).values[shelf, key] = (text, seal)

    def _existing(self, name: str) -> MemoryInvestigation:
        self._find_or_empty(name)
        if name not in self._records.investigations:
            raise StorageError(f"investigation {name} is gone", hint="Run the investigation again.")
        return self._records.investigations[name]

    def _find_or_empty(self, name: str) -> MemoryInvestigation:
        """The investigation, or one without values when it was deleted."""
        if len(name) != len(new_id()):
            raise InputError(f"{name[:80]!r} cannot name an investigation")
        return self._records.investigations.get(name, MemoryInvestigation())
