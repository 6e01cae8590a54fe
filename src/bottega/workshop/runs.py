"""The verbs about runs: list them, tell one, remove old ones."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, ClassVar, Literal

from pydantic import Field

from bottega.amounts import plural
from bottega.errors import InputError
from bottega.journal import CallRecord, Note, RunRecord, StepRecord, Usage
from bottega.verbs import FrozenValue, Verb, VerbRequest, VerbResult
from bottega.workshop.invocation import Invocation
from bottega.workshop.run_text import render_line, render_story

Status = Literal["running", "done", "failed", "interrupted", "cancelled"]
_JSON_FIELDS = ("definition", "input", "settings", "final_state")


class RunsRequest(VerbRequest):
    """List runs, the newest first."""

    verb: ClassVar[str] = "runs"
    uses_models: ClassVar[bool] = False

    limit: int = Field(20, ge=1, le=1_000_000)
    status: Status | None = Field(None, description="only these")
    pipeline: str = Field("", description="only runs of this pipeline or kind")


class RunEntry(FrozenValue):
    """A run as its record tells it. `status` is interrupted where the process that carried it out is gone."""

    id: str
    pipeline: str
    kind: str
    status: Status
    error: str | None
    version: str
    created_at: str
    ended_at: str | None
    definition: dict[str, Any] | None
    input: dict[str, Any] | None
    settings: dict[str, Any] | None
    final_state: dict[str, Any] | None
    usage: Usage


class RunsResult(VerbResult):
    runs: tuple[RunEntry, ...]

    def render(self, form: str = "text") -> str:
        del form
        return "".join(render_line(run) for run in self.runs) or "no runs yet\n"


class RunRequest(VerbRequest):
    """Tell one run with its steps, calls and notes."""

    verb: ClassVar[str] = "runs.show"
    uses_models: ClassVar[bool] = False

    run: str = Field(description="its id, a unique part of it, or `last`")


class RunResult(VerbResult):
    run: RunEntry
    steps: tuple[StepRecord, ...]
    calls: tuple[CallRecord, ...]
    decisions: tuple[Note, ...] = Field(description="decisions, validations, effects and outcomes, in their order")

    def render(self, form: str = "text", *, calls: bool = False) -> str:
        del form
        return render_story(self.run, self.steps, self.calls, self.decisions, with_calls=calls)


class CollectRequest(VerbRequest):
    """Remove old runs; the newest and those under way always stay."""

    verb: ClassVar[str] = "runs.collect"
    uses_models: ClassVar[bool] = False

    days: int | None = Field(None, ge=1, le=36500, description="older than this; the setting journal.keep_days if none")
    keep: int | None = Field(None, ge=0, description="keep at least so many; the setting journal.keep_runs if none")


class CollectResult(VerbResult):
    removed: int

    def render(self, form: str = "text") -> str:
        del form
        return f"{plural(self.removed, 'run')} removed\n"


def list_runs(request: RunsRequest, house: Invocation) -> RunsResult:
    if not house.has_journal:
        return RunsResult(runs=())
    records = house.journal.runs.newest(request.limit, status=request.status, pipeline=request.pipeline or None)
    return RunsResult(runs=tuple(_describe(record, house) for record in records))


def show_run(request: RunRequest, house: Invocation) -> RunResult:
    if not house.has_journal:
        raise InputError(f"there is no run {request.run}", hint="Nothing was done here yet.")
    journal = house.journal
    record = journal.runs.get(request.run)
    return RunResult(
        run=_describe(record, house),
        steps=tuple(journal.runs.steps(record.id)),
        calls=tuple(journal.calls.of_run(record.id)),
        decisions=tuple(journal.notes.of_run(record.id)),
    )


def collect_runs(request: CollectRequest, house: Invocation) -> CollectResult:
    settings = house.settings.journal
    days = settings.keep_days if request.days is None else request.days
    keep = settings.keep_runs if request.keep is None else request.keep
    if not days:
        return CollectResult(removed=0)
    before = (datetime.now(UTC) - timedelta(days=days)).isoformat()
    return CollectResult(removed=house.journal.collect(before=before, keep=keep))


def _describe(record: RunRecord, house: Invocation) -> RunEntry:
    return RunEntry.model_validate(
        {
            "id": record.id,
            "pipeline": record.pipeline,
            "kind": record.kind,
            "status": house.journal.status_of(record),
            "error": record.error,
            "version": record.version,
            "created_at": record.created_at,
            "ended_at": record.ended_at,
            "usage": house.journal.runs.usage(record.id),
            **{name: _content(getattr(record, name)) for name in _JSON_FIELDS},
        }
    )


def _content(text: str | None) -> dict[str, Any] | None:
    """JSON of the journal; what is damaged is shown as such rather than hiding all the rest."""
    if not text:
        return None
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    return value if isinstance(value, dict) else {"damaged": text}


RUNS = Verb(RunsRequest, RunsResult, list_runs)
RUNS_SHOW = Verb(RunRequest, RunResult, show_run)
RUNS_COLLECT = Verb(CollectRequest, CollectResult, collect_runs)
