"""An investigation as one HTML page: what it is, flags, a tree map, the directory tree, the facts of the scan."""

from __future__ import annotations

from collections.abc import Iterator

from bottega.amounts import plural
from bottega.investigate.entries import SEVERITIES, Flag
from bottega.investigate.report import InvestigationReport
from bottega.investigate.reports.directories import render_directories
from bottega.investigate.reports.facts import read_style, render_facts, render_map, render_readme_box
from bottega.investigate.reports.scanned import format_size
from bottega.investigate.reports.text import DROPPED, format_coverage
from bottega.investigate.state import Synthesis
from bottega.pages import (
    FILTER,
    TREE,
    FilterChoice,
    escape_name,
    escape_text,
    highlight_lines,
    mark_filtered,
    render_badge,
    render_figures,
    render_filter,
    render_line,
    render_page,
    render_prose,
    render_table,
)

_WEIGHTS = {"critical": "worst", "concern": "warning", "info": "slight"}
_PARTS = (
    ("flags", "Flags"),
    ("map", "Map"),
    ("directories", "Directories"),
    ("facts", "Facts of the scan"),
    ("made", "How it was made"),
)


def render_html(report: InvestigationReport) -> str:
    name = report.target.rstrip("/").rpartition("/")[2] or "/"
    parts = [
        *_render_head(report, name),
        *_render_flags(report),
        *render_map(report.scan),
        *render_directories(report),
        *_render_details(report.synthesis),
        *render_facts(report.scan),
        *_render_making(report),
    ]
    return render_page(
        f"{name} · investigation",
        parts,
        kind="bottega investigate",
        skip_to="flags",
        style=read_style(),
        scripts=(FILTER, TREE),
    )


def _render_head(report: InvestigationReport, name: str) -> Iterator[str]:
    who = report.model or "no model"
    when = report.at[:16].replace("T", " ")
    yield f"<header><h1>{escape_name(name)}</h1>"
    yield f'<p class="soft">{escape_name(report.target)} · {escape_name(when)} · {escape_name(who)}</p>'
    if not report.complete:
        gaps = "".join(f"<li>{escape_text(gap)}</li>" for gap in report.gaps)
        yield f'<div class="gaps"><p><strong>This report is incomplete.</strong></p><ul>{gaps}</ul></div>'
    yield "</header>"
    yield _render_figures(report)
    missing = {"" if report.scan["cells"] else "map", "" if report.directories else "directories"}
    shown = "".join(f'<a href="#{anchor}">{words}</a>' for anchor, words in _PARTS if anchor not in missing)
    yield f'<nav class="jump" aria-label="Parts of this page">{shown}</nav>'
    readme = render_readme_box(report.scan)  # rules quote it, so that beside it only their brief is shown
    yield '<div class="intro"><section><h2>What it is</h2>'
    yield f'<div class="prose brief">{render_prose(report.synthesis.brief)}</div>'
    if report.synthesis.detailed != report.synthesis.brief and not (report.synthesis.made_by == "rules" and readme):
        yield f'<div class="prose">{render_prose(report.synthesis.detailed)}</div>'
    yield f"</section>{readme}</div>"


def _render_figures(report: InvestigationReport) -> str:
    counts = {severity: sum(flag.severity == severity for flag in report.flags) for severity in reversed(SEVERITIES)}
    read = report.coverage
    code = sum(row["code"] for row in report.scan["languages"])
    figures = [
        *((_WEIGHTS[name] if count else "", f"{count:,}", f"flags: {name}") for name, count in counts.items()),
        ("", f"{report.scan['files']:,}", "files"),
        ("", f"{report.scan['directories']:,}", "directories"),
        ("", f"{code:,}", "lines of code"),
        ("", format_size(report.scan["bytes"]), "size"),
    ]
    if report.model:
        figures += [("", f"{read.of_files:.0%}", "of files read"), ("", f"{read.of_bytes:.0%}", "of bytes read")]
    return render_figures(figures)


def _render_flags(report: InvestigationReport) -> Iterator[str]:
    yield '<section id="flags"><h2>What should worry</h2>'
    flags = sorted(report.flags, key=lambda flag: -SEVERITIES.index(flag.severity))
    if not flags:
        yield "<p>Nothing was flagged.</p>"
    choices = [FilterChoice(severity, _WEIGHTS[severity], severity) for severity in reversed(SEVERITIES)]
    yield render_filter("flags", choices, [(flag.severity, flag.path) for flag in flags])
    yield from map(_render_flag, flags)
    if report.dropped_flags:
        yield f"<p><small>{report.dropped_flags} {DROPPED}.</small></p>"
    yield "</section>"


def _render_flag(flag: Flag) -> str:
    weight = _WEIGHTS[flag.severity]
    quote = flag.citation.quote if flag.citation else ""
    shown = f"<pre>{chr(10).join(highlight_lines(quote, flag.path, is_fragment=True))}</pre>" if quote else ""
    note = f"<p><em>{escape_text(flag.note)}</em></p>" if flag.note else ""
    by = f" · seen by {escape_name(flag.source)}" if flag.source else ""
    return (
        f'<article class="flag {weight}"{mark_filtered(flag.severity, flag.path, is_listed=True)}>'
        f'<p class="soft">{render_badge(weight, flag.severity)} <code>{escape_name(flag.place)}</code>{by}</p>'
        f'<div class="prose">{render_prose(flag.finding)}</div>{shown}{note}</article>'
    )


def _render_details(synthesis: Synthesis) -> Iterator[str]:
    if synthesis.components:
        rows = (
            (
                f"<b>{escape_name(component.name)}</b>",
                f"<code>{escape_name(component.path)}</code>",
                render_line(component.role),
            )
            for component in synthesis.components
        )
        table = render_table("Components", ("Component", "Path", "What it does"), rows)
        yield f'<section id="components"><h2>Components</h2>{table}</section>'
    yield '<div class="facts">'
    for title, lines in (
        ("Ways in", synthesis.entry_points),
        ("Technologies", synthesis.technologies),
        ("Data sets", synthesis.datasets),
        ("Concerns", synthesis.concerns),
    ):
        if lines:
            yield f"<section><h2>{title}</h2><ul>" + "".join(f"<li>{render_line(line)}</li>" for line in lines)
            yield "</ul></section>"
    yield "</div>"


def _render_making(report: InvestigationReport) -> Iterator[str]:
    rated = [directory.confidence for directory in report.directories if directory.confidence is not None]
    own = f"{sum(rated) / len(rated):.2f} on average over {plural(len(rated), 'directory')}" if rated else "none given"
    reason = f" ({escape_text(report.synthesis.reason)})" if report.synthesis.reason else ""
    yield '<section id="made"><h2>How it was made</h2><ul>'
    yield f"<li>{report.spent}; {plural(report.known, 'directory')} known already</li>"
    yield f"<li>Coverage: {format_coverage(report.coverage)}</li><li>Self-rated confidence: {own}</li>"
    yield f"<li>Report by {escape_name(report.synthesis.made_by)}{reason}</li></ul></section>"
