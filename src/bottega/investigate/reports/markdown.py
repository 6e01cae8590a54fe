"""An investigation as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bottega.investigate.entries import SEVERITIES
from bottega.investigate.report import Report
from bottega.investigate.reports.scanned import human
from bottega.investigate.reports.text import DROPPED, confidence, coverage

_TICKS = re.compile(r"`+")
_ACTIVE = re.compile(r"([\\`*_\[\]<>|#!])")
# Where Markdown is shown, bare addresses become links, and a number or a sign at the start a list or a rule.
_WEB = re.compile(r"(?i)\b(?:https?|ftp):|\bwww\.|(?<=\w)@(?=\w)")
_MARKER = re.compile(r"^(\d{0,9})([.)+=~-])")
_MOST = 10


def markdown(report: Report) -> str:
    """Whatever came from the target or from a model is escaped: it cannot make links, images or headings."""
    said = report.synthesis
    lines = [f"# {flat(report.target.rstrip('/').rpartition('/')[2] or '/')}", "", flat(said.brief), ""]
    if not report.complete:
        lines += ["**This report is incomplete.**", "", *(f"- {flat(gap)}" for gap in report.gaps), ""]
    lines += ["## What should worry", ""]
    for severity in reversed(SEVERITIES):
        for flag in (one for one in report.flags if one.severity == severity):
            place = str(flag.citation) if flag.citation else flag.path
            note = f" ({flat(flag.note)})" if flag.note else ""
            lines.append(f"- **{severity}** {code(place)} {flat(flag.finding)}{note}")
            if flag.citation and flag.citation.quote:
                lines.append(f"  > {code(flag.citation.quote)}")
    if not report.flags:
        lines.append("Nothing was flagged.")
    if report.dropped_flags:
        lines += ["", f"{report.dropped_flags} {DROPPED}."]
    lines += ["", "## Directories", "", "| directory | files | size | what it is |", "|---|---|---|---|"]
    for one in report.directories:
        mark = f" *{one.standing}*" if one.standing in {"partial", "skipped", "not looked at"} else ""
        what = flat(one.summary or one.reason) + (f" *In doubt: {flat(one.doubt)}*" if one.doubt else "")
        lines.append(f"| {code(one.path or './')}{mark} | {one.files} | {human(one.bytes)} | {what} |")
    if said.detailed != said.brief:
        lines += ["", "## In detail", "", *(flat(part) + "\n" for part in said.detailed.split("\n") if part.strip())]
    lines += _list("Components", [f"**{flat(one.name)}** {code(one.path)} {flat(one.role)}" for one in said.components])
    lines += _list("Ways in", [code(path) for path in said.entry_points])
    lines += _list("Technologies", [flat(one) for one in said.technologies])
    lines += _list("Data sets", [flat(one) for one in said.datasets])
    lines += _list("Concerns", [flat(one) for one in said.concerns])
    lines += _languages(report)
    lines += _list(
        "Large files", [f"{human(one['bytes'])} {code(one['path'])}" for one in report.scan["large"][:_MOST]]
    )
    lines += _list(
        "Licences", [f"{flat(one['licence'])} {code(one['path'])}" for one in report.scan["licences"][:_MOST]]
    )
    rated = [one.confidence for one in report.directories if one.confidence is not None]
    own = confidence(sum(rated) / len(rated) if rated else None)
    lines += [
        "",
        "## How it was made",
        "",
        f"- {flat(report.model or 'no model')}, {report.turns} turns, {report.tokens} tokens,"
        f" {report.known} directories known already",
        f"- coverage: {coverage(report.coverage)}; self-rated confidence: {own}",
        f"- report by {flat(said.made_by)}" + (f" ({flat(said.reason)})" if said.reason else ""),
    ]
    return "\n".join(lines).rstrip() + "\n"


def flat(text: str) -> str:
    """One line in which nothing is markup."""
    escaped = _ACTIVE.sub(r"\\\1", " ".join(text.split()))
    linkless = _WEB.sub(lambda found: found[0][:-1] + f"&#{ord(found[0][-1])};", escaped)
    return _MARKER.sub(r"\1\\\2", linkless)


def code(text: str) -> str:
    """A span of code that nothing in it can close; bars stay out of tables."""
    shown = " ".join(text.split()).replace("|", "¦")
    longest = max((len(run) for run in _TICKS.findall(shown)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}" if longest else f"`{shown}`"


def _list(title: str, rows: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *(f"- {row}" for row in rows)] if rows else []


def _languages(report: Report) -> list[str]:
    rows = report.scan["languages"][:_MOST]
    if not rows:
        return []
    head = ["", "## Languages", "", "| language | files | code | comment | blank |", "|---|---|---|---|---|"]
    return head + [
        f"| {flat(one['language'])} | {one['files']} | {one['code']} | {one['comment']} | {one['blank']} |"
        for one in rows
    ]
