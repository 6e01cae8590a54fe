"""A review for a terminal, with the lines it speaks of."""

from __future__ import annotations

from collections.abc import Iterator

from bottega.review.findings import Finding
from bottega.review.report import Report
from bottega.source import Diff

_AROUND = 1
_MOST_LINES = 12
_WIDEST = 160


def text(report: Report, diff: Diff) -> str:
    return "\n".join(_lines(report, diff)) + "\n"


def _lines(report: Report, diff: Diff) -> Iterator[str]:
    for finding in report.standing():
        yield from finding_text(finding, diff)
        yield ""
    lesser = report.lesser()
    if lesser:
        yield f"of less weight ({len(lesser)}):"
        for finding in lesser:
            yield f"  {finding.severity:<10} {finding.place}  {_flat(finding.title)} ({_flat(finding.why)})"
        yield ""
    for check in report.checks:
        yield f"  {check.name}: {check.standing}{f', {_flat(check.detail)}' if check.detail else ''}"
    if report.independence:
        yield f"  panel: {report.independence}"
    if report.dropped:
        yield f"  removed: {len(report.dropped)} findings that do not fit; `bottega review explain {report.id}`"
    for one in report.left_out:
        yield f"  not read: {one.path} ({_flat(one.reason)})"
    yield ""
    label = " (no model: tools, rules, graph and history alone)" if report.static_only else ""
    yield f"{report.decision}{'' if report.complete else ', incomplete'}{label}"
    for reason in report.reasons:
        yield f"  {_flat(reason)}"
    for question in report.questions:
        yield f"  ? {_flat(question)}"


def finding_text(finding: Finding, diff: Diff) -> Iterator[str]:
    said = f", {len(finding.reviewers)} of {len(finding.saw)} reviewers" if finding.saw else ""
    yield f"{finding.triage}  {finding.severity}  {finding.place}  {_flat(finding.title)}"
    yield f"  {finding.id}: {finding.confidence} %{said}; {_flat(finding.why)}"
    yield from (f"  {line}" for line in quoted_lines(finding, diff))
    for line in finding.problem.splitlines():
        yield f"  {line}"
    if finding.suggestion and not finding.suggestion_check.startswith("does not fit"):
        tried = f" ({finding.suggestion_check})" if finding.suggestion_check else ""
        yield f"  suggestion{tried}:"
        yield from (f"    {line}" for line in finding.suggestion.splitlines())
    elif finding.suggestion:
        yield f"  its suggestion {finding.suggestion_check}"


def quoted_lines(finding: Finding, diff: Diff) -> Iterator[str]:
    """The lines of the change that a finding is about, a little more around them, numbered."""
    file = diff.file(finding.path)
    shown = 0
    for hunk in file.hunks if file else ():
        for line in hunk.lines:
            number = line.new or line.old
            near = finding.first - _AROUND <= number <= finding.last + _AROUND
            if near and shown < _MOST_LINES:
                shown += 1
                yield f"{line.new or '':>6} {line.kind} {line.text[:_WIDEST]}"


def _flat(text: str) -> str:
    return " ".join(text.split())
