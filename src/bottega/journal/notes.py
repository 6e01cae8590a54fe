"""Effects, decisions, validations and outcomes in SQLite."""

from __future__ import annotations

from typing import Any

from bottega.journal.database import Database
from bottega.journal.ids import now
from bottega.journal.records import Note
from bottega.journal.secrets import Masker


class SqliteNoteStore:
    """The tables `effects`, `decisions`, `validations` and `outcomes`."""

    def __init__(self, database: Database, mask: Masker) -> None:
        self._database = database
        self._mask = mask

    def effect(self, run_id: str, seq: int, name: str, nth: int) -> str | None:
        with self._database.reading() as db:
            row = db.execute(
                "SELECT value FROM effects WHERE run_id = ? AND seq = ? AND name = ? AND nth = ?",
                (run_id, seq, name, nth),
            ).fetchone()
        return str(row["value"]) if row else None

    def record_effect(self, run_id: str, seq: int, name: str, nth: int, value: Any) -> str:
        text = self._mask.json(value)
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO effects (run_id, seq, name, nth, value, at) VALUES (?, ?, ?, ?, ?, ?)",
                (run_id, seq, name, nth, text, now()),
            )
        return text

    def forget_step(self, run_id: str, seq: int) -> None:
        with self._database.writing() as db:
            db.execute("DELETE FROM decisions WHERE run_id = ? AND seq = ?", (run_id, seq))
            db.execute("DELETE FROM validations WHERE run_id = ? AND seq = ?", (run_id, seq))

    def decide(self, run_id: str, seq: int, name: str, value: Any, reason: str) -> None:
        self._insert("decisions", run_id, seq, name, self._mask.json(value), self._mask(reason))

    def validate(self, run_id: str, seq: int, checker: str, result: str, detail: str) -> None:
        self._insert("validations", run_id, seq, checker, result, self._mask(detail))

    def outcome(self, run_id: str, name: str, value: str, detail: str) -> None:
        with self._database.writing() as db:
            db.execute("DELETE FROM outcomes WHERE run_id = ? AND name = ?", (run_id, name))
            db.execute(
                "INSERT INTO outcomes (run_id, name, value, detail, at) VALUES (?, ?, ?, ?, ?)",
                (run_id, name, self._mask(value), self._mask(detail), now()),
            )

    def of_run(self, run_id: str) -> list[Note]:
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT seq, 'decision' AS what, name, value, reason, at FROM decisions WHERE run_id = :run"
                " UNION ALL SELECT seq, 'validation', checker, result, detail, at FROM validations WHERE run_id = :run"
                " UNION ALL SELECT seq, 'effect', name, value, '', at FROM effects WHERE run_id = :run"
                " UNION ALL SELECT 1000000, 'outcome', name, value, detail, at FROM outcomes WHERE run_id = :run"
                " ORDER BY seq, at",
                {"run": run_id},
            ).fetchall()
        return [Note(**dict(row)) for row in rows]

    def _insert(self, table: str, run_id: str, seq: int, name: str, value: str, reason: str) -> None:
        with self._database.writing() as db:
            db.execute(
                f"INSERT INTO {table} VALUES (?, ?, ?, ?, ?, ?)",  # noqa: S608 - one of two names above
                (run_id, seq, name, value, reason, now()),
            )
