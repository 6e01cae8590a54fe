"""What a `review` run knows between steps, and what a pipeline may set."""

from __future__ import annotations

from typing import Literal

from pydantic import AliasChoices, Field

from bottega.pipeline import KindSettings, State
from bottega.review.findings import DroppedFinding, Finding, Frozen, Severity, StoredSpan

PERSONAS = ("security", "logic", "api-contract", "general")
CheckStatus = Literal["ran", "not run", "failed", "off"]


class ReviewSettings(KindSettings):
    """Every stage can be switched off; a required check that is off prevents ACCEPT."""

    personas: tuple[str, ...] = Field(PERSONAS, min_length=1, max_length=12, description="who reviews: names, or files")
    portion_tokens: int = Field(6000, ge=200, le=200_000, description="largest part of the change in one request")
    strict: bool = Field(False, description="three warnings need a person")
    classification: bool = Field(True, description="say what kind of change each file has")
    diagnostics: bool = Field(True, description="run the project's own tools")
    impact: bool = Field(True, description="look up who uses what changed")
    co_change: bool = Field(True, description="look up what usually changes together")
    rule_files: bool = Field(True, description="show reviewers the project's files for assistants")
    rules: bool = Field(True, description="apply .reviewrules")
    dangers: bool = Field(True, description="match the table of dangerous calls")
    hallucination_filter: bool = Field(True, description="hold findings against the diff")
    dismissals: bool = Field(True, description="remember what a person dismissed")
    suggestion_check: bool = Field(True, description="apply suggestions to a copy")
    discussion: bool = Field(True, description="discuss contested findings")
    learning: bool = Field(True, description="remember which models were worth asking")
    supporters: int = Field(2, ge=1, le=6, description="who discuss, beside the devil's advocate")
    max_rounds: int = Field(2, ge=1, le=10, description="rounds of a discussion")
    max_discussions: int = Field(5, ge=0, le=100, description="discussions of one review, the gravest first")
    discuss_warnings_of: int = Field(2, ge=0, le=12, description="reviewers that make a warning contested; 0: never")


class SkippedFile(Frozen):
    path: str
    reason: str


class CheckRecord(Frozen):
    """The status of one check; a check that did not run says nothing about the change."""

    name: str
    status: CheckStatus = Field(validation_alias=AliasChoices("status", "standing"))
    detail: str = ""


class Reviewer(Frozen):
    """A persona, and the model that speaks for it."""

    name: str
    model: str


class ReviewerCall(Frozen):
    """One request to one reviewer: which portion it was shown, counted from 1, and whether it answered."""

    reviewer: str
    model: str
    portion: int
    findings: int = 0
    failure: str = ""


class Argument(Frozen):
    """What one participant said in one round; `who` is a letter, so that no name carries weight."""

    round: int
    who: str
    role: str
    model: str
    stance: Literal["agree", "disagree", "neutral", "absent"]
    text: str


class Discussion(Frozen):
    """`settled_by` is consensus, majority, moderator, or failure."""

    id: str
    finding: str
    arguments: tuple[Argument, ...]
    outcome: Literal["upheld", "dismissed", "undecided", "unconfirmed"]
    settled_by: Literal["consensus", "majority", "moderator", "failure"]
    severity: Severity
    reason: str


class ReviewState(State):
    """Everything is text or numbers, so that a run can stop after any step and go on.

    The secrets of the change are masked in all of it; `secrets` are the findings about them.
    """

    diff: str
    intent: str = ""
    origin: str = ""
    side: str = ""
    base: str = ""
    touched: tuple[str, ...] = ()
    scope: tuple[str, ...] = ()
    seed: int = 0
    fail_on: Severity | Literal[""] = ""
    asked_without_model: bool = False
    secrets: tuple[Finding, ...] = ()
    secret_note: str = ""

    paths: tuple[str, ...] = ()
    left_out: tuple[SkippedFile, ...] = ()
    classes: dict[str, str] = Field(default_factory=dict)
    checks: tuple[CheckRecord, ...] = ()
    around: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    panel: tuple[Reviewer, ...] = ()
    remarks: tuple[str, ...] = ()
    independence: str = ""
    portions: tuple[tuple[StoredSpan, ...], ...] = ()
    seen: tuple[ReviewerCall, ...] = ()
    findings: tuple[Finding, ...] = ()
    dropped: tuple[DroppedFinding, ...] = ()
    discussions: tuple[Discussion, ...] = ()
    decision: str = ""
    gaps: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    freshness: str = ""
    report: str = ""
