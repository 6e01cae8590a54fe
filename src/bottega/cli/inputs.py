"""Read the user's text from arguments, a file or standard input."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from bottega.errors import InputError

_MOST_BYTES = 50_000_000
# More bytes than the longest query that is read can have.
_LARGEST_QUERY = 1_000_000


def read_request(words: tuple[str, ...], file: Path | None, hint: str, what: str = "request") -> str:
    """Read a request from exactly one of the arguments, a file or standard input."""
    if words and file:
        raise InputError(f"the {what} is given twice, as words and as a file", hint="Keep one of the two.")
    if words and words != ("-",):
        return _decode(os.fsencode(" ".join(words)), f"the {what}")
    if file:
        return _decode(_read_file(file, _MOST_BYTES), str(file))
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError(f"the {what} is empty", hint=hint)
    return _decode(sys.stdin.buffer.read(_MOST_BYTES + 1), "standard input")


def read_query(words: tuple[str, ...], file: Path | None) -> str:
    """Read a query; its file may be in any encoding that source files have."""
    if file is None:
        return " ".join(words)
    if words:
        raise InputError("there is a query and a file with another", hint="Give one of them.")
    is_stdin = str(file) == "-"
    data = sys.stdin.buffer.read(_LARGEST_QUERY + 1) if is_stdin else _read_file(file, _LARGEST_QUERY)
    return _decode_any(data, "standard input" if is_stdin else str(file))


def read_diff(name: str | None) -> str | None:
    """A diff from a file, or from standard input for `-`."""
    if name is None:
        return None
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    return data.decode("utf-8", "replace")


def resolve_directory(target: str | Path) -> Path:
    """The absolute path of a directory, with symbolic links resolved."""
    if not str(target):
        raise InputError(
            "the directory is empty text", hint="Leave it out for the current directory; check for an unset variable."
        )
    try:
        directory = Path(target).resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it cannot be opened"
        raise InputError(f"{target}: {reason}", hint="Name a directory.") from None
    if not directory.is_dir():
        raise InputError(f"{target} is not a directory", hint="Name a directory.")
    return directory


def _read_file(file: Path, limit: int) -> bytes:
    try:
        with file.open("rb") as handle:
            return handle.read(limit + 1)
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}", hint="Name a text file.") from None


def _decode(data: bytes, source: str) -> str:
    if len(data) > _MOST_BYTES:
        raise InputError(f"{source} is larger than {_MOST_BYTES // 1_000_000} MB", hint="A request is text.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{source} is not UTF-8 text", hint="A request is text; convert it with iconv.") from None
    if "\0" in text:
        raise InputError(f"{source} is binary, not text", hint="A request is text.")
    return text


def _decode_any(data: bytes, source: str) -> str:
    from bottega.workshop import decode_text

    if len(data) > _LARGEST_QUERY:
        raise InputError(f"{source} has more than {_LARGEST_QUERY:,} bytes", hint="Search for less of it.")
    text = decode_text(data)
    if text is None:
        raise InputError(f"{source} is binary, not text", hint="A query is text.")
    return text
