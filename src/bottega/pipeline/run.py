"""A run as an action sees it: models to ask, the outside world to touch, the journal to write to."""

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
from bottega.pipeline.kinds import KindSettings, Params

T = TypeVar("T")
P = TypeVar("P", bound=Params)
S = TypeVar("S", bound=KindSettings)
Tools = TypeVar("Tools")


@dataclass(frozen=True, slots=True)
class Event:
    """Something a person waiting may want to see: a step began or ended, a remark, a piece of a reply's text."""

    what: str
    step: str
    detail: str = ""


@dataclass(slots=True)
class Run(Generic[Tools]):
    """One step's view of its run. What goes through it is recorded, so it can be resumed and replayed."""

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
    on_event: Callable[[Event], None]
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
        """Ask a model, the role's or a named one, for a value that keeps a contract; who watches sees it being made."""

        def watched(text: str) -> None:
            self.on_event(Event("text", self.step, text))
            if on_text is not None:
                on_text(text)

        return self.roster.ask(
            request, contract, role=role, log=self.log, ceilings=self.ceilings, on_text=watched, model=model
        )

    def effect(self, name: str, act: Callable[[], Any]) -> Any:
        """Touch the outside world once: the answer is recorded, and given again by resume and replay.

        Returns what was recorded: JSON, secrets masked.
        """
        with self._lock:
            nth = self._effects[name]
            self._effects[name] += 1
        known = self.journal.notes.effect(self.id, self.seq, name, nth)
        if known is None:
            if self.replaying:
                raise Incomplete(
                    f"the replay of {self.step} needs a {name} that the run did not record",
                    hint="The pipeline's code has changed since the run was made.",
                )
            known = self.journal.notes.record_effect(self.id, self.seq, name, nth, act())
        return json.loads(known)

    def decide(self, name: str, value: Any, reason: str) -> None:
        if not self.replaying:
            self.journal.notes.decide(self.id, self.seq, name, value, reason)

    def validate(self, checker: str, result: str, detail: str = "") -> None:
        """A check of the work in hand: `passed`, `failed` or `unknown`."""
        if not self.replaying:
            self.journal.notes.validate(self.id, self.seq, checker, result, detail)

    def outcome(self, name: str, value: str, detail: str = "") -> None:
        """What became of the run's product."""
        if not self.replaying:
            self.journal.notes.outcome(self.id, name, value, detail)

    def say(self, text: str) -> None:
        self.on_event(Event("remark", self.step, text))

    def params_as(self, kind: type[P]) -> P:
        assert isinstance(self.params, kind)
        return self.params

    def settings_as(self, kind: type[S]) -> S:
        assert isinstance(self.settings, kind)
        return self.settings


def no_events(event: Event) -> None:
    """For callers that do not watch."""
    del event
