"""An investigation and a scan as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bottega.investigate.entries import SEVERITIES, Coverage, Flag
from bottega.investigate.report import DirectoryReport, InvestigationReport
from bottega.investigate.reports.scanned import human
from bottega.investigate.state import Component
from bottega.source import Span, quote_name

_BAR = 30
DROPPED = "more were dropped: what they cite is not there, or they say no more than a summary"
_MAX_ROWS = 10


def text(report: InvestigationReport, *, depth: int = 3) -> str:
    """The report: what the target is, then the flags, the directories and the facts."""
    synthesis = report.synthesis
    parts = [
        [quote_name(report.target), ""],
        _section("What it is", [synthesis.brief]),
        _section("What should worry", _flags(report.flags, report.dropped_flags)),
        _section("Directories", _directories(report, depth)),
        _section("Components", [_component(component) for component in synthesis.components]),
        _section("Ways in", [quote_name(path) for path in synthesis.entry_points]),
        _section("Technologies", [", ".join(synthesis.technologies)] if synthesis.technologies else []),
        _section("Data sets", list(synthesis.datasets)),
        _section("Concerns", list(synthesis.concerns)),
        _section("In detail", [synthesis.detailed] if synthesis.detailed != synthesis.brief else []),
        scan_sections(report.scan),
        _section("How it was made", _describe_making(report)),
    ]
    return "\n".join(line for part in parts for line in part) + "\n"


def scan_text(scan: Mapping[str, Any], tree: str) -> str:
    """A scan alone, as `bottega scan` prints it."""
    lines = [
        scan["target"],
        f"{scan['files']:,} files in {scan['directories']:,} directories, {human(scan['bytes'])}"
        f" ({human(scan['disk_bytes'])} on disk)",
        "",
        *_section("Tree", tree.split("\n")),
        *scan_sections(scan),
        *_section(
            "Secrets",
            [_place(secret) + f"  {secret['kind']}" for secret in scan["secrets"][:_MAX_ROWS]],
            scan["secret_count"],
        ),
        *_section("Orders to assistants", [_place(line) for line in scan["orders"][:_MAX_ROWS]], len(scan["orders"])),
    ]
    return "\n".join(lines) + "\n"


def scan_sections(scan: Mapping[str, Any]) -> list[str]:
    return [
        *_section("Kinds of files", _categories(scan)),
        *_section("Languages", _languages(scan)),
        *_section("Read in part", [f"{scan['sampled']:,} long files by their beginning"] if scan["sampled"] else []),
        *_section("Large files", [_large_file(file) for file in scan["large"][:_MAX_ROWS]], scan["large_count"]),
        *_section("Recently changed", [f"{_day(file['modified'])}  {file['path']}" for file in scan["recent"]]),
        *_section(
            "Disk usage",
            [
                f"{human(usage['disk_bytes']):>9}  {usage['path']}  ({usage['files']:,} files)"
                for usage in scan["usage"][:_MAX_ROWS]
            ],
        ),
        *_section("Copies", [_copies(group) for group in scan["duplicates"][:5]], scan["duplicate_files"]),
        *_section("Licences", _licences(scan)),
        *_section(
            "Entry points",
            [f"{entry['path']}: {entry['why']}" for entry in scan["entry_points"][:_MAX_ROWS]],
            scan["entry_count"],
        ),
        *_section(
            "Not looked into", [_left_out(entry) for entry in scan["left_out"][:_MAX_ROWS]], len(scan["left_out"])
        ),
        *_section(
            "Neither files nor directories",
            [f"{special['path']}: {special['kind']}" for special in scan["specials"][:_MAX_ROWS]],
        ),
        *_section(
            "Could not be read",
            [f"{problem['path']}: {problem['why']}" for problem in scan["remarks"][:_MAX_ROWS]],
            scan["remark_count"],
        ),
    ]


def confidence(rated: float | None) -> str:
    return "not rated" if rated is None else f"{rated:.2f}"


def coverage(read: Coverage) -> str:
    if not read.files:
        return "no files of its own"
    cut = f", {read.cut} readings cut" if read.cut else ""
    return f"read {read.files_read} of {read.files} files, {read.of_bytes:.0%} of the bytes{cut}"


def _section(title: str, lines: Sequence[str], count: int | None = None) -> list[str]:
    if not lines:
        return []
    head = f"{title} ({count:,})" if count is not None and count > len(lines) else title
    return [head, *(f"  {inner}" for line in lines for inner in line.split("\n")), ""]


def _flags(flags: Sequence[Flag], dropped: int) -> list[str]:
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


def _directories(report: InvestigationReport, depth: int) -> list[str]:
    """One line for each directory; none without a model, because there are no summaries."""
    if not report.model:
        return []
    return [_directory(directory) for directory in report.directories if directory.path.count("/") <= depth]


def _directory(directory: DirectoryReport) -> str:
    mark = {"partial": " [partly]", "skipped": " [skipped]", "not looked at": " [not looked at]"}.get(
        directory.status, ""
    )
    summary = (directory.summary or directory.reason) + (f" (in doubt: {directory.doubt})" if directory.doubt else "")
    return f"{quote_name(directory.path) or './'}{mark}  {' '.join(summary.split())}"


def _component(component: Component) -> str:
    place = "" if component.name == component.path else f" ({quote_name(component.path)})"
    return f"{quote_name(component.name)}{place}: {' '.join(component.role.split())}"


def _describe_making(report: InvestigationReport) -> list[str]:
    rated = [directory.confidence for directory in report.directories if directory.confidence is not None]
    own = f"{sum(rated) / len(rated):.2f} on average over {len(rated)}" if rated else "none given"
    lines = [
        f"model {report.model or 'none'}, {report.turns} turns, {report.tokens:,} tokens;"
        f" {report.known} of {len(report.directories)} directories were known already",
        f"coverage: {coverage(report.coverage)}; self-rated confidence: {own}",
        f"report by {report.synthesis.made_by}" + (f" ({report.synthesis.reason})" if report.synthesis.reason else ""),
    ]
    return [*lines, *(f"incomplete: {gap}" for gap in report.gaps)]


def _categories(scan: Mapping[str, Any]) -> list[str]:
    rows = sorted(scan["categories"].items(), key=lambda pair: -pair[1]["files"])
    most = max((row["files"] for _, row in rows), default=1)
    return [
        f"{name:<9} {row['files']:>8,}  {human(row['bytes']):>9}  {'#' * max(1, _BAR * row['files'] // most)}"
        for name, row in rows
    ]


def _languages(scan: Mapping[str, Any]) -> list[str]:
    rows = scan["languages"][:15]
    if not rows:
        return []
    head = f"{'':<20} {'files':>7} {'code':>10} {'comment':>9} {'blank':>9}"
    return [head] + [
        f"{row['language']:<20} {row['files']:>7,} {row['code']:>10,} {row['comment']:>9,} {row['blank']:>9,}"
        for row in rows
    ]


def _large_file(file: Mapping[str, Any]) -> str:
    lines = f", {file['lines']:,} lines" if file["lines"] else ""
    return f"{human(file['bytes']):>9}{lines}  {file['path']}"


def _copies(group: Mapping[str, Any]) -> str:
    return f"{human(group['wasted'])} in {group['copies']} equal files: {', '.join(group['paths'][:3])}"


def _licences(scan: Mapping[str, Any]) -> list[str]:
    lines = [f"{licence['path']}: {licence['licence']}" for licence in scan["licences"][:_MAX_ROWS]]
    headers = sorted(scan["licence_headers"].items(), key=lambda pair: -pair[1])[:5]
    if headers:
        lines.append("in files: " + ", ".join(f"{name} {count:,}" for name, count in headers))
    return lines


def _left_out(entry: Mapping[str, Any]) -> str:
    return f"{entry['path']}: {entry['why']}, {entry['files']:,} files, {human(entry['bytes'])}"


def _place(line: Mapping[str, Any]) -> str:
    return str(Span(**line["span"])) + (" (test)" if line["is_test"] else "")


def _day(moment: float) -> str:
    try:
        return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return "(no date)"
