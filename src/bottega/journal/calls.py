"""Model calls: written before they are sent, completed or failed after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bottega.journal.ids import new_id, now
from bottega.journal.records import CallRecord
from bottega.journal.secrets import Masker
from bottega.journal.store import Store


@dataclass(frozen=True, slots=True)
class CallPlace:
    """Which call of a run: equal requests of one step are counted."""

    run_id: str
    seq: int
    request_hash: str
    nth: int


class Calls:
    def __init__(self, store: Store, mask: Masker) -> None:
        self._store = store
        self._mask = mask

    def completed(self, place: CallPlace) -> CallRecord | None:
        with self._store.reading() as db:
            row = db.execute(
                "SELECT * FROM calls WHERE run_id = ? AND seq = ? AND request_hash = ? AND nth = ?"
                " AND status = 'completed' ORDER BY sent_at LIMIT 1",
                (place.run_id, place.seq, place.request_hash, place.nth),
            ).fetchone()
        return CallRecord(**dict(row)) if row else None

    def send(
        self, place: CallPlace, *, stage: str, role: str, model: str, request: Mapping[str, Any], prompt_version: str
    ) -> str:
        """Write ahead; the id under which the call is completed or failed."""
        call_id = new_id()
        with self._store.writing() as db:
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
    ) -> None:
        with self._store.writing() as db:
            db.execute(
                "UPDATE calls SET status = 'completed', reply = ?, thinking = ?, tool_calls = ?, finish = ?,"
                " prompt_tokens = ?, completion_tokens = ?, latency_ms = ?, cost = ?, ended_at = ? WHERE id = ?",
                (
                    *(self._mask(reply), self._mask(thinking), self._mask.json(tool_calls), finish),
                    *(prompt_tokens, completion_tokens, latency_ms, cost, now(), call_id),
                ),
            )

    def fail(self, call_id: str, error: str) -> None:
        with self._store.writing() as db:
            db.execute(
                "UPDATE calls SET status = 'failed', error = ?, ended_at = ? WHERE id = ?",
                (self._mask(error), now(), call_id),
            )

    def attempt(self, call_id: str, n: int, *, started_at: str, error: str | None) -> None:
        with self._store.writing() as db:
            db.execute(
                "INSERT INTO attempts (call_id, n, error, started_at, ended_at) VALUES (?, ?, ?, ?, ?)",
                (call_id, n, self._mask(error) if error else None, started_at, now()),
            )

    def rule(self, call_id: str, verdict: str, reason: str) -> None:
        """Whether the reply kept its contract: `accepted` or `refused`."""
        with self._store.writing() as db:
            db.execute(
                "UPDATE calls SET verdict = ?, verdict_reason = ? WHERE id = ?", (verdict, self._mask(reason), call_id)
            )

    def of_run(self, run_id: str) -> list[CallRecord]:
        with self._store.reading() as db:
            rows = db.execute("SELECT * FROM calls WHERE run_id = ? ORDER BY seq, sent_at, id", (run_id,)).fetchall()
        return [CallRecord(**dict(row)) for row in rows]
