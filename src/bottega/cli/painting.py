"""Colours for code: numbered lines below a location are highlighted as the language of its file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_NUMBERED = re.compile(r"^(?P<number> {1,7}\d+ )(?P<code>.*)$")
_HEAD = re.compile(r"^(?P<path>[^\s:][^:]*):\d+(?:-\d+)?(?=\s|$)")
_GREY, _END = "\x1b[90m", "\x1b[0m"
_LONGEST = 200_000


def paint_code(text: str) -> str:
    """Text whose numbered lines are coloured; everything else stays as it is."""
    lines = text.split("\n")
    painted: list[str] = []
    path = ""
    for is_code, block in _split_blocks(lines):
        if is_code:
            painted += _paint_block(path, block)
            continue
        for line in block:
            head = _HEAD.match(line)
            path = head["path"] if head else path
        painted += block
    return "\n".join(painted)


def _split_blocks(lines: list[str]) -> Iterator[tuple[bool, list[str]]]:
    block: list[str] = []
    is_code = False
    for line in lines:
        numbered = _NUMBERED.match(line) is not None
        if block and numbered != is_code:
            yield is_code, block
            block = []
        is_code = numbered
        block.append(line)
    if block:
        yield is_code, block


def _paint_block(path: str, block: list[str]) -> list[str]:
    from bottega.pages import find_lexer

    parts = [match for line in block if (match := _NUMBERED.match(line))]
    code = [match["code"] for match in parts]
    lexer = find_lexer(path) if path and sum(map(len, code)) <= _LONGEST else None
    if lexer is not None:
        shown = _highlight(lexer, "\n".join(code)).split("\n")
        if len(shown) == len(code):
            code = shown
    return [f"{_GREY}{match['number']}{_END}{line}" for match, line in zip(parts, code, strict=True)]


def _highlight(lexer: Any, code: str) -> str:
    from pygments import highlight
    from pygments.formatters import TerminalFormatter

    return str(highlight(code, lexer, TerminalFormatter(bg="dark")))
