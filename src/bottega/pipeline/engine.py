"""Carry a pipeline out step by step, so that it can be killed anywhere and go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from bottega import __version__
from bottega.errors import Incomplete, InputError, ReplyRejected
from bottega.journal import Journal, RunRecord, Session
from bottega.models import CallLog, Ceilings, JournalLog, ReplayLog, Roster
from bottega.pipeline.kinds import Kind, State, actions_of
from bottega.pipeline.run import Event, Run, no_events
from bottega.pipeline.spec import Pipeline, StepSpec
from bottega.settings import Limits


@dataclass(frozen=True, slots=True)
class Finished:
    """A run that came to its end."""

    run_id: str
    state: State


@dataclass(slots=True)
class _Position:
    """Where a run stands: `seq` steps are done, the last with `outcome`; `at` is the next, None when it is finished."""

    at: str | None
    seq: int = 0
    outcome: str = ""
    visits: dict[str, int] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {"at": self.at, "seq": self.seq, "outcome": self.outcome, "visits": self.visits}


class Engine:
    """Runs, resumes and replays pipelines of the kinds it knows, with the tools that each kind was given."""

    def __init__(
        self,
        journal: Journal,
        roster: Roster,
        kinds: Mapping[str, Kind],
        tools: Callable[[str], Any],
        *,
        limits: Limits | None = None,
        on_event: Callable[[Event], None] = no_events,
    ) -> None:
        self._journal = journal
        self._roster = roster
        self._kinds = kinds
        self._tools = tools
        self._limits = limits or Limits()
        self._on_event = on_event

    def start(self, pipeline: Pipeline, state: State, *, settings: Mapping[str, Any] | None = None) -> Finished:
        """Begin a run. `settings` is what the record should tell of the settings it ran under."""
        run_id = self._journal.runs.begin(
            pipeline=pipeline.name,
            kind=pipeline.kind,
            definition=pipeline.as_json(),
            state=state.model_dump(mode="json"),
            settings=settings or {},
            version=__version__,
        )
        session = self._journal.sessions.open(run_id)
        position = _Position(pipeline.entry)
        session.put({"position": position.as_json(), "state": state.model_dump(mode="json")})
        self._on_event(Event("run", "", run_id))
        return self._carry_out(run_id, pipeline, state, position, session)

    def resume(self, run_id: str) -> Finished:
        """Go on where a run stopped. Finished calls of the interrupted step are not paid twice."""
        record = self._journal.runs.get(run_id)
        pipeline, kind, state = self._recorded(record)
        if record.status == "done":
            return self._ended(record, kind)
        session = self._journal.sessions.open(record.id)
        record = self._journal.runs.get(record.id)
        if record.status == "done":  # another process ended it before the session was ours
            session.close()
            return self._ended(record, kind)
        saved = session.get("position")
        position = _Position(**saved) if saved else _Position(pipeline.entry)
        stored = session.get("state")
        state = kind.state.model_validate(stored) if stored is not None else state
        self._settle(record, position)
        self._journal.runs.reopen(record.id)
        self._on_event(Event("run", "", record.id))
        return self._carry_out(record.id, pipeline, state, position, session)

    def replay(self, run_id: str) -> Finished:
        """Carry a finished run out again with its recorded replies; nothing is sent and nothing is written.

        Raises `Incomplete` when it does not end byte for byte where the run ended.
        """
        record = self._journal.runs.get(run_id)
        if record.status != "done":
            raise InputError(f"run {record.id} is {record.status}", hint="Only a finished run can be replayed.")
        pipeline, _, state = self._recorded(record)
        position = _Position(pipeline.entry)
        ceilings = self._ceilings(record.id)
        for step in self._journal.runs.steps(record.id):
            if step.status != "done":
                continue
            if step.step_id != position.at:
                raise Incomplete(f"the replay is at {position.at} where the run was at {step.step_id}")
            position.seq = step.seq
            outcome = self._step(record.id, pipeline, state, position, ceilings, replaying=True)
            if outcome != (step.outcome or ""):
                raise Incomplete(f"the replay of {step.step_id} ended in {outcome}, the run in {step.outcome}")
        replayed = self._journal.mask.json(state.model_dump(mode="json"))
        if replayed != record.final_state:
            raise Incomplete("the replay ended in another state than the run", hint="The code has changed since.")
        return Finished(record.id, state)

    def _recorded(self, record: RunRecord) -> tuple[Pipeline, Kind, State]:
        """What a run was begun with. A run outlives versions: one that has lost a part of it refuses."""
        hint = f"It was begun with bottega {record.version}."
        kind = self._kinds.get(record.kind)
        if kind is None:
            raise InputError(f"run {record.id} is of the kind {record.kind}, which this version lacks", hint=hint)
        pipeline = Pipeline.of_json(json.loads(record.definition))
        for step in pipeline.steps.values():
            if step.action not in actions_of(kind):
                raise InputError(f"run {record.id} needs the action {step.action}, which this version lacks", hint=hint)
        try:
            return pipeline, kind, kind.state.model_validate_json(record.input)
        except ValidationError:
            raise InputError(f"run {record.id} began in a state that this version cannot read", hint=hint) from None

    def _ended(self, record: RunRecord, kind: Kind) -> Finished:
        """A finished run; a session that its process did not live to archive is archived now."""
        sessions = self._journal.sessions
        if sessions.exists(record.id) and not sessions.is_alive(record.id):
            sessions.archive(record.id, sessions.open(record.id))
        return Finished(record.id, kind.state.model_validate_json(record.final_state or "{}"))

    def _settle(self, record: RunRecord, position: _Position) -> None:
        """Bring the step table to where the session stands.

        A step that failed because of what a model said is tried as a new step, so that it is asked again.
        """
        rejected = f"{ReplyRejected.__name__}: "
        for step in self._journal.runs.steps(record.id):
            if step.seq == position.seq and step.status != "done":
                self._journal.runs.end_step(record.id, step.seq, outcome=position.outcome)
            if step.seq > position.seq and step.status == "failed" and (step.error or "").startswith(rejected):
                position.seq = step.seq

    def _carry_out(
        self, run_id: str, pipeline: Pipeline, state: State, position: _Position, session: Session
    ) -> Finished:
        with self._ending(run_id, session):
            ceilings = self._ceilings(run_id)
            while position.at is not None:
                self._refuse_endless(pipeline, position)
                position.seq += 1
                step = position.at
                outcome = self._step(run_id, pipeline, state, position, ceilings, replaying=False)
                session.put({"position": position.as_json(), "state": state.model_dump(mode="json")})
                self._journal.runs.end_step(run_id, position.seq, outcome=outcome)
                self._on_event(Event("ended", step, outcome))
        self._journal.runs.end(run_id, "done", final_state=state.model_dump(mode="json"))
        self._journal.sessions.archive(run_id, session)
        return Finished(run_id, state)

    def _step(
        self,
        run_id: str,
        pipeline: Pipeline,
        state: State,
        position: _Position,
        ceilings: Ceilings,
        *,
        replaying: bool,
    ) -> str:
        """Carry out the step at `position` and move it on; the outcome, "" when it was the last."""
        assert position.at is not None
        spec = pipeline.steps[position.at]
        action = actions_of(self._kinds[pipeline.kind])[spec.action]
        position.visits[spec.id] = position.visits.get(spec.id, 0) + 1
        if not replaying:
            self._journal.runs.begin_step(run_id, position.seq, spec.id, spec.action)
            self._journal.notes.forget_step(run_id, position.seq)
            self._on_event(Event("began", spec.id, action.purpose))
        outcome = action.run(state, self._run(run_id, pipeline, spec, position, ceilings, replaying=replaying))
        if action.is_last:
            outcome = ""
        elif outcome not in action.outcomes:
            raise AssertionError(f"{action.name} returned {outcome!r}, which it does not declare")
        position.at = spec.target(outcome)
        position.outcome = outcome
        return outcome

    def _run(
        self,
        run_id: str,
        pipeline: Pipeline,
        spec: StepSpec,
        position: _Position,
        ceilings: Ceilings,
        *,
        replaying: bool,
    ) -> Run[Any]:
        kind = self._kinds[pipeline.kind]
        action = actions_of(kind)[spec.action]
        make_log: type[JournalLog] = ReplayLog if replaying else JournalLog
        log: CallLog = make_log(self._journal.calls, self._journal.mask, run_id, position.seq)
        return Run(
            id=run_id,
            seq=position.seq,
            step=spec.id,
            visits=position.visits[spec.id],
            tools=self._tools(kind.name),
            journal=self._journal,
            roster=self._roster,
            log=log,
            ceilings=ceilings,
            params=action.params.model_validate(dict(spec.params)),
            settings=kind.settings.model_validate(dict(pipeline.settings)),
            on_event=self._on_event if not replaying else no_events,
            replaying=replaying,
        )

    def _ceilings(self, run_id: str) -> Ceilings:
        """For the steps of one sitting together, with what earlier sittings used."""
        used = self._journal.runs.usage(run_id)
        return Ceilings(self._limits, tokens=used.prompt_tokens + used.completion_tokens, cost=used.cost)

    def _refuse_endless(self, pipeline: Pipeline, position: _Position) -> None:
        if sum(position.visits.values()) >= pipeline.max_steps:
            raise Incomplete(
                f"the run took {pipeline.max_steps} steps without coming to an end",
                hint="Raise settings.max_steps of the pipeline if that was meant.",
            )

    @contextmanager
    def _ending(self, run_id: str, session: Session) -> Iterator[None]:
        """Whatever happens, the journal says how the run stands and the session stays for a resume."""
        try:
            yield
        except BaseException as problem:
            with closing(session):
                self._note_failure(run_id, problem)
            raise

    def _note_failure(self, run_id: str, problem: BaseException) -> None:
        """Errors and bugs fail a run; what is neither (Ctrl-C, an exit) interrupts it."""
        is_failure = isinstance(problem, Exception)
        status = "failed" if is_failure else "interrupted"
        error = f"{type(problem).__name__}: {problem}" if is_failure else "interrupted"
        for step in self._journal.runs.steps(run_id):
            if step.status == "running":
                self._journal.runs.end_step(run_id, step.seq, error=error)
        self._journal.runs.end(run_id, status, error=error)
