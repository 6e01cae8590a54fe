"""Write to the terminal safely: control characters in untrusted text are escaped."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import unicodedata
from collections.abc import Iterable
from typing import Any, TextIO, cast

import click

_KEPT = {"\n", "\t"}
_CONTROL_CATEGORIES = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def escape_controls(text: str) -> str:
    """Escape control characters and text direction marks, keeping tabs and line ends."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_escape_character(character) for character in text)


def escape_line(text: str) -> str:
    """Escape control characters, tabs and line ends, so that a name cannot imitate another line."""
    return escape_controls(text).replace("\n", "\\n").replace("\t", "\\t")


def render_json(value: Any, *, indent: int | None = None) -> str:
    """JSON with a line end; control characters are written as JSON escapes."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    if not (text.isascii() and text.isprintable()):
        text = "".join(_escape_json_character(character) for character in text)
    return text + "\n"


def _escape_json_character(character: str) -> str:
    if character == "\n" or unicodedata.category(character) not in _CONTROL_CATEGORIES:
        return character
    return json.dumps(character)[1:-1]


def _escape_character(character: str) -> str:
    if character in _KEPT or unicodedata.category(character) not in _CONTROL_CATEGORIES:
        return character
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")


def has_control_characters(text: str) -> bool:
    """Whether `escape_controls` changes the text."""
    return escape_controls(text) != text


class TerminalText:
    """Standard output on a terminal, with control characters escaped."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(escape_controls(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def escape_terminal_output() -> None:
    """Escape all output from now on if standard output is a terminal."""
    if sys.stdout is not None and sys.stdout.isatty() and not isinstance(sys.stdout, TerminalText):
        sys.stdout = cast("TextIO", TerminalText(sys.stdout))  # it has the methods of a text stream


def write_styled(text: str) -> None:
    """Write text with our own escape sequences, whose content is escaped already; through a pager where it is long."""
    stream = sys.stdout.stream if isinstance(sys.stdout, TerminalText) else sys.stdout
    if stream.isatty() and text.count("\n") >= shutil.get_terminal_size().lines and _has_pager():
        click.echo_via_pager(text, color=True)
        return
    stream.write(text)
    stream.flush()


def _has_pager() -> bool:
    return os.environ.get("PAGER", "less") not in {"", "cat"}


def write_data(text: str, what: str) -> None:
    """Write a model's text to standard output: a pipe or a file gets it unescaped, with a warning."""
    sys.stdout.write(text)
    sys.stdout.flush()
    if has_control_characters(text):
        shown = "shown escaped" if sys.stdout.isatty() else "written unescaped: look at it before you print it"
        write_error(f"bottega: {what} contains control characters or text direction marks; {shown}\n")


def write_error(text: str) -> None:
    """Write to standard error; ignore that it is closed or full."""
    if sys.stderr is None:
        return
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(escape_controls(text))
        sys.stderr.flush()
