"""Runs and steps in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from bottega.errors import InputError
from bottega.journal import Masker, RecordConflict, RunRecord, StepRecord, Usage, new_id, now
from bottega.testing.memory.records import MemoryRecords, RunRows

_STATUSES = {"running", "done", "failed", "interrupted", "cancelled"}


class MemoryRunStore:
    """Implements `RunStore`."""

    def __init__(self, records: MemoryRecords, mask: Masker) -> None:
        self._records = records
        self._mask = mask

    def begin(
        self,
        *,
        pipeline: str,
        kind: str,
        definition: Mapping[str, Any],
        state: Mapping[str, Any],
        settings: Mapping[str, Any],
        version: str,
        run_id: str = "",
    ) -> str:
        run = RunRecord(
            id=run_id or new_id(),
            pipeline=pipeline,
            kind=kind,
            definition=self._mask.structure(definition),
            input=self._mask.json(state),
            settings=self._mask.json(settings),
            status="running",
            error=None,
            final_state=None,
            version=version,
            created_at=now(),
            ended_at=None,
        )
        with self._records.lock:
            if run.id in self._records.runs:
                raise RecordConflict(f"run {run.id} exists")
            self._records.runs[run.id] = RunRows(run)
        return run.id

    def reopen(self, run_id: str) -> None:
        self._change(run_id, status="running", error=None, ended_at=None, cancel_requested_at=None)

    def end(
        self, run_id: str, status: str, *, error: str | None = None, final_state: Mapping[str, Any] | None = None
    ) -> None:
        if status not in _STATUSES:
            raise RecordConflict(f"{status} is no status of a run")
        masked = self._mask(error) if error else None
        state = self._mask.json(final_state) if final_state is not None else None
        self._change(run_id, status=status, error=masked, final_state=state, ended_at=now())

    def request_cancel(self, run_id: str) -> None:
        with self._records.lock:
            rows = self._records.runs.get(run_id)
            if rows is None or rows.run.status != "running":
                raise InputError(f"run {run_id} is not running", hint="`bottega runs` lists them.")
            self._change(run_id, cancel_requested_at=rows.run.cancel_requested_at or now())

    def is_cancel_requested(self, run_id: str) -> bool:
        rows = self._records.runs.get(run_id)
        return rows is not None and rows.run.cancel_requested_at is not None

    def begin_step(self, run_id: str, seq: int, step_id: str, action: str) -> None:
        step = StepRecord(run_id, seq, step_id, action, "running", None, None, now(), None)
        with self._records.lock:
            steps = self._records.rows(run_id).steps
            if (known := steps.get(seq)) is not None:
                step = replace(known, status="running", error=None, ended_at=None)
            steps[seq] = step

    def end_step(self, run_id: str, seq: int, *, outcome: str | None = None, error: str | None = None) -> None:
        masked = self._mask(error) if error else None
        status = "failed" if error else "done"
        with self._records.lock:
            rows = self._records.runs.get(run_id)
            if rows is not None and seq in rows.steps:
                ended = replace(rows.steps[seq], status=status, outcome=outcome, error=masked, ended_at=now())
                rows.steps[seq] = ended

    def get(self, run_id: str) -> RunRecord:
        found = self.newest(1) if run_id == "last" else self._named(run_id)
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(f"{run_id} fits several runs", hint="Give more characters of the id.")
        raise InputError(f"there is no run {run_id}", hint="`bottega runs` lists them.")

    def exists(self, run_id: str) -> bool:
        return run_id in self._records.runs

    def newest(self, limit: int, *, status: str | None = None, pipeline: str | None = None) -> list[RunRecord]:
        with self._records.lock:
            runs = [rows.run for rows in self._records.runs.values()]
        matching = [
            run
            for run in reversed(runs)
            if status in (None, run.status) and (pipeline is None or pipeline in (run.pipeline, run.kind))
        ]
        return sorted(matching, key=lambda run: run.created_at, reverse=True)[:limit]

    def steps(self, run_id: str) -> list[StepRecord]:
        with self._records.lock:
            rows = self._records.runs.get(run_id)
            return [] if rows is None else [rows.steps[seq] for seq in sorted(rows.steps)]

    def usage(self, run_id: str) -> Usage:
        with self._records.lock:
            rows = self._records.runs.get(run_id)
            calls = [] if rows is None else [call for call in rows.calls.values() if call.status == "completed"]
        costs = [call.cost for call in calls if call.cost is not None]
        return Usage(
            len(calls),
            sum(call.prompt_tokens or 0 for call in calls),
            sum(call.completion_tokens or 0 for call in calls),
            sum(costs) if len(costs) == len(calls) else None,
            any(call.usage_is_estimated for call in calls),
        )

    def collect(self, *, before: str, keep: int) -> int:
        with self._records.lock:
            newest = self.newest(len(self._records.runs))
            old = [run for run in newest[keep:] if run.status != "running" and run.created_at < before]
            for run in old:
                del self._records.runs[run.id]
                self._records.archives.pop(run.id, None)
        return len(old)

    def _change(self, run_id: str, **values: Any) -> None:
        with self._records.lock:
            rows = self._records.runs.get(run_id)
            if rows is not None:
                rows.run = replace(rows.run, **values)

    def _named(self, part: str) -> list[RunRecord]:
        with self._records.lock:
            if part in self._records.runs:
                return [self._records.runs[part].run]
            names = [name for name in self._records.runs if part and (name.startswith(part) or name.endswith(part))]
            return [self._records.runs[name].run for name in names]
