"""Runs and what belongs to one: steps, model calls, notes, events. All of it is removed with its run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bottega.journal.records import CallPlace, CallRecord, CallTiming, Event, Note, RunRecord, StepRecord, Usage


class RunStore(Protocol):
    """Runs and their steps; statuses are running, done, failed, interrupted and cancelled."""

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
        """Record a new running run and return its id; raise `RecordConflict` when a given `run_id` is taken."""

    def reopen(self, run_id: str) -> None:
        """Set a run to running again, without its error, its end and any cancel request."""

    def end(
        self, run_id: str, status: str, *, error: str | None = None, final_state: Mapping[str, Any] | None = None
    ) -> None:
        """Record how a run ended; raise `RecordConflict` for a status that does not exist."""

    def request_cancel(self, run_id: str) -> None:
        """Ask whichever process carries the run out to stop; raise `InputError` when the run is not running."""

    def is_cancel_requested(self, run_id: str) -> bool:
        """Whether a cancel was requested since the run began or was last reopened; False for an unknown run."""

    def begin_step(self, run_id: str, seq: int, step_id: str, action: str) -> None:
        """Record that a step is running; a step of this number that was recorded before starts over."""

    def end_step(self, run_id: str, seq: int, *, outcome: str | None = None, error: str | None = None) -> None:
        """Record that a step is done, or has failed when there is an error."""

    def get(self, run_id: str) -> RunRecord:
        """Find a run by id, by a prefix or suffix of it, or `last`; raise `InputError` unless exactly one matches."""

    def exists(self, run_id: str) -> bool:
        """Whether a run of exactly this id is recorded."""

    def newest(self, limit: int, *, status: str | None = None, pipeline: str | None = None) -> list[RunRecord]:
        """Runs from the newest to the oldest; `pipeline` is the name of a pipeline or of a kind."""

    def steps(self, run_id: str) -> list[StepRecord]:
        """The steps of a run in the order of their numbers."""

    def usage(self, run_id: str) -> Usage:
        """What the completed calls of a run used together."""

    def collect(self, *, before: str, keep: int) -> int:
        """Delete ended runs begun before a moment, except the newest `keep` runs; return how many were deleted."""


class CallStore(Protocol):
    """Model calls: written before they are sent, so that none is lost when the process dies."""

    def send(
        self, place: CallPlace, *, stage: str, role: str, model: str, request: Mapping[str, Any], prompt_version: str
    ) -> str:
        """Record a call as sent and return its id; raise `RecordConflict` when the run does not exist."""

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
        """Record the reply of a call."""

    def fail(self, call_id: str, error: str) -> None:
        """Record that a call got no reply."""

    def attempt(self, call_id: str, n: int, *, started_at: str, error: str | None) -> None:
        """Record one attempt of a call; raise `RecordConflict` when attempt `n` is recorded already."""

    def rule(self, call_id: str, verdict: str, reason: str) -> None:
        """Record whether a reply met its contract: `accepted` or `refused`."""

    def completed(self, place: CallPlace) -> CallRecord | None:
        """The first completed call at a place, or `None`."""

    def of_run(self, run_id: str) -> list[CallRecord]:
        """The calls of a run by step, then in the order in which they were sent."""

    def timings(self, model: str, limit: int) -> list[CallTiming]:
        """At most `limit` completed calls of a model, the newest first; very old ones may be left out."""


class NoteStore(Protocol):
    """What happened around the calls of a run: effects, decisions, validations and outcomes."""

    def effect(self, run_id: str, seq: int, name: str, nth: int) -> str | None:
        """The recorded result of an effect as JSON text, or `None`."""

    def record_effect(self, run_id: str, seq: int, name: str, nth: int, value: Any) -> str:
        """Store the result of an effect and return it as stored, as JSON text; raise `RecordConflict` when taken."""

    def forget_step(self, run_id: str, seq: int) -> None:
        """Delete the decisions and validations of a step that starts over; its effects stay."""

    def decide(self, run_id: str, seq: int, name: str, value: Any, reason: str) -> None:
        """Record a decision and why it was taken."""

    def validate(self, run_id: str, seq: int, checker: str, result: str, detail: str) -> None:
        """Record the result of a check: `passed`, `failed` or `unknown`."""

    def outcome(self, run_id: str, name: str, value: str, detail: str) -> None:
        """Record what became of the result of a run, in place of an earlier outcome of this name."""

    def of_run(self, run_id: str) -> list[Note]:
        """The notes of a run by step, then by time; outcomes come last."""


class EventStore(Protocol):
    """What a run reported while it was carried out, for whoever watches it from another thread or process."""

    def add(self, events: Sequence[Event]) -> None:
        """Store all events or none; raise `RecordConflict` when a number is taken or a run does not exist."""

    def after(self, run_id: str, seq: int, limit: int = 1000) -> list[Event]:
        """At most `limit` events with a greater number than `seq`, in the order of their numbers."""

    def last(self, run_id: str) -> int:
        """The greatest number among the events of a run; 0 when there are none."""
