"""What a `write` run knows between steps."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from bottega.pipeline import State
from bottega.write.request import Mode

EXAMPLES = "examples from the request"


class Judgement(BaseModel):
    """The judge's reply. The summary comes first: a small model scores better after it has given reasons."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    judgement_summary: str = Field(min_length=1, max_length=300)
    confidence_score: int = Field(ge=1, le=10)
    conflict_score: int = Field(ge=1, le=10)


class JudgeResult(BaseModel):
    """A judgement, or the reason there is none; unknown is not a score."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    confidence_score: int | None = None
    conflict_score: int | None = None
    judgement_summary: str = ""
    raw_response: str = ""
    parse_error: str = ""

    @property
    def is_known(self) -> bool:
        return self.confidence_score is not None and self.conflict_score is not None


class Rules(BaseModel):
    """The settings a run was begun under; a resumed or replayed run keeps them."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    confidence_threshold: int = 8
    conflict_threshold: int = 6
    language: str = "python"
    context_records: int = 5


DEFAULT_RULES = Rules()


class TestReport(BaseModel):
    """The result of running tests against one candidate."""

    __test__ = False
    model_config = ConfigDict(extra="forbid", frozen=True)

    examples_passed: int = 0
    examples_failed: int = 0
    tests_passed: int = 0
    tests_failed: int = 0
    crashes: int = 0
    failures: tuple[str, ...] = ()
    problem: str = ""

    def score(self, *, values: bool = False) -> tuple[int, int, int]:
        """Examples that the person gave weigh first, crashes on made-up tests second, their values last if at all."""
        return (-self.examples_failed, -self.crashes, self.tests_passed if values else 0)

    @property
    def count(self) -> int:
        """Cases that were run."""
        return self.examples_passed + self.examples_failed + self.tests_passed + self.tests_failed

    def holds(self, *, values: bool = False) -> bool:
        """Something was run, and nothing speaks against the code.

        The value that a made-up test expects counts only where `values` says so.
        """
        against = self.examples_failed or self.crashes or self.problem or (values and self.tests_failed)
        return bool(self.count) and not against


class Check(BaseModel):
    """One check of the result and its outcome; a judge's opinion is not a check."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    what: str
    by: str
    result: Literal["passed", "failed", "not run"]
    detail: str = ""

    @property
    def is_about_examples(self) -> bool:
        return self.what.endswith(EXAMPLES)


class Candidate(BaseModel):
    """Code that could become the result."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    code: str
    source: str
    judged: JudgeResult | None = None
    report: TestReport | None = None


class WriteState(State):
    """Everything is text or numbers, so that a run can stop after any step and go on.

    `draft` is the coder's, `current` what would leave now, `basis` what the last review started from.
    """

    original_prompt: str
    mode_flag: str | None = None
    language_flag: str | None = None
    rules: Rules = DEFAULT_RULES
    personas: dict[str, str] = Field(default_factory=dict)
    """Texts of the personas by prompt, as they were when the run began."""

    mode: Mode = "code_reviewed"
    prompt: str = ""
    language: str = ""
    context: str = ""
    draft: str | None = None
    reviewed: str | None = None
    basis: str | None = None
    judged_basis: JudgeResult | None = None
    current: str = ""
    fault: str = ""
    compiled: Check | None = None
    """Of `current`, by the tool of its language or by a parser."""
    checks: tuple[Check, ...] = ()
    judged_draft: JudgeResult | None = None
    judged_review: JudgeResult | None = None
    escalated: bool = False
    escalation_reason: str = ""
    tests: tuple[str, ...] = ()
    believe_values: bool = False
    candidates: tuple[Candidate, ...] = ()
    not_run: str = ""
    """Why the examples of the request were not run."""
    output: str | None = None
