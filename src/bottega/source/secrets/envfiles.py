"""`.env` files: recognize them, and read their assignments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

RULE, TITLE = "env", "value of a .env file"
_PUBLIC = (
    ".example",
    ".sample",
    ".template",
    ".dist",
    ".defaults",
    ".schema",
    ".tpl",
    ".tmpl",
    ".md",
    ".py",
    ".js",
    ".ts",
)
_LINE = re.compile(r"(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*")
_COMMENT = re.compile(r"[ \t]#")
_QUOTES = ('"', "'", "`")
_LONGEST_QUOTED = 20_000


class EnvAssignment(NamedTuple):
    """A name, and the position of its value without quotes and comments."""

    name: str
    start: int
    end: int


def is_env_file(path: str) -> bool:
    """`.env`, `.env.local`, `.envrc` and `shop.env`, but not a public example such as `.env.sample`."""
    name = path.rpartition("/")[2].lower()
    return (name.startswith(".env") or name.endswith(".env")) and not name.endswith(_PUBLIC)


def env_assignments(text: str) -> Iterator[EnvAssignment]:
    """The assignments of a `.env` file; a quoted value may span several lines."""
    position = 0
    while match := _LINE.search(text, position):
        start = match.end()
        line_end = text.find("\n", start)
        line_end = len(text) if line_end < 0 else line_end
        start, end = _find_value_span(text, start, line_end)
        if end > start:
            yield EnvAssignment(match[1], start, end)
        position = max(end, line_end if "\n" not in text[start:end] else end, match.end())


def _find_value_span(text: str, start: int, line_end: int) -> tuple[int, int]:
    if text[start : start + 1] in _QUOTES:
        closing = text.find(text[start], start + 1, start + _LONGEST_QUOTED)
        return start + 1, closing if closing >= 0 else line_end
    value = _COMMENT.split(text[start:line_end], maxsplit=1)[0]
    return start, start + len(value.rstrip())
