"""Markdown sections by their headings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bottega.index.analyse.values import NOBODY, Symbol

_HEADING = re.compile(r"^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$")
_UNDERLINE = re.compile(r"^ {0,3}(=+|-{2,})\s*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_LONGEST_TITLE = 200


def find_sections(lines: Sequence[str]) -> tuple[Symbol, ...]:
    """Sections; each ends at the next heading of the same or a higher level."""
    sections: list[Symbol] = []
    path: list[tuple[int, int]] = []  # level, place
    for line, level, title in _list_headings(lines):
        while path and path[-1][0] >= level:
            _close(sections, path.pop()[1], line - 1)
        parent = path[-1][1] if path else NOBODY
        above = f"{sections[parent].qualified} / " if parent != NOBODY else ""
        sections.append(Symbol(title, "section", above + title, line, line, parent, title))
        path.append((level, len(sections) - 1))
    for _, place in path:
        _close(sections, place, len(lines))
    return tuple(sections)


def _close(sections: list[Symbol], place: int, last: int) -> None:
    sections[place] = sections[place]._replace(last=max(sections[place].first, last))


def _list_headings(lines: Sequence[str]) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    fence = ""
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r\n")
        mark = _FENCE.match(line)
        if mark:
            fence = "" if fence and mark[1].startswith(fence) else fence or mark[1]
            continue
        if fence:
            continue
        heading = _HEADING.match(line)
        if heading and heading[2]:
            found.append((number, len(heading[1]), heading[2][:_LONGEST_TITLE]))
        elif number > 1 and (rule := _UNDERLINE.match(line)):
            title = lines[number - 2].strip()
            if title and not _HEADING.match(title) and (not found or found[-1][0] != number - 1):
                found.append((number - 1, 1 if rule[1][0] == "=" else 2, title[:_LONGEST_TITLE]))
    return found
