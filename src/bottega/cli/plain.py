"""Text for terminals: what came from outside must not steer the screen."""

from __future__ import annotations

import contextlib
import json
import sys
import unicodedata
from typing import Any

_KEPT = {"\n", "\t"}
_STEERING = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def plain(text: str) -> str:
    """Escape sequences, control characters and marks that turn text around, made visible."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def one_line(text: str) -> str:
    """The same, and no name can pretend to be a line of its own."""
    return plain(text).replace("\n", "\\n").replace("\t", "\\t")


def json_text(value: Any, *, indent: int | None = None) -> str:
    """The same as JSON and a line end: the marks are escaped, so that a reader of JSON gets them back."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if not (text.isascii() and text.isprintable()):
        text = "".join(_escaped(character) for character in text)
    return text + "\n"


def _escaped(character: str) -> str:
    if character == "\n" or unicodedata.category(character) not in _STEERING:
        return character
    return json.dumps(character)[1:-1]


def _shown(character: str) -> str:
    if character in _KEPT or unicodedata.category(character) not in _STEERING:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def complain(text: str) -> None:
    """Write to standard error; that it is closed or full must not cost the result."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(plain(text))
        sys.stderr.flush()
