"""Model calls in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bottega.journal import CallPlace, CallRecord, CallTiming, Masker, RecordConflict, new_id, now
from bottega.testing.memory.records import MemoryRecords, RunRows


class MemoryCallStore:
    """Implements `CallStore`."""

    def __init__(self, records: MemoryRecords, mask: Masker) -> None:
        self._records = records
        self._mask = mask

    def send(
        self, place: CallPlace, *, stage: str, role: str, model: str, request: Mapping[str, Any], prompt_version: str
    ) -> str:
        unanswered = dict.fromkeys(
            (
                *("reply", "thinking", "tool_calls", "finish", "prompt_tokens", "completion_tokens", "latency_ms"),
                *("cost", "error", "verdict", "verdict_reason", "ended_at"),
            )
        )
        call = CallRecord(
            id=new_id(),
            run_id=place.run_id,
            seq=place.seq,
            request_hash=place.request_hash,
            nth=place.nth,
            stage=stage,
            role=role,
            model=model,
            request=self._mask.json(request),
            prompt_version=prompt_version,
            status="sent",
            sent_at=now(),
            usage_is_estimated=False,
            **unanswered,
        )
        with self._records.lock:
            self._records.rows(place.run_id).calls[call.id] = call
        return call.id

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
        self._change(
            call_id,
            status="completed",
            reply=self._mask(reply),
            thinking=self._mask(thinking),
            tool_calls=self._mask.json(tool_calls),
            finish=finish,
            prompt_tokens=prompt_tokens,
            completion_tokens=completion_tokens,
            usage_is_estimated=usage_is_estimated,
            latency_ms=latency_ms,
            cost=cost,
            ended_at=now(),
        )

    def fail(self, call_id: str, error: str) -> None:
        self._change(call_id, status="failed", error=self._mask(error), ended_at=now())

    def attempt(self, call_id: str, n: int, *, started_at: str, error: str | None) -> None:  # noqa: ARG002 - no reader
        with self._records.lock:
            rows = self._rows_of(call_id)
            if rows is None or (call_id, n) in rows.attempts:
                raise RecordConflict(f"attempt {n} of call {call_id} is taken, or there is no such call")
            rows.attempts.add((call_id, n))

    def rule(self, call_id: str, verdict: str, reason: str) -> None:
        if verdict not in {"accepted", "refused"}:
            raise RecordConflict(f"{verdict} is no verdict")
        self._change(call_id, verdict=verdict, verdict_reason=self._mask(reason))

    def completed(self, place: CallPlace) -> CallRecord | None:
        for call in self.of_run(place.run_id):
            if call.status == "completed" and place == CallPlace(call.run_id, call.seq, call.request_hash, call.nth):
                return call
        return None

    def of_run(self, run_id: str) -> list[CallRecord]:
        with self._records.lock:
            rows = self._records.runs.get(run_id)
            calls = [] if rows is None else list(rows.calls.values())
        return sorted(calls, key=lambda call: (call.seq, call.sent_at))

    def timings(self, model: str, limit: int) -> list[CallTiming]:
        with self._records.lock:
            calls = [call for rows in self._records.runs.values() for call in rows.calls.values()]
        told = [
            CallTiming(call.prompt_tokens, call.completion_tokens, call.latency_ms / 1000)
            for call in sorted(calls, key=lambda call: call.id, reverse=True)
            if call.model == model and call.status == "completed" and not call.usage_is_estimated
            if call.prompt_tokens is not None and call.completion_tokens is not None and call.latency_ms is not None
        ]
        return told[:limit]

    def _change(self, call_id: str, **values: Any) -> None:
        with self._records.lock:
            rows = self._rows_of(call_id)
            if rows is not None:
                rows.calls[call_id] = replace(rows.calls[call_id], **values)

    def _rows_of(self, call_id: str) -> RunRows | None:
        return next((rows for rows in self._records.runs.values() if call_id in rows.calls), None)
