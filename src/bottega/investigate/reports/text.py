"""An investigation and a scan as text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from bottega.investigate.entries import SEVERITIES, Coverage, Flag
from bottega.investigate.report import DirectoryLine, Report
from bottega.investigate.reports.scanned import human
from bottega.investigate.state import Component
from bottega.investigate.units import named

_BAR = 30
DROPPED = "more were dropped: what they cite is not there, or they say no more than a summary"
_MOST = 10


def text(report: Report, *, depth: int = 3) -> str:
    """What it is first, what should worry second, the facts last."""
    said = report.synthesis
    parts = [
        [named(report.target), ""],
        _section("What it is", [said.brief]),
        _section("What should worry", _flags(report.flags, report.dropped_flags)),
        _section("Directories", _directories(report, depth)),
        _section("Components", [_component(one) for one in said.components]),
        _section("Ways in", [named(path) for path in said.entry_points]),
        _section("Technologies", [", ".join(said.technologies)] if said.technologies else []),
        _section("Data sets", list(said.datasets)),
        _section("Concerns", list(said.concerns)),
        _section("In detail", [said.detailed] if said.detailed != said.brief else []),
        scan_sections(report.scan),
        _section("How it was made", _standing(report)),
    ]
    return "\n".join(line for part in parts for line in part) + "\n"


def scan_text(scan: Mapping[str, Any], tree: str) -> str:
    lines = [
        scan["target"],
        f"{scan['files']:,} files in {scan['directories']:,} directories, {human(scan['bytes'])}"
        f" ({human(scan['disk_bytes'])} on disk)",
        "",
        *_section("Tree", tree.split("\n")),
        *scan_sections(scan),
        *_section(
            "Secrets", [_place(one) + f"  {one['kind']}" for one in scan["secrets"][:_MOST]], scan["secret_count"]
        ),
        *_section("Orders to assistants", [_place(one) for one in scan["orders"][:_MOST]], len(scan["orders"])),
    ]
    return "\n".join(lines) + "\n"


def scan_sections(scan: Mapping[str, Any]) -> list[str]:
    return [
        *_section("Kinds of files", _categories(scan)),
        *_section("Languages", _languages(scan)),
        *_section("Read in part", [f"{scan['sampled']:,} long files by their beginning"] if scan["sampled"] else []),
        *_section("Large files", [_large(one) for one in scan["large"][:_MOST]], scan["large_count"]),
        *_section("Recently changed", [f"{_day(one['modified'])}  {one['path']}" for one in scan["recent"]]),
        *_section(
            "Disk usage",
            [
                f"{human(one['disk_bytes']):>9}  {one['path']}  ({one['files']:,} files)"
                for one in scan["usage"][:_MOST]
            ],
        ),
        *_section("Copies", [_copies(one) for one in scan["duplicates"][:5]], scan["duplicate_files"]),
        *_section("Licences", _licences(scan)),
        *_section(
            "Entry points",
            [f"{one['path']}: {one['why']}" for one in scan["entry_points"][:_MOST]],
            scan["entry_count"],
        ),
        *_section("Not looked into", [_left(one) for one in scan["left_out"][:_MOST]], len(scan["left_out"])),
        *_section(
            "Neither files nor directories", [f"{one['path']}: {one['kind']}" for one in scan["specials"][:_MOST]]
        ),
        *_section(
            "Could not be read",
            [f"{one['path']}: {one['why']}" for one in scan["remarks"][:_MOST]],
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
                place = named(str(flag.citation) if flag.citation else flag.path)
                lines.append(f"[{severity.upper()}] {place}: {flag.finding}" + (f" ({flag.note})" if flag.note else ""))
                if flag.citation and flag.citation.quote:
                    lines.append(f"    > {flag.citation.quote[:160]}")
    if dropped:
        lines.append(f"({dropped} {DROPPED})")
    return lines or ["nothing was flagged"]


def _directories(report: Report, depth: int) -> list[str]:
    """Without a model nothing was said about any of them."""
    if not report.model:
        return []
    return [_directory(one) for one in report.directories if one.path.count("/") <= depth]


def _directory(one: DirectoryLine) -> str:
    mark = {"partial": " [partly]", "skipped": " [skipped]", "not looked at": " [not looked at]"}.get(one.standing, "")
    said = (one.summary or one.reason) + (f" (in doubt: {one.doubt})" if one.doubt else "")
    return f"{named(one.path) or './'}{mark}  {' '.join(said.split())}"


def _component(one: Component) -> str:
    place = "" if one.name == one.path else f" ({named(one.path)})"
    return f"{named(one.name)}{place}: {' '.join(one.role.split())}"


def _standing(report: Report) -> list[str]:
    rated = [one.confidence for one in report.directories if one.confidence is not None]
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


def _large(one: Mapping[str, Any]) -> str:
    lines = f", {one['lines']:,} lines" if one["lines"] else ""
    return f"{human(one['bytes']):>9}{lines}  {one['path']}"


def _copies(one: Mapping[str, Any]) -> str:
    return f"{human(one['wasted'])} in {one['copies']} equal files: {', '.join(one['paths'][:3])}"


def _licences(scan: Mapping[str, Any]) -> list[str]:
    lines = [f"{one['path']}: {one['licence']}" for one in scan["licences"][:_MOST]]
    headers = sorted(scan["licence_headers"].items(), key=lambda pair: -pair[1])[:5]
    if headers:
        lines.append("in files: " + ", ".join(f"{name} {count:,}" for name, count in headers))
    return lines


def _left(one: Mapping[str, Any]) -> str:
    return f"{one['path']}: {one['why']}, {one['files']:,} files, {human(one['bytes'])}"


def _place(one: Mapping[str, Any]) -> str:
    return f"{one['path']}:{one['line']}" + (" (test)" if one["is_test"] else "")


def _day(moment: float) -> str:
    try:
        return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d %H:%M")
    except (OverflowError, ValueError, OSError):
        return "(no date)"
