"""A scan as JSON, and its tree as text."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import Any

from bottega.amounts import plural
from bottega.investigate.introduction import Readme
from bottega.investigate.scan import Scan, ScannedDirectory
from bottega.investigate.scan.findings import SuspectLine
from bottega.source.text import is_text

_MAX_USAGE, _USAGE_DEPTH = 40, 2
_MAX_CELLS, _MAX_KINDS = 400, 6


def build_scan_json(scan: Scan, readme: Readme | None) -> dict[str, Any]:
    """A scan as JSON of bounded size; bytes of names that are not UTF-8 are escaped."""
    value = {
        "target": scan.target,
        "files": scan.files,
        "directories": scan.directories,
        "bytes": scan.bytes,
        "disk_bytes": scan.folders[0].disk,
        "categories": {name: tally._asdict() for name, tally in scan.categories.items() if tally.files},
        "signals": scan.signals._asdict(),
        "languages": [lines._asdict() for lines in scan.languages],
        "large": [file._asdict() for file in scan.large],
        "large_count": scan.large_count,
        "recent": [file._asdict() for file in scan.recent],
        "usage": _list_usage(scan),
        "duplicates": [{**group._asdict(), "wasted": group.wasted} for group in scan.duplicates],
        "duplicate_files": scan.duplicate_files,
        "duplicate_bytes": scan.duplicate_bytes,
        "secrets": [_build_suspect(secret) for secret in scan.secrets],
        "secret_count": scan.secret_count,
        "orders": [_build_suspect(line) for line in scan.orders],
        "licences": [licence._asdict() for licence in scan.licences],
        "licence_headers": scan.licence_headers,
        "entry_points": [entry._asdict() for entry in scan.entry_points],
        "entry_count": scan.entry_count,
        "left_out": [entry._asdict() for entry in scan.left_out],
        "links": scan.links,
        "broken_links": scan.broken_links,
        "outward_links": scan.outward_links,
        "specials": [{"path": path, "kind": kind} for path, kind in scan.specials],
        "remarks": [{"path": path, "why": why} for path, why in scan.remarks],
        "remark_count": scan.remark_count,
        "unread": scan.unread,
        "sampled": scan.sampled,
        "cells": _list_cells(scan),
    }
    escaped: dict[str, Any] = _escape_names(value)
    return {**escaped, "readme": None if readme is None else readme._asdict()}


def render_tree(scan: Scan, *, depth: int, most: int, sizes: bool = True) -> str:
    """The tree, indented by two for each level; deeper and longer parts are counted, not shown."""
    lines = [f"{scan.target.rstrip('/').rpartition('/')[2] or '/'}/"]
    pending: list[tuple[int, int]] = [(0, 0)]
    while pending and len(lines) < most:
        number, level = pending.pop()
        folder = scan.folders[number]
        if number:
            name = folder.path.rstrip("/").rpartition("/")[2]
            size = f"  {format_size(folder.bytes)}" if sizes else ""
            more = f"  … {plural(folder.files, 'file')}" if level == depth and (folder.children or folder.names) else ""
            lines.append(f"{'  ' * level}{_escape_name(name)}/{size}{more}")
        if level < depth:
            inner = "  " * (level + 1)
            lines += [
                f"{inner}{_escape_name(name)}{_format_file_size(folder, at, sizes=sizes)}"
                for at, name in enumerate(folder.names[:40])
            ]
            if len(folder.names) > 40:
                lines.append(f"{inner}… {plural(len(folder.names) - 40, 'more file')}")
            pending.extend((child, level + 1) for child in reversed(folder.children))
    if pending:
        lines.append("…")
    return "\n".join(lines[:most])


def format_size(size: int) -> str:
    amount = float(size)
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} TB"


def _format_file_size(folder: ScannedDirectory, at: int, *, sizes: bool) -> str:
    return f"  {format_size(folder.sizes[at])}" if sizes else ""


def _build_suspect(line: SuspectLine) -> dict[str, Any]:
    return {**line._asdict(), "span": asdict(line.span)}


def _list_usage(scan: Scan) -> list[dict[str, Any]]:
    """The largest directories near the top, what tools made included."""
    shallow = [folder for folder in scan.folders if folder.path.count("/") <= _USAGE_DEPTH]
    shallow.sort(key=lambda folder: (-folder.disk, folder.path))
    return [
        {"path": folder.name, "files": folder.files, "bytes": folder.bytes, "disk_bytes": folder.disk}
        for folder in shallow[:_MAX_USAGE]
    ]


def _list_cells(scan: Scan) -> list[dict[str, Any]]:
    """Directories with what lies directly in them by language: the areas of a tree map.

    Beside the largest ones there are none: what lies in another counts in the nearest listed one above it.
    """
    listed = _choose_cells(scan)
    sums: dict[int, tuple[Counter[str], Counter[str]]] = {number: (Counter(), Counter()) for number in listed}
    for number, folder in enumerate(scan.folders):
        at = number
        while at not in sums:
            at = scan.folders[at].parent
        sums[at][0].update(folder.languages)
        sums[at][1].update(folder.code)
    cells = [
        {
            "path": scan.folders[number].name,
            "bytes": sum(kinds.values()),
            "kinds": _keep_largest(kinds),
            "code": _keep_largest(code),
        }
        for number, (kinds, code) in sums.items()
    ]
    return sorted((cell for cell in cells if cell["bytes"]), key=lambda cell: str(cell["path"]))


def _choose_cells(scan: Scan) -> list[int]:
    """The numbers of the target and of the directories with the largest share of bytes or of lines of code."""
    lines = sum(sum(folder.code.values()) for folder in scan.folders) or 1

    def measure_share(number: int) -> float:
        folder = scan.folders[number]
        return max(folder.own_bytes / (scan.bytes or 1), sum(folder.code.values()) / lines)

    return [0, *sorted(range(1, len(scan.folders)), key=lambda number: -measure_share(number))[: _MAX_CELLS - 1]]


def _keep_largest(sums: Counter[str]) -> list[tuple[str, int]]:
    """The largest by name; the sum of the others is one entry more."""
    ranked = sorted(((name, size) for name, size in sums.items() if size > 0), key=lambda pair: -pair[1])
    rest = sum(size for _, size in ranked[_MAX_KINDS:])
    return [*ranked[:_MAX_KINDS], *([("other", rest)] if rest else [])]


def _escape_names(value: Any) -> Any:
    if isinstance(value, str):
        return _escape_name(value)
    if isinstance(value, dict):
        return {_escape_name(str(key)): _escape_names(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_escape_names(inner) for inner in value]
    return value


def _escape_name(text: str) -> str:
    """A name with bytes that are not UTF-8 and line ends as escapes."""
    if not is_text(text):
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return text.replace("\n", "\\n").replace("\r", "\\r")
