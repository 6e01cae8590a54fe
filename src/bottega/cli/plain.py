"""Text for terminals: what came from outside must not steer the screen."""

from __future__ import annotations

import contextlib
import json
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any, TextIO, cast

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


def has_controls(text: str) -> bool:
    """Whether `plain` would change anything."""
    return plain(text) != text


class TerminalText:
    """Standard output that is a terminal: whatever a verb writes, none of it steers the screen."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(plain(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def guard_terminal() -> None:
    """Escape what is written to standard output from now on, if that is a terminal."""
    if sys.stdout is not None and sys.stdout.isatty() and not isinstance(sys.stdout, TerminalText):
        sys.stdout = cast("TextIO", TerminalText(sys.stdout))  # it does what one does


def put_data(text: str, what: str) -> None:
    """Write a model's text to standard output: a pipe or a file gets the bytes as they are, with a warning."""
    sys.stdout.write(text)
    sys.stdout.flush()
    if has_controls(text):
        shown = "shown escaped" if sys.stdout.isatty() else "delivered as it is: look at it before you print it"
        complain(f"bottega: {what} holds control characters or marks that turn text around; {shown}\n")


def complain(text: str) -> None:
    """Write to standard error; that it is closed or full must not cost the result."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(plain(text))
        sys.stderr.flush()
