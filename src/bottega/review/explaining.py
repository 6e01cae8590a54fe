"""Why each finding of a review was kept or removed: its steps, who reported it, and what was said about it."""

from __future__ import annotations

from bottega.review.findings import DroppedFinding, Finding, Frozen, Severity, Trace, Triage
from bottega.review.records import find_finding
from bottega.review.report import ReviewReport
from bottega.review.state import Argument
from bottega.source import Span


class ExplainedFinding(Frozen):
    """`silent` are the reviewers that were shown the lines and did not report it; `arguments` are its discussion's.

    `reported_by` and `silent` are empty for what a tool, a rule or a parser found.
    """

    id: str
    span: Span
    triage: Triage
    severity: Severity
    title: str
    why: str
    trace: tuple[Trace, ...]
    reported_by: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    arguments: tuple[Argument, ...] = ()


class RemovedFinding(Frozen):
    """A finding that the filter removed, and why."""

    span: Span
    title: str
    reason: str


class Explanation(Frozen):
    review: str
    findings: tuple[ExplainedFinding, ...]
    removed: tuple[RemovedFinding, ...] = ()


def explain_review(report: ReviewReport, finding_id: str = "") -> Explanation:
    """Explain one finding, or all of them and those that were removed. Raise `InputError` for an unknown id."""
    if finding_id:
        return Explanation(review=report.id, findings=(_explain(find_finding(report, finding_id), report),))
    return Explanation(
        review=report.id,
        findings=tuple(_explain(finding, report) for finding in report.findings),
        removed=tuple(map(_explain_removal, report.dropped)),
    )


def _explain(finding: Finding, report: ReviewReport) -> ExplainedFinding:
    is_reported = finding.source == "reviewer"
    return ExplainedFinding(
        id=finding.id,
        span=finding.span,
        triage=finding.triage,
        severity=finding.severity,
        title=finding.title,
        why=finding.why,
        trace=finding.trace,
        reported_by=finding.reviewers if is_reported else (),
        silent=tuple(sorted(set(finding.saw) - set(finding.reviewers))) if is_reported else (),
        arguments=tuple(
            argument
            for discussion in report.discussions
            if discussion.id == finding.discussion
            for argument in discussion.arguments
        ),
    )


def _explain_removal(dropped: DroppedFinding) -> RemovedFinding:
    finding = dropped.finding
    return RemovedFinding(
        span=finding.span,
        title=finding.title,
        reason=dropped.reason,
    )
