"""Notes and events in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bottega.journal import Event, Masker, Note, RecordConflict, now
from bottega.testing.memory.records import MemoryRecords

_AFTER_ALL_STEPS = 1_000_000


class MemoryNoteStore:
    """Implements `NoteStore`."""

    def __init__(self, records: MemoryRecords, mask: Masker) -> None:
        self._records = records
        self._mask = mask

    def effect(self, run_id: str, seq: int, name: str, nth: int) -> str | None:
        with self._records.lock:
            rows = self._records.runs.get(run_id)
            return None if rows is None else rows.effects.get((seq, name, nth))

    def record_effect(self, run_id: str, seq: int, name: str, nth: int, value: Any) -> str:
        text = self._mask.json(value)
        with self._records.lock:
            rows = self._records.rows(run_id)
            if (seq, name, nth) in rows.effects:
                raise RecordConflict(f"effect {name} {nth} of step {seq} is recorded")
            rows.effects[seq, name, nth] = text
            rows.notes.append(Note(seq, "effect", name, text, "", now()))
        return text

    def forget_step(self, run_id: str, seq: int) -> None:
        with self._records.lock:
            rows = self._records.runs.get(run_id)
            if rows is not None:
                rows.notes[:] = [note for note in rows.notes if note.seq != seq or note.what == "effect"]

    def decide(self, run_id: str, seq: int, name: str, value: Any, reason: str) -> None:
        self._add(run_id, Note(seq, "decision", name, self._mask.json(value), self._mask(reason), now()))

    def validate(self, run_id: str, seq: int, checker: str, result: str, detail: str) -> None:
        if result not in {"passed", "failed", "unknown"}:
            raise RecordConflict(f"{result} is no result of a check")
        self._add(run_id, Note(seq, "validation", checker, result, self._mask(detail), now()))

    def outcome(self, run_id: str, name: str, value: str, detail: str) -> None:
        with self._records.lock:
            notes = self._records.rows(run_id).notes
            notes[:] = [note for note in notes if note.what != "outcome" or note.name != name]
            self._add(run_id, Note(_AFTER_ALL_STEPS, "outcome", name, self._mask(value), self._mask(detail), now()))

    def of_run(self, run_id: str) -> list[Note]:
        with self._records.lock:
            rows = self._records.runs.get(run_id)
            return [] if rows is None else sorted(rows.notes, key=lambda note: (note.seq, note.at))

    def _add(self, run_id: str, note: Note) -> None:
        with self._records.lock:
            self._records.rows(run_id).notes.append(note)


class MemoryEventStore:
    """Implements `EventStore`."""

    def __init__(self, records: MemoryRecords, mask: Masker) -> None:
        self._records = records
        self._mask = mask

    def add(self, events: Sequence[Event]) -> None:
        masked = [replace(event, name=self._mask(event.name), text=self._mask(event.text)) for event in events]
        with self._records.lock:
            keys = [(event.run, event.seq) for event in events]
            if len(set(keys)) < len(keys) or any(seq in self._records.rows(run).events for run, seq in keys):
                raise RecordConflict("the number of an event is taken")
            for event in masked:
                self._records.rows(event.run).events[event.seq] = event

    def after(self, run_id: str, seq: int, limit: int = 1000) -> list[Event]:
        with self._records.lock:
            rows = self._records.runs.get(run_id)
            events = {} if rows is None else rows.events
            return [events[number] for number in sorted(events) if number > seq][:limit]

    def last(self, run_id: str) -> int:
        with self._records.lock:
            rows = self._records.runs.get(run_id)
            return 0 if rows is None else max(rows.events, default=0)
