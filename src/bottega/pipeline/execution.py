"""Execute the steps of one run, in one process."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bottega.journal import Journal
from bottega.models import CallLog, Ceilings, ReplayLog, Roster
from bottega.pipeline.call_events import EventCallLog
from bottega.pipeline.events import EventLog
from bottega.pipeline.kinds import Kind, State, actions_of
from bottega.pipeline.run import Run
from bottega.pipeline.spec import Pipeline, StepSpec


@dataclass(slots=True)
class Position:
    """How far a run is: `seq` steps are done, the last with `outcome`; `at` is the next step, None after the last."""

    at: str | None
    seq: int = 0
    outcome: str = ""
    visits: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {"at": self.at, "seq": self.seq, "outcome": self.outcome, "visits": self.visits}


@dataclass(frozen=True, slots=True)
class Execution:
    """What is the same for all steps that one process executes of a run."""

    run_id: str
    pipeline: Pipeline
    kind: Kind
    state: State
    tools: Any
    journal: Journal
    roster: Roster
    ceilings: Ceilings
    events: EventLog
    is_replay: bool = False

    def run_step(self, position: Position) -> str:
        """Run the step at `position`, advance the position, and return the outcome; "" after the last step."""
        assert position.at is not None
        spec = self.pipeline.steps[position.at]
        action = actions_of(self.kind)[spec.action]
        position.visits[spec.id] = position.visits.get(spec.id, 0) + 1
        if not self.is_replay:
            self.journal.runs.begin_step(self.run_id, position.seq, spec.id, spec.action)
            self.journal.notes.forget_step(self.run_id, position.seq)
            self.events.emit("began", spec.id, text=action.purpose)
        outcome = action.run(self.state, self._create_run(spec, position))
        if action.is_last:
            outcome = ""
        elif outcome not in action.outcomes:
            raise AssertionError(f"{action.name} returned {outcome!r}, which it does not declare")
        position.at = spec.target(outcome)
        position.outcome = outcome
        return outcome

    def _create_run(self, spec: StepSpec, position: Position) -> Run[Any]:
        action = actions_of(self.kind)[spec.action]
        return Run(
            id=self.run_id,
            seq=position.seq,
            step=spec.id,
            visits=position.visits[spec.id],
            tools=self.tools,
            journal=self.journal,
            roster=self.roster,
            log=self._create_call_log(spec, position),
            ceilings=self.ceilings,
            params=action.params.model_validate(dict(spec.params)),
            settings=self.kind.settings.model_validate(dict(self.pipeline.settings)),
            events=self.events,
            replaying=self.is_replay,
        )

    def _create_call_log(self, spec: StepSpec, position: Position) -> CallLog:
        calls, mask = self.journal.calls, self.journal.mask
        if self.is_replay:
            return ReplayLog(calls, mask, self.run_id, position.seq)
        return EventCallLog(calls, mask, self.run_id, position.seq, events=self.events, step=spec.id)
