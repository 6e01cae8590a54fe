"""A review for a terminal, with the lines it speaks of."""

from __future__ import annotations

from collections.abc import Iterator

from bottega.amounts import plural
from bottega.review.findings import Finding
from bottega.review.report import ReviewReport
from bottega.source import Diff, Span

_AROUND = 1
_MOST_LINES = 12
_WIDEST = 160


def render_text(report: ReviewReport, diff: Diff) -> str:
    return "\n".join(_render_lines(report, diff)) + "\n"


def _render_lines(report: ReviewReport, diff: Diff) -> Iterator[str]:
    for finding in report.open_findings():
        yield from render_finding(finding, diff)
        yield ""
    lesser = report.ignored_findings()
    if lesser:
        yield f"of less weight ({len(lesser)}):"
        for finding in lesser:
            head = f"  {finding.severity:<10} {quote_path(finding.span)}"
            yield f"{head}  {join_lines(finding.title)} ({join_lines(finding.why)})"
        yield ""
    yield from _render_checks(report)
    yield ""
    yield f"{report.decision}{'' if report.complete else ', incomplete'} ({join_lines(report.checked_by)})"
    yield from (f"  {join_lines(reason)}" for reason in report.reasons)
    yield from (f"  ? {join_lines(question)}" for question in report.questions)


def _render_checks(report: ReviewReport) -> Iterator[str]:
    """The checks, the panel, and the files that were not read."""
    for check in report.checks:
        yield f"  {check.name}: {check.status}{f', {join_lines(check.detail)}' if check.detail else ''}"
    if report.independence:
        yield f"  panel: {report.independence}"
    yield from (f"  panel: {join_lines(remark)}" for remark in report.remarks)
    if report.dropped:
        yield f"  removed as unfit: {plural(len(report.dropped), 'finding')}; `bottega review explain {report.id}`"
    yield from (f"  not read: {quote_path(file.path)} ({join_lines(file.reason)})" for file in report.left_out)


def render_finding(finding: Finding, diff: Diff) -> Iterator[str]:
    said = f", {len(finding.reviewers)} of {plural(len(finding.saw), 'reviewer')}" if finding.saw else ""
    yield f"{finding.triage}  {finding.severity}  {quote_path(finding.span)}  {join_lines(finding.title)}"
    yield f"  {finding.id}: {finding.confidence} %{said}; {join_lines(finding.why)}"
    yield from (f"  {line}" for line in render_quoted_lines(finding, diff))
    for line in finding.problem.splitlines():
        yield f"  {line}"
    if finding.suggestion and not finding.suggestion_check.startswith("does not fit"):
        tried = f" ({finding.suggestion_check})" if finding.suggestion_check else ""
        yield f"  suggestion{tried}:"
        yield from (f"    {line}" for line in finding.suggestion.splitlines())
    elif finding.suggestion:
        yield f"  its suggestion {finding.suggestion_check}"


def render_quoted_lines(finding: Finding, diff: Diff) -> Iterator[str]:
    """The lines of the change that a finding is about, a little more around them, numbered."""
    file = diff.file(finding.span.path)
    shown = 0
    for hunk in file.hunks if file else ():
        gone = not hunk.new_count
        following = hunk.old_start if gone else hunk.new_start
        for line in hunk.lines:
            number = line.old if gone else line.new
            at = number or following
            following = number + 1 if number else following
            if finding.span.first - _AROUND <= at <= finding.span.last + _AROUND and shown < _MOST_LINES:
                shown += 1
                yield f"{number or '':>6} {line.kind} {line.text[:_WIDEST]}"


def quote_path(place: Span | str) -> str:
    """A path or a span on one line: a path may hold line ends, and must not look like a line of the report."""
    return str(place).replace("\n", "\\n").replace("\r", "\\r")


def join_lines(text: str) -> str:
    """A text of several lines as one."""
    return " ".join(text.split())
