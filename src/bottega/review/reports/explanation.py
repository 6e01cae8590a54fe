"""An explanation of findings, and a comparison of two reviews, for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from bottega.review.comparing import ComparedFinding, Comparison
from bottega.review.explaining import ExplainedFinding, Explanation
from bottega.review.reports.text import join_lines, quote_path


def render_explanation(explanation: Explanation) -> str:
    """Every finding with what happened to it, an empty line after each."""
    parts = ["\n".join(_render_finding(finding)) + "\n" for finding in explanation.findings]
    parts += [
        f"removed  {quote_path(removed.span)}  {join_lines(removed.title)}\n  {join_lines(removed.reason)}\n"
        for removed in explanation.removed
    ]
    return "".join(f"{part}\n" for part in parts)


def _render_finding(finding: ExplainedFinding) -> Iterator[str]:
    head = f"{finding.id}  {finding.triage}  {finding.severity}  {quote_path(finding.span)}"
    yield f"{head}  {join_lines(finding.title)}"
    yield f"  {join_lines(finding.why)}"
    for step in finding.trace:
        yield f"  {step.stage}: {step.confidence} % {join_lines(step.why)}".rstrip()
    if finding.reported_by:
        silent = ", ".join(finding.silent) or "nobody"
        yield f"  reported by {', '.join(finding.reported_by)}; seen and not reported by {silent}"
    for argument in finding.arguments:
        yield f"  {argument.who} ({argument.stance}): {join_lines(argument.text)}"


def render_comparison(comparison: Comparison) -> str:
    groups = {
        "fixed": comparison.fixed,
        "not found again": comparison.not_found_again,
        "not looked at again": comparison.not_looked_at_again,
        "still there": comparison.still_there,
        "new": comparison.new,
    }
    before = f"{comparison.before} ({comparison.decision_before})"
    lines = [f"{before} → {comparison.review} ({comparison.decision})"]
    for title, findings in groups.items():
        lines += [f"{title}: {len(findings)}", *map(_render_finding_line, findings)]
    return "\n".join(lines) + "\n"


def _render_finding_line(finding: ComparedFinding) -> str:
    return f"  {finding.severity:<10} {quote_path(finding.span)}  {join_lines(finding.title)}"
