"""A review as Markdown, for files and comments."""

from __future__ import annotations

import re

from bottega.review.findings import Finding
from bottega.review.report import ReviewReport
from bottega.review.suggesting import suggested_code

_TICKS = re.compile(r"`+")
_CODE = re.compile(r"(?<!`)(`[^`\n]+`)(?!`)")


def markdown(report: ReviewReport) -> str:
    lines = [f"# Review: {report.decision}", "", headline(report), ""]
    lines += [f"- {_flat(reason)}" for reason in report.reasons] + [""]
    open_findings = report.open_findings()
    if open_findings:
        lines += ["## To look at", ""]
        for finding in open_findings:
            lines += finding_lines(finding)
    lesser = report.ignored_findings()
    if lesser:
        lines += ["## Of less weight", ""]
        lines += [
            f"- {finding.severity} {code(str(finding.span))} {_flat(finding.title)}: {_flat(finding.why)}"
            for finding in lesser
        ]
        lines += [""]
    lines += ["## What was done", ""]
    lines += [
        f"- {check.name}: {check.status}{f', {_flat(check.detail)}' if check.detail else ''}" for check in report.checks
    ]
    if report.independence:
        lines += [f"- panel: {report.independence}"]
    if report.dropped:
        lines += [f"- {len(report.dropped)} findings were removed because they do not fit the change"]
    lines += [f"- not read: {code(one.path)}, {one.reason}" for one in report.left_out]
    return "\n".join(lines).rstrip() + "\n"


def headline(report: ReviewReport) -> str:
    """One sentence: what, by whom, how completely."""
    by = "without a model" if report.static_only else f"by {report.independence}"
    how = "" if report.complete else " **This review is incomplete.**"
    return f"{len(report.paths)} files of {_flat(report.origin)}, reviewed {by}.{how} {_flat(report.checked_by)}."


def finding_lines(finding: Finding) -> list[str]:
    said = f", {len(finding.reviewers)} of {len(finding.saw)} reviewers" if finding.saw else ""
    lines = [
        f"### {finding.triage}: {_flat(finding.title)}",
        "",
        f"{finding.severity} · {code(str(finding.span))} · {finding.confidence} %{said} · {_flat(finding.why)}",
        "",
        escaped(finding.problem),
        "",
    ]
    if finding.quotes:
        lines += [block("\n".join(finding.quotes)), ""]
    return [*lines, *suggestion_lines(finding)]


def suggestion_lines(finding: Finding) -> list[str]:
    """Words as words, code as code; nothing that was tried and does not fit."""
    if not finding.suggestion or finding.suggestion_check.startswith("does not fit"):
        return []
    new = suggested_code(finding.suggestion)
    if new is None:
        return [f"Suggestion: {escaped(finding.suggestion)}", ""]
    return [
        f"Suggestion, instead of {code(str(finding.span))} ({finding.suggestion_check or 'not tried'}):",
        "",
        block(new),
        "",
    ]


def code(text: str) -> str:
    """Inline code that nothing inside can end."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{_flat(text)}{pad}{ticks}"


def block(text: str) -> str:
    longest = max((len(run) for run in _TICKS.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"


def escaped(text: str) -> str:
    """Text of a model: no HTML, no picture, no mention that would call somebody; code stays as it is."""
    parts = _CODE.split(text)
    return "".join(part if at % 2 else _plain(part) for at, part in enumerate(parts))


def _plain(text: str) -> str:
    text = text.replace("<", "&lt;").replace("![", "!\\[")
    return re.sub(r"(^|\W)@(?=\w)", "\\1@<!-- -->", text)


def _flat(text: str) -> str:
    return escaped(" ".join(text.split()))
