"""An investigation and a scan as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bottega.amounts import plural
from bottega.investigate.entries import SEVERITIES, Coverage, Flag
from bottega.investigate.report import DirectoryReport, InvestigationReport
from bottega.investigate.reports.scanned import format_size
from bottega.investigate.state import Component
from bottega.source import Span, quote_name

_BAR = 30
DROPPED = "more were dropped: what they cite is not there, or they say no more than a summary"
_MAX_ROWS = 10
_MAX_LANGUAGES, _MAX_GROUPS = 15, 5


def render_text(report: InvestigationReport, *, depth: int = 3) -> str:
    """The report: what the target is, then the flags, the directories and the facts."""
    synthesis = report.synthesis
    parts = [
        [quote_name(report.target), ""],
        _render_section("What it is", [synthesis.brief]),
        _render_section("What should worry", _render_flags(report.flags, report.dropped_flags)),
        _render_section("Directories", _render_directories(report, depth)),
        _render_section("Components", [_render_component(component) for component in synthesis.components]),
        _render_section("Ways in", [quote_name(path) for path in synthesis.entry_points]),
        _render_section("Technologies", [", ".join(synthesis.technologies)] if synthesis.technologies else []),
        _render_section("Data sets", list(synthesis.datasets)),
        _render_section("Concerns", list(synthesis.concerns)),
        _render_section("In detail", [synthesis.detailed] if synthesis.detailed != synthesis.brief else []),
        render_scan_sections(report.scan),
        _render_section("How it was made", _describe_making(report)),
    ]
    return "\n".join(line for part in parts for line in part) + "\n"


def render_scan(scan: Mapping[str, Any], tree: str) -> str:
    """A scan alone, as `bottega scan` prints it."""
    lines = [
        scan["target"],
        f"{plural(scan['files'], 'file')} in {plural(scan['directories'], 'directory')}, {format_size(scan['bytes'])}"
        f" ({format_size(scan['disk_bytes'])} on disk)",
        "",
        *_render_section("Tree", tree.split("\n")),
        *render_scan_sections(scan),
        *_render_section(
            "Secrets",
            [_format_suspect(secret) + f"  {secret['kind']}" for secret in scan["secrets"][:_MAX_ROWS]],
            scan["secret_count"],
        ),
        *_render_section(
            "Orders to assistants", [_format_suspect(line) for line in scan["orders"][:_MAX_ROWS]], len(scan["orders"])
        ),
    ]
    return "\n".join(lines) + "\n"


def render_scan_sections(scan: Mapping[str, Any]) -> list[str]:
    return [
        *_render_section("Kinds of files", _render_categories(scan)),
        *_render_section("Languages", _render_languages(scan)),
        *_render_section(
            "Read in part",
            [f"{plural(scan['sampled'], 'long file')} by the beginning"] if scan["sampled"] else [],
        ),
        *_render_section(
            "Large files", [_format_large_file(file) for file in scan["large"][:_MAX_ROWS]], scan["large_count"]
        ),
        *_render_section(
            "Recently changed", [f"{_format_day(file['modified'])}  {file['path']}" for file in scan["recent"]]
        ),
        *_render_section(
            "Disk usage",
            [
                f"{format_size(usage['disk_bytes']):>9}  {usage['path']}  ({plural(usage['files'], 'file')})"
                for usage in scan["usage"][:_MAX_ROWS]
            ],
            len(scan["usage"]),
        ),
        *_render_section(
            "Copies", [_format_copies(group) for group in scan["duplicates"][:_MAX_GROUPS]], len(scan["duplicates"])
        ),
        *_render_section("Licences", _render_licences(scan)),
        *_render_section(
            "Entry points",
            [f"{entry['path']}: {entry['why']}" for entry in scan["entry_points"][:_MAX_ROWS]],
            scan["entry_count"],
        ),
        *_render_section(
            "Not looked into",
            [_format_left_out(entry) for entry in scan["left_out"][:_MAX_ROWS]],
            len(scan["left_out"]),
        ),
        *_render_section(
            "Neither files nor directories",
            [f"{special['path']}: {special['kind']}" for special in scan["specials"][:_MAX_ROWS]],
            len(scan["specials"]),
        ),
        *_render_section(
            "Could not be read",
            [f"{problem['path']}: {problem['why']}" for problem in scan["remarks"][:_MAX_ROWS]],
            scan["remark_count"],
        ),
    ]


def format_confidence(rated: float | None) -> str:
    return "not rated" if rated is None else f"{rated:.2f}"


def format_coverage(read: Coverage) -> str:
    if not read.files:
        return "no files of its own"
    cut = f", {plural(read.cut, 'reading')} cut" if read.cut else ""
    return f"read {read.files_read} of {plural(read.files, 'file')}, {read.of_bytes:.0%} of the bytes{cut}"


def _render_section(title: str, lines: Sequence[str], count: int | None = None) -> list[str]:
    if not lines:
        return []
    more = (count or 0) - len(lines)
    head, rest = (f"{title} ({count:,})", [f"… and {more:,} more"]) if more > 0 else (title, [])
    return [head, *(f"  {inner}" for line in [*lines, *rest] for inner in line.split("\n")), ""]


def _render_flags(flags: Sequence[Flag], dropped: int) -> list[str]:
    lines = []
    for severity in reversed(SEVERITIES):
        for flag in flags:
            if flag.severity == severity:
                place = quote_name(flag.place)
                lines.append(f"[{severity.upper()}] {place}: {flag.finding}" + (f" ({flag.note})" if flag.note else ""))
                if flag.citation and flag.citation.quote:
                    lines.append(f"    > {flag.citation.quote[:160]}")
    if dropped:
        lines.append(f"({dropped} {DROPPED})")
    return lines or ["nothing was flagged"]


def _render_directories(report: InvestigationReport, depth: int) -> list[str]:
    """One line for each directory; none without a model, because there are no summaries."""
    if not report.model:
        return []
    return [_render_directory(directory) for directory in report.directories if directory.path.count("/") <= depth]


def _render_directory(directory: DirectoryReport) -> str:
    mark = {"partial": " [partly]", "skipped": " [skipped]", "not looked at": " [not looked at]"}.get(
        directory.status, ""
    )
    summary = (directory.summary or directory.reason) + (f" (in doubt: {directory.doubt})" if directory.doubt else "")
    return f"{quote_name(directory.path) or './'}{mark}  {' '.join(summary.split())}"


def _render_component(component: Component) -> str:
    place = "" if component.name == component.path else f" ({quote_name(component.path)})"
    return f"{quote_name(component.name)}{place}: {' '.join(component.role.split())}"


def _describe_making(report: InvestigationReport) -> list[str]:
    rated = [directory.confidence for directory in report.directories if directory.confidence is not None]
    own = f"{sum(rated) / len(rated):.2f} on average over {len(rated)}" if rated else "none given"
    lines = [
        f"model {report.model or 'none'}, {report.spent};"
        f" {report.known} of {plural(len(report.directories), 'directory')} known already",
        f"coverage: {format_coverage(report.coverage)}; self-rated confidence: {own}",
        f"report by {report.synthesis.made_by}" + (f" ({report.synthesis.reason})" if report.synthesis.reason else ""),
    ]
    return [*lines, *(f"incomplete: {gap}" for gap in report.gaps)]


def _render_categories(scan: Mapping[str, Any]) -> list[str]:
    rows = sorted(scan["categories"].items(), key=lambda pair: -pair[1]["files"])
    most = max((row["files"] for _, row in rows), default=1)
    return [
        f"{name:<9} {row['files']:>8,}  {format_size(row['bytes']):>9}  {'#' * max(1, _BAR * row['files'] // most)}"
        for name, row in rows
    ]


def _render_languages(scan: Mapping[str, Any]) -> list[str]:
    rows = scan["languages"][:_MAX_LANGUAGES]
    if not rows:
        return []
    head = f"{'':<20} {'files':>7} {'code':>10} {'comment':>9} {'blank':>9}"
    return (
        [head]
        + [
            f"{row['language']:<20} {row['files']:>7,} {row['code']:>10,} {row['comment']:>9,} {row['blank']:>9,}"
            for row in rows
        ]
        + _count_rest(scan["languages"], len(rows))
    )


def _count_rest(rows: Sequence[Any], shown: int) -> list[str]:
    return [f"… and {len(rows) - shown:,} more"] if len(rows) > shown else []


def _format_large_file(file: Mapping[str, Any]) -> str:
    lines = f", {plural(file['lines'], 'line')}" if file["lines"] else ""
    return f"{format_size(file['bytes']):>9}{lines}  {file['path']}"


def _format_copies(group: Mapping[str, Any]) -> str:
    return f"{format_size(group['wasted'])} in {group['copies']} equal files: {', '.join(group['paths'][:3])}"


def _render_licences(scan: Mapping[str, Any]) -> list[str]:
    lines = [f"{licence['path']}: {licence['licence']}" for licence in scan["licences"][:_MAX_ROWS]]
    lines += _count_rest(scan["licences"], len(lines))
    headers = sorted(scan["licence_headers"].items(), key=lambda pair: -pair[1])[:5]
    if headers:
        lines.append("in files: " + ", ".join(f"{name} {count:,}" for name, count in headers))
    return lines


def _format_left_out(entry: Mapping[str, Any]) -> str:
    return f"{entry['path']}: {entry['why']}, {plural(entry['files'], 'file')}, {format_size(entry['bytes'])}"


def _format_suspect(line: Mapping[str, Any]) -> str:
    return str(Span(**line["span"])) + (" (test)" if line["is_test"] else "")


def _format_day(moment: float) -> str:
    try:
        return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return "(no date)"
