"""Runs and steps in SQLite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bottega.errors import InputError
from bottega.journal.database import Database
from bottega.journal.ids import new_id, now
from bottega.journal.records import RunRecord, StepRecord, Usage
from bottega.journal.secrets import Masker

_ID_LENGTH = 36


class SqliteRunStore:
    """The tables `runs` and `steps`."""

    def __init__(self, database: Database, mask: Masker) -> None:
        self._database = database
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
        run_id = run_id or new_id()
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO runs (id, pipeline, kind, definition, input, settings, status, version, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, 'running', ?, ?)",
                (
                    *(run_id, pipeline, kind, self._mask.structure(definition)),
                    *(self._mask.json(state), self._mask.json(settings), version, now()),
                ),
            )
        return run_id

    def reopen(self, run_id: str) -> None:
        with self._database.writing() as db:
            db.execute(
                "UPDATE runs SET status = 'running', error = NULL, ended_at = NULL, cancel_requested_at = NULL"
                " WHERE id = ?",
                (run_id,),
            )

    def end(
        self, run_id: str, status: str, *, error: str | None = None, final_state: Mapping[str, Any] | None = None
    ) -> None:
        error = self._mask(error) if error else None
        state = self._mask.json(final_state) if final_state is not None else None
        with self._database.writing() as db:
            db.execute(
                "UPDATE runs SET status = ?, error = ?, final_state = ?, ended_at = ? WHERE id = ?",
                (status, error, state, now(), run_id),
            )

    def request_cancel(self, run_id: str) -> None:
        with self._database.writing() as db:
            requested = db.execute(
                "UPDATE runs SET cancel_requested_at = coalesce(cancel_requested_at, ?)"
                " WHERE id = ? AND status = 'running'",
                (now(), run_id),
            )
        if not requested.rowcount:
            raise InputError(f"run {run_id} is not running", hint="`bottega runs` lists them.")

    def is_cancel_requested(self, run_id: str) -> bool:
        with self._database.reading() as db:
            row = db.execute("SELECT cancel_requested_at FROM runs WHERE id = ?", (run_id,)).fetchone()
        return row is not None and row["cancel_requested_at"] is not None

    def begin_step(self, run_id: str, seq: int, step_id: str, action: str) -> None:
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO steps (run_id, seq, step_id, action, status, started_at) VALUES (?, ?, ?, ?, 'running', ?)"
                " ON CONFLICT (run_id, seq) DO UPDATE SET status = 'running', error = NULL, ended_at = NULL",
                (run_id, seq, step_id, action, now()),
            )

    def end_step(self, run_id: str, seq: int, *, outcome: str | None = None, error: str | None = None) -> None:
        status = "failed" if error else "done"
        with self._database.writing() as db:
            db.execute(
                "UPDATE steps SET status = ?, outcome = ?, error = ?, ended_at = ? WHERE run_id = ? AND seq = ?",
                (status, outcome, self._mask(error) if error else None, now(), run_id, seq),
            )

    def get(self, run_id: str) -> RunRecord:
        found = self.newest(1) if run_id == "last" else self._named(run_id)
        if len(found) == 1:
            return found[0]
        if found:
            raise InputError(f"{run_id} fits several runs", hint="Give more characters of the id.")
        raise InputError(f"there is no run {run_id}", hint="`bottega runs` lists them.")

    def exists(self, run_id: str) -> bool:
        return bool(self._select("WHERE id = ?", (run_id,)))

    def newest(self, limit: int, *, status: str | None = None, pipeline: str | None = None) -> list[RunRecord]:
        wanted = [("status = ?", status), ("(pipeline = ? OR kind = ?)", pipeline)]
        clauses = [clause for clause, value in wanted if value is not None]
        values = [value for clause, value in wanted if value is not None for _ in range(clause.count("?"))]
        where = f"WHERE {' AND '.join(clauses)}" if clauses else ""
        return self._select(f"{where} ORDER BY created_at DESC LIMIT ?", (*values, limit))

    def steps(self, run_id: str) -> list[StepRecord]:
        with self._database.reading() as db:
            rows = db.execute("SELECT * FROM steps WHERE run_id = ? ORDER BY seq", (run_id,)).fetchall()
        return [StepRecord(**dict(row)) for row in rows]

    def usage(self, run_id: str) -> Usage:
        with self._database.reading() as db:
            row = db.execute(
                "SELECT count(*), coalesce(sum(prompt_tokens), 0), coalesce(sum(completion_tokens), 0),"
                " sum(cost), count(*) - count(cost), coalesce(max(usage_is_estimated), 0)"
                " FROM calls WHERE run_id = ? AND status = 'completed'",
                (run_id,),
            ).fetchone()
        calls, prompt, completion, cost, unknown, is_estimated = row
        return Usage(calls, prompt, completion, (cost or 0.0) if not unknown else None, bool(is_estimated))

    def collect(self, *, before: str, keep: int) -> int:
        with self._database.writing() as db:
            done = db.execute(
                "DELETE FROM runs WHERE status != 'running' AND created_at < ? AND id NOT IN"
                " (SELECT id FROM runs ORDER BY created_at DESC LIMIT ?)",
                (before, keep),
            )
        return done.rowcount

    def _named(self, part: str) -> list[RunRecord]:
        if not 0 < len(part) <= _ID_LENGTH or not set(part) <= set("0123456789abcdef-"):
            return []
        if whole := self._select("WHERE id = ?", (part,)):
            return whole
        return self._select("WHERE id LIKE ? OR id LIKE ? LIMIT 5", (f"{part}%", f"%{part}"))

    def _select(self, rest: str, values: Sequence[object]) -> list[RunRecord]:
        with self._database.reading() as db:
            rows = db.execute(f"SELECT * FROM runs {rest}", tuple(values)).fetchall()  # noqa: S608 - clauses are ours
        return [RunRecord(**dict(row)) for row in rows]
