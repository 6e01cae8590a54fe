"""`ask`: answers about the code, with citations that hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bottega.ask.actions import ACTIONS
from bottega.ask.claims import Standing
from bottega.ask.state import DIRECT, EVIDENCE_ONLY, MODES, AskSettings, AskState, Said, Source
from bottega.ask.summary import summarize
from bottega.ask.tools import AskTools, Knowledge
from bottega.errors import InputError
from bottega.journal.chats import check_name
from bottega.pipeline import Engine, Finished, Kind, Pipeline

__all__ = [
    "DIRECT",
    "EVIDENCE_ONLY",
    "KIND",
    "MODES",
    "Answered",
    "AskSettings",
    "AskState",
    "AskTools",
    "Knowledge",
    "Order",
    "Said",
    "Source",
    "answered",
    "ask",
]

KIND = Kind("ask", AskState, ACTIONS, AskSettings)

_LONGEST = 200_000


@dataclass(frozen=True, slots=True)
class Order:
    """A question. `language` is the user's where the question is not English; `mode` skips the router."""

    question: str
    language: str = ""
    chat: str = ""
    mode: str = ""


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer, and what comparing its statements with their cited lines came to.

    `grounding` is match, partial match, no match, or evidence only where no model was asked. A match is of names and
    words; it does not say that a statement is true.
    """

    run_id: str
    answer: str
    grounding: str
    sources: tuple[Source, ...]
    sentences: tuple[Said, ...]
    remarks: tuple[str, ...]
    freshness: str
    mode: str
    queries: tuple[str, ...]

    @property
    def unsupported(self) -> int:
        """Statements none of whose citations holds, or that cite nothing."""
        return self._count(Standing.UNSUPPORTED) + self._count(Standing.UNCITED)

    @property
    def dropped(self) -> int:
        """Citations that did not hold."""
        return sum(len(said.dropped) for said in self.sentences)

    @property
    def moved(self) -> int:
        """Citations that were replaced by the passage that holds their sentence."""
        return sum(len(said.moved) for said in self.sentences)

    @property
    def summary(self) -> str:
        """What was checked, by what, and what came of it."""
        return summarize(self.sentences)

    def _count(self, standing: Standing) -> int:
        return sum(said.standing == standing for said in self.sentences)

    def as_json(self) -> dict[str, Any]:
        return {
            "run": self.run_id,
            "answer": self.answer,
            "grounding": self.grounding,
            "checked": self.summary,
            "supported": self._count(Standing.SUPPORTED),
            "weak": self._count(Standing.WEAK),
            "unsupported": self._count(Standing.UNSUPPORTED),
            "uncited": self._count(Standing.UNCITED),
            "moved_citations": self.moved,
            "dropped_citations": self.dropped,
            "sources": [source.model_dump() for source in self.sources],
            "sentences": [said.model_dump() for said in self.sentences],
            "mode": self.mode,
            "queries": list(self.queries),
            "remarks": list(self.remarks),
            "freshness": self.freshness,
        }


def ask(order: Order, *, engine: Engine, pipeline: Pipeline) -> Answered:
    """Carry a pipeline of this kind out. Bad input is refused before a run is begun."""
    if not order.question.strip():
        raise InputError("the question is empty", hint='Ask something: bottega ask "where is …?"')
    if len(order.question) > _LONGEST:
        raise InputError(f"the question has {len(order.question)} characters; at most {_LONGEST} are read")
    if order.mode and order.mode not in MODES:
        raise InputError(f"there is no mode {order.mode!r}", hint=f"Modes: {', '.join(MODES)}.")
    if order.chat:
        check_name(order.chat)
    state = AskState(
        question=order.question.strip(),
        question_en=order.question.strip(),
        is_english=order.language.split("-")[0] in {"", "en", "english"},
        language=order.language,
        chat=order.chat,
        mode_flag=order.mode,
    )
    return answered(engine.start(pipeline, state))


def answered(finished: Finished) -> Answered:
    state = finished.state
    assert isinstance(state, AskState)
    return Answered(
        run_id=finished.run_id,
        answer=state.answer,
        grounding=state.grounding,
        sources=state.sources,
        sentences=state.said,
        remarks=state.remarks,
        freshness=state.freshness,
        mode=state.mode,
        queries=state.asked,
    )
