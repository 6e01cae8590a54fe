"""A review as it is stored: one versioned object."""

from __future__ import annotations

import json
from typing import Any, Literal

from pydantic import Field, ValidationError

from bottega.amounts import plural
from bottega.errors import StorageError
from bottega.review.deciding import Decision
from bottega.review.findings import DroppedFinding, Finding, Frozen, Severity, StoredSpan, rank_severity
from bottega.review.state import CheckRecord, Discussion, ReviewerCall, SkippedFile

SCHEMA: Literal["bottega.review.v1"] = "bottega.review.v1"
DIFF = "change.diff"
# Steps that find no defects themselves.
_NOT_CHECKING = frozenset({"classification", "rule files", "filter", "dismissals", "suggestions", "discussion"})


class ReviewerLine(Frozen):
    """One reviewer of the panel, and how many portions it answered about."""

    name: str
    model: str
    portions: int
    failed: int


class ReviewReport(Frozen):
    """Everything that is stored of a review; `complete` is False when a check or a reviewer failed."""

    schema_version: Literal["bottega.review.v1"] = SCHEMA
    id: str
    run: str
    at: str
    origin: str
    intent: str
    decision: Decision
    complete: bool
    gaps: tuple[str, ...]
    reasons: tuple[str, ...]
    questions: tuple[str, ...]
    independence: str
    remarks: tuple[str, ...] = ()
    static_only: bool
    seed: int
    fail_on: Severity | Literal[""] = ""
    paths: tuple[str, ...]
    left_out: tuple[SkippedFile, ...]
    classes: dict[str, str] = Field(default_factory=dict)
    checks: tuple[CheckRecord, ...]
    around: tuple[str, ...] = ()
    panel: tuple[ReviewerLine, ...]
    portions: tuple[tuple[StoredSpan, ...], ...] = ()
    seen: tuple[ReviewerCall, ...]
    findings: tuple[Finding, ...]
    dropped: tuple[DroppedFinding, ...]
    discussions: tuple[Discussion, ...]
    freshness: str = ""

    def open_findings(self) -> list[Finding]:
        """Findings that somebody should look at, the gravest first."""
        return sorted(
            (finding for finding in self.findings if finding.triage in {"must-fix", "verify"}), key=_rank_finding
        )

    def ignored_findings(self) -> list[Finding]:
        """Findings of triage `ignore`: suggestions, dismissed ones, and those with too little support."""
        return sorted((finding for finding in self.findings if finding.triage == "ignore"), key=_rank_finding)

    def at_least(self, severity: Severity) -> list[Finding]:
        """Open findings at or above a severity; at SUGGESTION also the suggestions, which are never open."""
        found = self.open_findings()
        if severity == "SUGGESTION":
            ignored = self.ignored_findings()
            found += [finding for finding in ignored if finding.severity == "SUGGESTION" and not finding.dismissal]
        return [finding for finding in found if rank_severity(finding.severity) >= rank_severity(severity)]

    @property
    def checked_by(self) -> str:
        """The checks that ran and the number of models that reviewed, shown beside every verdict."""
        return "; ".join(self.stamp)

    @property
    def stamp(self) -> tuple[str, ...]:
        """What was checked by code, what could not be, and by whom else: each as one clause."""
        checks = [check for check in self.checks if check.name not in _NOT_CHECKING]
        code = [check.name for check in checks if check.status == "ran"]
        missing = [check.name for check in checks if check.status in {"not run", "failed"}]
        read = sum(bool(line.portions) for line in self.panel)
        models = len({line.model for line in self.panel if line.portions})
        noun = "model" if models == 1 else "models"
        return (
            f"checked by code: {', '.join(code) or 'nothing'}",
            *((f"not run: {', '.join(missing)}",) if missing else ()),
            f"by opinion: {plural(read, 'reviewer')} of {models} {noun}" if read else "by opinion: no model",
        )

    def as_json(self) -> dict[str, Any]:
        stored = {**self.model_dump(mode="json"), "checked_by": self.checked_by}
        for kept, finding in zip(stored["findings"], self.findings, strict=True):
            kept["fingerprint"] = finding.fingerprint
        return stored

    @classmethod
    def from_json(cls, text: str) -> ReviewReport:
        try:
            stored = json.loads(text)
            stored.pop("checked_by", None)
            for kept in stored["findings"]:
                kept.pop("fingerprint", None)
            return cls.model_validate(stored)
        except (ValueError, ValidationError, KeyError, TypeError, AttributeError, RecursionError):
            raise StorageError(
                "the record of this review is damaged, or of another version", hint="Review the change again."
            ) from None


def _rank_finding(finding: Finding) -> tuple[int, int, int, str, int]:
    order = {"must-fix": 0, "verify": 1}.get(finding.triage, 2)
    return (order, -rank_severity(finding.severity), -finding.confidence, finding.span.path, finding.span.first)
