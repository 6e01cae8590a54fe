"""A scan as JSON, and its tree as text."""

from __future__ import annotations

from typing import Any

from bottega.index.decode import is_text
from bottega.investigate.scan import Folder, Scan

_MOST_USAGE, _USAGE_DEPTH = 40, 2
_MOST_CELLS = 400


def scan_json(scan: Scan) -> dict[str, Any]:
    """Bounded, whatever the size of the tree; names that are no text are written with escapes."""
    value = {
        "target": scan.target,
        "files": scan.files,
        "directories": scan.directories,
        "bytes": scan.bytes,
        "disk_bytes": scan.folders[0].disk,
        "categories": {name: tally._asdict() for name, tally in scan.categories.items() if tally.files},
        "signals": scan.signals._asdict(),
        "languages": [one._asdict() for one in scan.languages],
        "large": [one._asdict() for one in scan.large],
        "large_count": scan.large_count,
        "recent": [one._asdict() for one in scan.recent],
        "usage": _usage(scan),
        "duplicates": [{**one._asdict(), "wasted": one.wasted} for one in scan.duplicates],
        "duplicate_files": scan.duplicate_files,
        "duplicate_bytes": scan.duplicate_bytes,
        "secrets": [one._asdict() for one in scan.secrets],
        "secret_count": scan.secret_count,
        "orders": [one._asdict() for one in scan.orders],
        "licences": [one._asdict() for one in scan.licences],
        "licence_headers": scan.licence_headers,
        "entry_points": [one._asdict() for one in scan.entry_points],
        "entry_count": scan.entry_count,
        "left_out": [one._asdict() for one in scan.left_out],
        "links": scan.links,
        "broken_links": scan.broken_links,
        "outward_links": scan.outward_links,
        "specials": [{"path": path, "kind": kind} for path, kind in scan.specials],
        "remarks": [{"path": path, "why": why} for path, why in scan.remarks],
        "remark_count": scan.remark_count,
        "unread": scan.unread,
        "sampled": scan.sampled,
        "cells": _cells(scan),
    }
    written: dict[str, Any] = _written(value)
    return written


def tree_text(scan: Scan, *, depth: int, most: int, sizes: bool = True) -> str:
    """The tree, indented by two for each level; deeper and longer parts are counted, not shown."""
    lines = [f"{scan.target.rstrip('/').rpartition('/')[2] or '/'}/"]
    pending: list[tuple[int, int]] = [(0, 0)]
    while pending and len(lines) < most:
        number, level = pending.pop()
        folder = scan.folders[number]
        if number:
            name = folder.path.rstrip("/").rpartition("/")[2]
            size = f"  {human(folder.bytes)}" if sizes else ""
            more = f"  … {folder.files} files" if level == depth and (folder.children or folder.names) else ""
            lines.append(f"{'  ' * level}{_shown(name)}/{size}{more}")
        if level < depth:
            inner = "  " * (level + 1)
            lines += [
                f"{inner}{_shown(name)}{_size(folder, at, sizes=sizes)}" for at, name in enumerate(folder.names[:40])
            ]
            if len(folder.names) > 40:
                lines.append(f"{inner}… {len(folder.names) - 40} more files")
            pending.extend((child, level + 1) for child in reversed(folder.children))
    if pending:
        lines.append("…")
    return "\n".join(lines[:most])


def human(size: int) -> str:
    amount = float(size)
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} TB"


def _size(folder: Folder, at: int, *, sizes: bool) -> str:
    return f"  {human(folder.sizes[at])}" if sizes else ""


def _usage(scan: Scan) -> list[dict[str, Any]]:
    """The largest directories near the top, what tools made included."""
    shallow = [one for one in scan.folders if one.path.count("/") <= _USAGE_DEPTH]
    shallow.sort(key=lambda one: (-one.disk, one.path))
    return [
        {"path": one.name, "files": one.files, "bytes": one.bytes, "disk_bytes": one.disk}
        for one in shallow[:_MOST_USAGE]
    ]


def _cells(scan: Scan) -> list[dict[str, Any]]:
    """Directories with what lies directly in them by language, the largest ones: the areas of a tree map."""
    ranked = sorted(scan.folders, key=lambda one: -one.own_bytes)[:_MOST_CELLS]
    return [
        {
            "path": one.name,
            "bytes": one.own_bytes,
            "kinds": sorted(one.languages.items(), key=lambda pair: -pair[1])[:6],
        }
        for one in sorted(ranked, key=lambda one: one.path)
        if one.own_bytes
    ]


def _written(value: Any) -> Any:
    if isinstance(value, str):
        return _shown(value)
    if isinstance(value, dict):
        return {_shown(str(key)): _written(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_written(inner) for inner in value]
    return value


def _shown(text: str) -> str:
    """A name that is no text shows its bytes; one that holds a line end cannot make a line of its own."""
    if not is_text(text):
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return text.replace("\n", "\\n").replace("\r", "\\r")
