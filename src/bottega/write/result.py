"""The code that `write` made, and what its reader should know about it."""

from __future__ import annotations

from typing import ClassVar

from bottega.pipeline import Finished
from bottega.source import escape_breaks
from bottega.verbs import Gate, VerbResult
from bottega.write.checks import summarize
from bottega.write.state import Check, WriteState

MASKED = "«masked:"


class WriteResult(VerbResult):
    """`summary` says in one line what was checked and by what; `fault` is what keeps the code from parsing."""

    formats: ClassVar[tuple[str, ...]] = ("text", "json")

    run: str
    output: str
    language: str
    fault: str
    escalated: bool
    escalation_reason: str
    checks: tuple[Check, ...] = ()
    summary: str = ""

    @property
    def failed_examples(self) -> str:
        """How the code differs from the request's own examples, "" when none of them failed."""
        return next((check.detail for check in self.checks if check.is_about_examples and check.result == "failed"), "")

    @property
    def gate(self) -> Gate:
        """Code that does not parse is incomplete; code that fails an example of the request has failed."""
        if self.fault or self.has_masked_secret:
            return "incomplete"
        return "failed" if self.failed_examples else "passed"

    @property
    def gate_reason(self) -> str:
        if self.has_masked_secret:
            return "the code holds «masked:…» where a secret stood: records keep no secrets"
        if self.fault:
            return f"the code does not {self._refusal} as {self.language}: {self.fault}"
        if self.failed_examples:
            return f"the code fails examples of the request: {escape_breaks(self.failed_examples)}"
        return ""

    @property
    def gate_hint(self) -> str:
        if self.has_masked_secret:
            return "Put the secret back by hand, or run `bottega write` anew."
        told = f"`bottega runs show {self.run}` tells how it came about."
        return told if self.fault else f"It is printed all the same. {told}"

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"bottega: {escape_breaks(self.summary)}",) if self.summary else ()

    @property
    def has_masked_secret(self) -> bool:
        """Whether the code was read from records, which hold a mask where a secret stood."""
        return MASKED in self.output

    def render(self, form: str = "text") -> str:
        del form
        return self.output

    @property
    def _refusal(self) -> str:
        failed = (check.what for check in self.checks if check.result == "failed" and check.detail)
        return "compile" if next(failed, "parses") == "compiles" else "parse"


def read_result(finished: Finished) -> WriteResult:
    state = finished.state
    assert isinstance(state, WriteState)
    judged = state.judged_review or state.judged_draft
    return WriteResult(
        run=finished.run_id,
        output=state.output or "",
        language=state.language,
        fault=state.fault,
        escalated=state.escalated,
        escalation_reason=state.escalation_reason,
        checks=state.checks,
        summary=summarize(state.checks, state.language, judged) if state.checks else "",
    )
