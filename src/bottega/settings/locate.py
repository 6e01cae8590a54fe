"""Find the line of a TOML file that sets a key, so that an error can point at it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_HEADER = re.compile(r"^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(#.*)?$")
_KEY = re.compile(r"""^\s*((?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+)(?:\s*\.\s*(?:"[^"]*"|'[^']*'|[A-Za-z0-9_-]+))*)\s*=""")
_PART = re.compile(r""""([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+)""")

_DEEPEST = 8

Path = tuple[str, ...]


def key_lines(text: str) -> dict[Path, int]:
    """Every table and key with its 1-based line; inline tables count as their own key only."""
    lines: dict[Path, int] = {}
    table: Path = ()
    for number, line in _lines_outside_strings(text):
        if header := _HEADER.match(line):
            table = _split_key(header.group(1))
            _add_line(lines, table, number)
        elif key := _KEY.match(line):
            _add_line(lines, table + _split_key(key.group(1)), number)
    return lines


def _lines_outside_strings(text: str) -> Iterator[tuple[int, str]]:
    """Lines by number, without those inside a multi-line string."""
    inside = ""
    for number, line in enumerate(text.split("\n"), 1):
        if inside:
            inside = "" if line.count(inside) % 2 else inside
            continue
        yield number, line
        inside = next((quotes for quotes in ('"""', "'''") if line.count(quotes) % 2), "")


def _add_line(lines: dict[Path, int], path: Path, number: int) -> None:
    """Record the line of a path, and of the tables above it that have none yet."""
    for length in range(1, min(len(path), _DEEPEST) + 1):
        lines.setdefault(path[:length], number)


def line_of(lines: Mapping[Path, int], path: Path) -> int | None:
    """The line of the longest known prefix of `path`."""
    for length in range(len(path), 0, -1):
        if path[:length] in lines:
            return lines[path[:length]]
    return None


def _split_key(dotted: str) -> Path:
    return tuple(a or b or c for a, b, c in _PART.findall(dotted))
