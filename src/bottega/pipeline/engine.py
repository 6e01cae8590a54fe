"""Run, resume and replay pipelines; the journal holds what a resume needs after a kill at any moment."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from typing import Any

from pydantic import ValidationError

from bottega import __version__
from bottega.cancellation import current_cancellation
from bottega.errors import Incomplete, InputError, ReplyRejected, describe_end
from bottega.journal import Journal, RunRecord, SessionHandle, new_id
from bottega.models import Ceilings, Roster
from bottega.pipeline.events import EventLog
from bottega.pipeline.execution import Execution, Position
from bottega.pipeline.kinds import Finished, Kind, State, actions_of
from bottega.pipeline.spec import Pipeline
from bottega.settings import Limits


class Engine:
    """Runs, resumes and replays pipelines of the known kinds; `open_tools` opens the tools of a kind's actions.

    `check` raises where a pipeline cannot run here; it is called before a run is recorded, and before one goes on.
    """

    def __init__(
        self,
        journal: Journal,
        roster: Roster,
        kinds: Mapping[str, Kind],
        open_tools: Callable[[Kind], AbstractContextManager[Any]],
        *,
        limits: Limits | None = None,
        check: Callable[[Pipeline], None] = lambda _: None,
    ) -> None:
        self._journal = journal
        self._roster = roster
        self._kinds = kinds
        self._open_tools = open_tools
        self._limits = limits or Limits()
        self._check = check

    def start(
        self,
        pipeline: Pipeline,
        state: State,
        *,
        settings: Mapping[str, Any] | None = None,
        events: EventLog | None = None,
    ) -> Finished:
        """Start a run under the id of `events` and execute it; `settings` is recorded with the run."""
        self._check(pipeline)
        events = events or EventLog(new_id())
        run_id = self._journal.runs.begin(
            run_id=events.run_id,
            pipeline=pipeline.name,
            kind=pipeline.kind,
            definition={**pipeline.as_json(), "subject": self._kinds[pipeline.kind].subject},
            state=state.model_dump(mode="json"),
            settings=settings or {},
            version=__version__,
        )
        session = self._journal.sessions.open(run_id)
        position = Position(pipeline.entry)
        session.put({"position": position.as_json(), "state": state.model_dump(mode="json")})
        return self._execute(pipeline, state, position, session, events)

    def resume(self, run_id: str, *, events: EventLog | None = None) -> Finished:
        """Continue a run where it stopped; calls that the interrupted step finished are not sent again."""
        record = self._journal.runs.get(run_id)
        pipeline, kind, state = self._load_recorded(record)
        if record.status == "done":
            return self._load_finished(record, kind)
        self._check(pipeline)
        session = self._journal.sessions.open(record.id)
        record = self._journal.runs.get(record.id)
        if record.status == "done":  # another process finished it before this one opened the session
            session.close()
            return self._load_finished(record, kind)
        saved = session.get("position")
        position = Position(**saved) if saved else Position(pipeline.entry)
        stored = session.get("state")
        state = kind.state.model_validate(stored) if stored is not None else state
        self._reconcile_steps(record, position)
        self._journal.runs.reopen(record.id)
        events = events or EventLog(record.id, last=self._journal.events.last(record.id))
        return self._execute(pipeline, state, position, session, events)

    def replay(self, run_id: str) -> Finished:
        """Execute a finished run again with its recorded replies; nothing is sent and nothing is written.

        Raises `Incomplete` when its steps or its final state differ from the run's.
        """
        record = self._journal.runs.get(run_id)
        if record.status != "done":
            status = self._journal.status_of(record)
            raise InputError(f"run {record.id} is {status}", hint="Only a finished run can be replayed.")
        pipeline, kind, state = self._load_recorded(record)
        position = Position(pipeline.entry)
        with self._open_tools(kind) as tools:
            execution = self._create_execution(pipeline, kind, state, tools, EventLog(record.id), is_replay=True)
            for step in self._journal.runs.steps(record.id):
                if step.status != "done":
                    continue
                if step.step_id != position.at:
                    raise Incomplete(f"the replay is at {position.at} where the run was at {step.step_id}")
                position.seq = step.seq
                outcome = execution.run_step(position)
                if outcome != (step.outcome or ""):
                    raise Incomplete(f"the replay of {step.step_id} ended in {outcome}, the run in {step.outcome}")
        replayed = self._journal.mask.json(state.model_dump(mode="json"))
        if replayed != record.final_state:
            raise Incomplete("the replay ended in another state than the run", hint="The code has changed since.")
        return Finished(record.id, state)

    def _load_recorded(self, record: RunRecord) -> tuple[Pipeline, Kind, State]:
        """The pipeline, kind and first state of a run; raises `InputError` where this version lacks a part of them."""
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

    def _load_finished(self, record: RunRecord, kind: Kind) -> Finished:
        """A finished run; its session is archived now if its process was killed before that."""
        sessions = self._journal.sessions
        if sessions.exists(record.id) and not sessions.is_alive(record.id):
            sessions.archive(record.id, sessions.open(record.id))
        return Finished(record.id, kind.state.model_validate_json(record.final_state or "{}"))

    def _reconcile_steps(self, record: RunRecord, position: Position) -> None:
        """Make the journal's steps agree with the session.

        A step that failed by a rejected reply is tried as a new step, so that the model is asked again.
        """
        rejected = f"{ReplyRejected.__name__}: "
        for step in self._journal.runs.steps(record.id):
            if step.seq == position.seq and step.status != "done":
                self._journal.runs.end_step(record.id, step.seq, outcome=position.outcome)
            if step.seq > position.seq and step.status == "failed" and (step.error or "").startswith(rejected):
                position.seq = step.seq

    def _execute(
        self, pipeline: Pipeline, state: State, position: Position, session: SessionHandle, events: EventLog
    ) -> Finished:
        run_id, kind = events.run_id, self._kinds[pipeline.kind]
        events.keep_in(self._journal.events)
        events.emit("began", name=pipeline.name, text=pipeline.description)
        with self._record_failure(session, events), self._open_tools(kind) as tools:
            execution = self._create_execution(pipeline, kind, state, tools, events)
            while position.at is not None:
                current_cancellation().check()
                self._check_step_limit(pipeline, position)
                position.seq += 1
                step = position.at
                outcome = execution.run_step(position)
                session.put({"position": position.as_json(), "state": state.model_dump(mode="json")})
                self._journal.runs.end_step(run_id, position.seq, outcome=outcome)
                events.emit("ended", step, text=outcome)
        events.emit("ended", name=pipeline.name, text="done")
        events.pulse()  # before the run is over, so that whoever follows it from elsewhere misses nothing
        self._journal.runs.end(run_id, "done", final_state=state.model_dump(mode="json"))
        self._journal.sessions.archive(run_id, session)
        return Finished(run_id, state)

    def _create_execution(
        self, pipeline: Pipeline, kind: Kind, state: State, tools: Any, events: EventLog, *, is_replay: bool = False
    ) -> Execution:
        """The ceilings count what earlier processes used of the same run."""
        used = self._journal.runs.usage(events.run_id)
        ceilings = Ceilings(self._limits, tokens=used.prompt_tokens + used.completion_tokens, cost=used.cost)
        return Execution(
            run_id=events.run_id,
            pipeline=pipeline,
            kind=kind,
            state=state,
            tools=tools,
            journal=self._journal,
            roster=self._roster,
            ceilings=ceilings,
            events=events,
            is_replay=is_replay,
        )

    def _check_step_limit(self, pipeline: Pipeline, position: Position) -> None:
        if sum(position.visits.values()) >= pipeline.max_steps:
            raise Incomplete(
                f"the run took {pipeline.max_steps} steps without reaching the end",
                hint="Raise settings.max_steps of the pipeline if it needs more.",
            )

    @contextmanager
    def _record_failure(self, session: SessionHandle, events: EventLog) -> Iterator[None]:
        """On any exception, write the run's status to the journal and keep the session for a resume."""
        try:
            yield
        except BaseException as problem:
            with closing(session):
                self._write_failure(events, problem)
            raise

    def _write_failure(self, events: EventLog, problem: BaseException) -> None:
        status, error = describe_end(problem)
        for step in self._journal.runs.steps(events.run_id):
            if step.status == "running":
                self._journal.runs.end_step(events.run_id, step.seq, error=error)
        events.emit("ended", text=status if status != "failed" else error)
        events.pulse()
        self._journal.runs.end(events.run_id, status, error=error)
