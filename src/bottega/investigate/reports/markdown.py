"""An investigation as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bottega.amounts import plural
from bottega.investigate.entries import SEVERITIES
from bottega.investigate.imports import describe_import
from bottega.investigate.report import InvestigationReport
from bottega.investigate.reports.scanned import format_size
from bottega.investigate.reports.text import DROPPED, format_confidence, format_coverage
from bottega.investigate.state import Synthesis
from bottega.source import show_invisible

_TICKS = re.compile(r"`+")
_ACTIVE = re.compile(r"([\\`*_\[\]<>|#!])")
# Renderers turn bare addresses into links, and a number or a sign at the start into a list or a rule.
_WEB = re.compile(r"(?i)\b(?:https?|ftp):|\bwww\.|(?<=\w)@(?=\w)")
_MARKER = re.compile(r"^(\d{0,9})([.)+=~-])")
_MAX_ROWS = 10
_MARKED = frozenset({"partial", "skipped", "not looked at"})


def render_markdown(report: InvestigationReport) -> str:
    """The report. Text from the target or a model is escaped, so it cannot make links, images or headings."""
    synthesis = report.synthesis
    lines = [
        f"# {join_words(report.target.rstrip('/').rpartition('/')[2] or '/')}",
        "",
        join_words(synthesis.brief),
        "",
    ]
    if not report.complete:
        lines += ["**This report is incomplete.**", "", *(f"- {join_words(gap)}" for gap in report.gaps), ""]
    lines += [*_render_flags(report), *_render_directories(report), *_render_synthesis(synthesis)]
    lines += _render_languages(report)
    lines += _render_list(
        "Large files",
        [f"{format_size(file['bytes'])} {render_code(file['path'])}" for file in report.scan["large"][:_MAX_ROWS]],
    )
    lines += _render_list(
        "What imports what",
        [join_words(describe_import(edge)) for edge in report.imports[:_MAX_ROWS]],
    )
    lines += _render_list(
        "Licences",
        [
            f"{join_words(licence['licence'])} {render_code(licence['path'])}"
            for licence in report.scan["licences"][:_MAX_ROWS]
        ],
    )
    rated = [directory.confidence for directory in report.directories if directory.confidence is not None]
    own = format_confidence(sum(rated) / len(rated) if rated else None)
    lines += [
        "",
        "## How it was made",
        "",
        f"- {join_words(report.model or 'no model')}, {report.spent},"
        f" {plural(report.known, 'directory')} known already",
        f"- coverage: {format_coverage(report.coverage)}; self-rated confidence: {own}",
        f"- report by {join_words(synthesis.made_by)}"
        + (f" ({join_words(synthesis.reason)})" if synthesis.reason else ""),
    ]
    return "\n".join(lines).rstrip() + "\n"


def join_words(text: str) -> str:
    """One line in which nothing is markup."""
    escaped = _ACTIVE.sub(r"\\\1", show_invisible(" ".join(text.split())))
    linkless = _WEB.sub(lambda found: found[0][:-1] + f"&#{ord(found[0][-1])};", escaped)
    return _MARKER.sub(r"\1\\\2", linkless)


def render_code(text: str) -> str:
    """A code span that nothing in it can close; bars are replaced, because they would end a table cell."""
    shown = show_invisible(" ".join(text.split())).replace("|", "¦")
    longest = max((len(run) for run in _TICKS.findall(shown)), default=0)
    fence = "`" * (longest + 1)
    return f"{fence} {shown} {fence}" if longest else f"`{shown}`"


def _render_flags(report: InvestigationReport) -> list[str]:
    lines = ["## What should worry", ""]
    for flag in sorted(report.flags, key=lambda flag: -SEVERITIES.index(flag.severity)):
        note = f" ({join_words(flag.note)})" if flag.note else ""
        lines.append(f"- **{flag.severity}** {render_code(flag.place)} {join_words(flag.finding)}{note}")
        if flag.citation and flag.citation.quote:
            lines.append(f"  > {render_code(flag.citation.quote)}")
    if not report.flags:
        lines.append("Nothing was flagged.")
    if report.dropped_flags:
        lines += ["", f"{report.dropped_flags} {DROPPED}."]
    return lines


def _render_directories(report: InvestigationReport) -> list[str]:
    lines = ["", "## Directories", "", "| directory | files | size | what it is |", "|---|---|---|---|"]
    for directory in report.directories:
        mark = f" *{directory.status}*" if directory.status in _MARKED else ""
        doubt = f" *In doubt: {join_words(directory.doubt)}*" if directory.doubt else ""
        name, size = render_code(directory.path or "./"), format_size(directory.bytes)
        summary = join_words(directory.summary or directory.reason)
        lines.append(f"| {name}{mark} | {directory.files} | {size} | {summary}{doubt} |")
    return lines


def _render_synthesis(synthesis: Synthesis) -> list[str]:
    lines: list[str] = []
    if synthesis.detailed != synthesis.brief:
        paragraphs = (part for part in synthesis.detailed.split("\n") if part.strip())
        lines += ["", "## In detail", "", *(f"{join_words(paragraph)}\n" for paragraph in paragraphs)]
    components = (
        f"**{join_words(component.name)}** {render_code(component.path)} {join_words(component.role)}"
        for component in synthesis.components
    )
    lines += _render_list("Components", list(components))
    lines += _render_list("Ways in", [render_code(path) for path in synthesis.entry_points])
    lines += _render_list("Technologies", [join_words(technology) for technology in synthesis.technologies])
    lines += _render_list("Data sets", [join_words(dataset) for dataset in synthesis.datasets])
    return lines + _render_list("Concerns", [join_words(concern) for concern in synthesis.concerns])


def _render_list(title: str, rows: Sequence[str]) -> list[str]:
    return ["", f"## {title}", "", *(f"- {row}" for row in rows)] if rows else []


def _render_languages(report: InvestigationReport) -> list[str]:
    rows = report.scan["languages"][:_MAX_ROWS]
    if not rows:
        return []
    head = ["", "## Languages", "", "| language | files | code | comment | blank |", "|---|---|---|---|---|"]
    return head + [
        f"| {join_words(row['language'])} | {row['files']} | {row['code']} | {row['comment']} | {row['blank']} |"
        for row in rows
    ]
