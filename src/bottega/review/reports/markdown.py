"""A review as Markdown, for files and comments."""

from __future__ import annotations

import re

from bottega.amounts import plural
from bottega.review.findings import Finding
from bottega.review.report import ReviewReport
from bottega.review.suggesting import extract_code
from bottega.source import show_invisible

_TICKS = re.compile(r"`+")
_CODE = re.compile(r"(?<!`)(`[^`\n]+`)(?!`)")


def render_markdown(report: ReviewReport) -> str:
    lines = [f"# Review: {report.decision}", "", render_headline(report), ""]
    lines += [f"- {_flatten(reason)}" for reason in report.reasons] + [""]
    open_findings = report.open_findings()
    if open_findings:
        lines += ["## To look at", ""]
        for finding in open_findings:
            lines += render_finding(finding)
    lesser = report.ignored_findings()
    if lesser:
        lines += ["## Of less weight", ""]
        lines += [
            f"- {finding.severity} {render_code(str(finding.span))} {_flatten(finding.title)}: {_flatten(finding.why)}"
            for finding in lesser
        ]
        lines += [""]
    lines += ["## What was done", ""]
    lines += [
        f"- {check.name}: {check.status}{f', {_flatten(check.detail)}' if check.detail else ''}"
        for check in report.checks
    ]
    if report.independence:
        lines += [f"- panel: {report.independence}"]
    if report.dropped:
        lines += [f"- {plural(len(report.dropped), 'finding')} removed: not about this change"]
    lines += [f"- not read: {render_code(file.path)}, {file.reason}" for file in report.left_out]
    return "\n".join(lines).rstrip() + "\n"


def render_headline(report: ReviewReport) -> str:
    """One sentence: what, by whom, how completely."""
    by = "without a model" if report.static_only else f"by {report.independence}"
    how = "" if report.complete else " **This review is incomplete.**"
    files = plural(len(report.paths), "file")
    return f"{files} of {_flatten(report.origin)}, reviewed {by}.{how} {_flatten(report.checked_by)}."


def render_finding(finding: Finding) -> list[str]:
    said = f", {len(finding.reviewers)} of {plural(len(finding.saw), 'reviewer')}" if finding.saw else ""
    lines = [
        f"### {finding.triage}: {_flatten(finding.title)}",
        "",
        f"{finding.severity} · {render_code(str(finding.span))} · {finding.confidence} %{said}"
        f" · {_flatten(finding.why)}",
        "",
        escape_text(finding.problem),
        "",
    ]
    if finding.quotes:
        lines += [render_block("\n".join(finding.quotes)), ""]
    return [*lines, *render_suggestion(finding)]


def render_suggestion(finding: Finding) -> list[str]:
    """Render a suggestion as prose or code; omit one that failed."""
    if not finding.suggestion or finding.suggestion_check.startswith("does not fit"):
        return []
    new = extract_code(finding.suggestion)
    if new is None:
        return [f"Suggestion: {escape_text(finding.suggestion)}", ""]
    return [
        f"Suggestion, instead of {render_code(str(finding.span))} ({finding.suggestion_check or 'not tried'}):",
        "",
        render_block(new),
        "",
    ]


def render_code(text: str) -> str:
    """Inline code, fenced by more backticks than any run inside."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{_flatten(text)}{pad}{ticks}"


def render_block(text: str) -> str:
    longest = max((len(run) for run in _TICKS.findall(text)), default=2)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{show_invisible(text)}\n{fence}"


def escape_text(text: str) -> str:
    """Escape a model's text: no HTML, no images, no mentions, no control characters; code spans keep their signs."""
    parts = _CODE.split(show_invisible(text))
    return "".join(part if at % 2 else _escape_plain(part) for at, part in enumerate(parts))


def _escape_plain(text: str) -> str:
    text = text.replace("<", "&lt;").replace("![", "!\\[")
    return re.sub(r"(^|\W)@(?=\w)", "\\1@<!-- -->", text)


def _flatten(text: str) -> str:
    return escape_text(" ".join(text.split()))
