"""Whether a review lets a change pass: what its exit code and a pipeline on a server depend on."""

from __future__ import annotations

from typing import Literal

from bottega.review.deciding import Decision
from bottega.review.findings import Severity
from bottega.review.report import ReviewReport
from bottega.verbs import Gate

_BY_DECISION: dict[Decision, Gate] = {"ACCEPT": "passed", "REJECT": "failed", "NEEDS_HUMAN": "incomplete"}


def choose_gate(
    report: ReviewReport, fail_on: Severity | Literal[""] = "", *, asked_without_model: bool = False
) -> Gate:
    """With a severity: failed for findings at or above it. Without one: what the decision says.

    An incomplete review never passes. With a severity, neither does a review of files that no model read, unless the
    caller asked for one without a model.
    """
    if not report.complete:
        return "incomplete"
    if not fail_on:
        return _BY_DECISION[report.decision]
    if report.at_least(fail_on):
        return "failed"
    is_read = bool(report.panel) or asked_without_model or not report.paths
    return "passed" if is_read else "incomplete"
