"""The interface of a run that actions use: model calls, recorded effects, journal notes and events."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from bottega.errors import Incomplete
from bottega.journal import Journal
from bottega.models import Answer, CallLog, Ceilings, Contract, Request, Roster
from bottega.pipeline.events import EventLog
from bottega.pipeline.kinds import KindSettings, Params

T = TypeVar("T")
P = TypeVar("P", bound=Params)
S = TypeVar("S", bound=KindSettings)
Tools = TypeVar("Tools")


@dataclass(slots=True)
class Run(Generic[Tools]):
    """One step of a run. Its calls and effects are recorded, so that the run can be resumed and replayed."""

    id: str
    seq: int
    step: str
    visits: int
    tools: Tools
    journal: Journal
    roster: Roster
    log: CallLog
    ceilings: Ceilings
    params: Params
    settings: KindSettings
    events: EventLog
    replaying: bool = False
    _effects: Counter[str] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def ask(
        self,
        request: Request,
        contract: Contract[T],
        *,
        role: str,
        on_text: Callable[[str], None] | None = None,
        model: str = "",
    ) -> Answer[T]:
        """Ask the role's model, or `model`, for a value that keeps the contract; its text is streamed to the events."""

        def emit_text(text: str) -> None:
            self.stream(request.stage, text)
            if on_text is not None:
                on_text(text)

        return self.roster.ask(
            request, contract, role=role, log=self.log, ceilings=self.ceilings, on_text=emit_text, model=model
        )

    def effect(self, name: str, act: Callable[[], Any]) -> Any:
        """Call `act` once and record what it returns; resume and replay return the record instead of calling it.

        The returned value is the record: parsed JSON with secrets masked.
        """
        with self._lock:
            nth = self._effects[name]
            self._effects[name] += 1
        recorded = self.journal.notes.effect(self.id, self.seq, name, nth)
        if recorded is None:
            if self.replaying:
                raise Incomplete(
                    f"the replay of {self.step} needs a {name} that the run did not record",
                    hint="The pipeline's code has changed since the run.",
                )
            recorded = self.journal.notes.record_effect(self.id, self.seq, name, nth, act())
        return json.loads(recorded)

    def decide(self, name: str, value: Any, reason: str) -> None:
        if not self.replaying:
            self.journal.notes.decide(self.id, self.seq, name, value, reason)

    def validate(self, checker: str, result: str, detail: str = "") -> None:
        """Record the result of a check: `passed`, `failed` or `unknown`."""
        if not self.replaying:
            self.journal.notes.validate(self.id, self.seq, checker, result, detail)

    def outcome(self, name: str, value: str, detail: str = "") -> None:
        """Record how the run's result turned out."""
        if not self.replaying:
            self.journal.notes.outcome(self.id, name, value, detail)

    def say(self, text: str) -> None:
        self.events.emit("remark", self.step, text=text)

    def stream(self, name: str, text: str) -> None:
        """Emit a fragment of the text called `name` while it is being written."""
        self.events.emit("text", self.step, name=name, text=text)

    def progress(self, name: str, done: int, total: int) -> None:
        """Emit how far the step is; `total` is 0 where the amount is not known yet."""
        self.events.emit("progress", self.step, name=name, done=done, total=total)

    def count(self, name: str) -> Callable[[int, int], None]:
        """What `fan_out` and `fan_in` tell how many items are processed; `name` says of what."""
        return lambda done, total: self.progress(name, done, total)

    def params_as(self, kind: type[P]) -> P:
        assert isinstance(self.params, kind)
        return self.params

    def settings_as(self, kind: type[S]) -> S:
        assert isinstance(self.settings, kind)
        return self.settings
