"""Model calls in SQLite, written before they are sent."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from bottega.journal.database import Database
from bottega.journal.ids import new_id, now
from bottega.journal.records import CallPlace, CallRecord, CallTiming
from bottega.journal.secrets import Masker

# Of a large journal only the newest calls are read; ids grow with time.
_RECENT = 5000


class SqliteCallStore:
    """The tables `calls` and `attempts`."""

    def __init__(self, database: Database, mask: Masker) -> None:
        self._database = database
        self._mask = mask

    def completed(self, place: CallPlace) -> CallRecord | None:
        with self._database.reading() as db:
            row = db.execute(
                "SELECT * FROM calls WHERE run_id = ? AND seq = ? AND request_hash = ? AND nth = ?"
                " AND status = 'completed' ORDER BY sent_at LIMIT 1",
                (place.run_id, place.seq, place.request_hash, place.nth),
            ).fetchone()
        return _read_call(row) if row else None

    def send(
        self, place: CallPlace, *, stage: str, role: str, model: str, request: Mapping[str, Any], prompt_version: str
    ) -> str:
        call_id = new_id()
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO calls (id, run_id, seq, request_hash, nth, stage, role, model, request, prompt_version,"
                " status, sent_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'sent', ?)",
                (
                    *(call_id, place.run_id, place.seq, place.request_hash, place.nth, stage, role, model),
                    *(self._mask.json(request), prompt_version, now()),
                ),
            )
        return call_id

    def complete(
        self,
        call_id: str,
        *,
        reply: str,
        thinking: str,
        tool_calls: list[dict[str, Any]],
        finish: str,
        prompt_tokens: int | None,
        completion_tokens: int | None,
        latency_ms: int,
        cost: float | None,
        usage_is_estimated: bool = False,
    ) -> None:
        with self._database.writing() as db:
            db.execute(
                "UPDATE calls SET status = 'completed', reply = ?, thinking = ?, tool_calls = ?, finish = ?,"
                " prompt_tokens = ?, completion_tokens = ?, usage_is_estimated = ?, latency_ms = ?, cost = ?,"
                " ended_at = ? WHERE id = ?",
                (
                    *(self._mask(reply), self._mask(thinking), self._mask.json(tool_calls), finish),
                    *(prompt_tokens, completion_tokens, usage_is_estimated, latency_ms, cost, now(), call_id),
                ),
            )

    def fail(self, call_id: str, error: str) -> None:
        with self._database.writing() as db:
            db.execute(
                "UPDATE calls SET status = 'failed', error = ?, ended_at = ? WHERE id = ?",
                (self._mask(error), now(), call_id),
            )

    def attempt(self, call_id: str, n: int, *, started_at: str, error: str | None) -> None:
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO attempts (call_id, n, error, started_at, ended_at) VALUES (?, ?, ?, ?, ?)",
                (call_id, n, self._mask(error) if error else None, started_at, now()),
            )

    def rule(self, call_id: str, verdict: str, reason: str) -> None:
        with self._database.writing() as db:
            db.execute(
                "UPDATE calls SET verdict = ?, verdict_reason = ? WHERE id = ?", (verdict, self._mask(reason), call_id)
            )

    def of_run(self, run_id: str) -> list[CallRecord]:
        with self._database.reading() as db:
            rows = db.execute("SELECT * FROM calls WHERE run_id = ? ORDER BY seq, sent_at, id", (run_id,)).fetchall()
        return list(map(_read_call, rows))

    def timings(self, model: str, limit: int) -> list[CallTiming]:
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT prompt_tokens, completion_tokens, latency_ms FROM"
                " (SELECT id, model, status, prompt_tokens, completion_tokens, usage_is_estimated, latency_ms"
                " FROM calls ORDER BY id DESC LIMIT ?) AS recent"
                " WHERE model = ? AND status = 'completed' AND usage_is_estimated = 0 AND prompt_tokens IS NOT NULL"
                " AND completion_tokens IS NOT NULL AND latency_ms IS NOT NULL ORDER BY id DESC LIMIT ?",
                (_RECENT, model, limit),
            ).fetchall()
        return [CallTiming(prompt, reply, latency_ms / 1000) for prompt, reply, latency_ms in rows]


def _read_call(row: sqlite3.Row) -> CallRecord:
    values = dict(row)
    return CallRecord(**{**values, "usage_is_estimated": bool(values["usage_is_estimated"])})
