"""A review as a comment on a pull request: one summary, and few remarks on lines that the change touches."""

from __future__ import annotations

import json

from bottega.amounts import plural
from bottega.review.findings import Finding
from bottega.review.report import ReviewReport
from bottega.review.reports.markdown import escape_text, render_code, render_finding, render_headline, render_suggestion
from bottega.source import Diff

MARK = "<!-- bottega review -->"
_MOST_INLINE = 10
_LONGEST = 60_000
_SIGNS = {"ACCEPT": "✅", "REJECT": "❌", "NEEDS_HUMAN": "👀"}
_EVENTS = {"ACCEPT": "COMMENT", "REJECT": "REQUEST_CHANGES", "NEEDS_HUMAN": "COMMENT"}


def render_github(report: ReviewReport, diff: Diff) -> str:
    """The body of a review as GitHub's interface takes it: `event`, `body` and `comments`."""
    inline = [finding for finding in report.open_findings() if _find_anchor(finding, diff) is not None][:_MOST_INLINE]
    body = _render_body(report, inline)
    comments = []
    for finding in inline:
        anchor = _find_anchor(finding, diff)
        assert anchor is not None
        first, last = anchor
        comment = {"path": finding.span.path, "line": last, "side": "RIGHT", "body": _render_remark(finding)}
        comments.append(comment if first == last else {**comment, "start_line": first, "start_side": "RIGHT"})
    return (
        json.dumps({"event": _EVENTS[report.decision], "body": body, "comments": comments}, ensure_ascii=False) + "\n"
    )


def _find_anchor(finding: Finding, diff: Diff) -> tuple[int, int] | None:
    """The cited lines inside one hunk; GitHub accepts comments only there."""
    file = diff.file(finding.span.path)
    if file is None or file.status == "deleted":
        return None
    for hunk in file.hunks:
        lines = [line.new for line in hunk.lines if line.new and finding.span.first <= line.new <= finding.span.last]
        if lines:
            return lines[0], lines[-1]
    return None


def _render_body(report: ReviewReport, inline: list[Finding]) -> str:
    lines = [MARK, f"## {_SIGNS[report.decision]} {report.decision}", "", render_headline(report), ""]
    lines += [f"- {escape_text(' '.join(reason.split()))}" for reason in report.reasons]
    rest = [finding for finding in report.open_findings() if finding not in inline]
    if inline:
        lines += [
            "",
            f"{plural(len(inline), 'remark')} beside the lines concerned.",
        ]
    if rest:
        lines += ["", "### Further"]
        for finding in rest:
            lines += render_finding(finding)
    details = [f"- {check.name}: {check.status}, {escape_text(check.detail)}" for check in report.checks]
    details += [f"- not read: {render_code(file.path)}, {file.reason}" for file in report.left_out]
    lines += ["", "<details><summary>What was done</summary>", "", *details, "", "</details>"]
    body = "\n".join(lines)
    return body if len(body) <= _LONGEST else body[:_LONGEST] + "\n\n(cut: the whole is in the session folder)"


def _render_remark(finding: Finding) -> str:
    lines = [
        f"**{finding.triage}: {escape_text(' '.join(finding.title.split()))}**",
        f"{finding.severity}, {finding.confidence} %",
        "",
        escape_text(finding.problem),
        "",
        *render_suggestion(finding),
    ]
    return "\n".join(lines).strip()
