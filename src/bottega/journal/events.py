"""Events of runs, numbered by whoever carries the run out."""

from __future__ import annotations

from collections.abc import Sequence

from bottega.journal.database import Database
from bottega.journal.records import Event
from bottega.journal.secrets import Masker


class SqliteEventStore:
    """The table `events`."""

    def __init__(self, database: Database, mask: Masker) -> None:
        self._database = database
        self._mask = mask

    def add(self, events: Sequence[Event]) -> None:
        rows = [
            (
                *(event.run, event.seq, event.at, event.step, event.kind),
                *(self._mask(event.name), self._mask(event.text), event.done, event.total),
            )
            for event in events
        ]
        with self._database.writing() as db:
            db.executemany(
                "INSERT INTO events (run_id, seq, at, step, kind, name, text, done, total)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )

    def after(self, run_id: str, seq: int, limit: int = 1000) -> list[Event]:
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT run_id AS run, seq, at, step, kind, name, text, done, total FROM events"
                " WHERE run_id = ? AND seq > ? ORDER BY seq LIMIT ?",
                (run_id, seq, limit),
            ).fetchall()
        return [Event(**dict(row)) for row in rows]

    def last(self, run_id: str) -> int:
        with self._database.reading() as db:
            row = db.execute("SELECT coalesce(max(seq), 0) FROM events WHERE run_id = ?", (run_id,)).fetchone()
        return int(row[0])
