"""`write`: runnable code from a request, by coder, judge and reviewer."""

from __future__ import annotations

from dataclasses import dataclass

from bottega.pipeline import Engine, Finished, Kind, Pipeline
from bottega.write.actions import ACTIONS
from bottega.write.checks import summarize
from bottega.write.request import MODES, TAGS, parse_request
from bottega.write.state import DEFAULT_RULES, Check, Rules, WriteState
from bottega.write.tools import WriteTools

__all__ = [
    "KIND",
    "MODES",
    "TAGS",
    "Check",
    "Order",
    "Rules",
    "WriteState",
    "WriteTools",
    "Written",
    "parse_request",
    "write",
    "written",
]

KIND = Kind("write", WriteState, ACTIONS)


@dataclass(frozen=True, slots=True)
class Order:
    """What a person asks for; `mode` and `language` are flags, None when not given."""

    text: str
    mode: str | None = None
    language: str | None = None
    rules: Rules = DEFAULT_RULES


@dataclass(frozen=True, slots=True)
class Written:
    """The code, and what its reader should know. `fault` says what keeps it from parsing."""

    run_id: str
    output: str
    language: str
    fault: str
    escalated: bool
    escalation_reason: str
    checks: tuple[Check, ...] = ()
    summary: str = ""
    """What was checked and by what, in one line."""

    @property
    def failed_examples(self) -> str:
        """How the code differs from the request's own examples, "" when none of them failed."""
        return next((check.detail for check in self.checks if check.is_about_examples and check.result == "failed"), "")


def write(order: Order, *, engine: Engine, pipeline: Pipeline) -> Written:
    """Carry a pipeline of this kind out. Bad input is refused before a run is begun."""
    parse_request(order.text, mode=order.mode)
    state = WriteState(
        original_prompt=order.text, mode_flag=order.mode, language_flag=order.language, rules=order.rules
    )
    return written(engine.start(pipeline, state, settings=order.rules.model_dump()))


def written(finished: Finished) -> Written:
    state = finished.state
    assert isinstance(state, WriteState)
    return Written(
        run_id=finished.run_id,
        output=state.output or "",
        language=state.language,
        fault=state.fault,
        escalated=state.escalated,
        escalation_reason=state.escalation_reason,
        checks=state.checks,
        summary=summarize(state.checks, state.language, state.judged_review or state.judged_draft)
        if state.checks
        else "",
    )
