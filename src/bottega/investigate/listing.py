"""Directories of a target in text: their entries, one entry in detail, and the lines that hold a text."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import UTC, datetime

from bottega.errors import InputError
from bottega.investigate.files import MAX_FILE_BYTES, TargetFiles
from bottega.investigate.scan.exclusions import NEVER
from bottega.investigate.scan.kinds import identify
from bottega.source import quote_name
from bottega.source.confined import OutsideRoot, open_below, read_below
from bottega.source.text import decode, is_text

_MAX_LISTED = 300
_MAX_MATCHES, _MAX_MATCH_CHARS = 60, 200
_MAX_SEARCHED_FILES, _MAX_SEARCHED_BYTES = 3000, 80_000_000
_MIN_QUERY_CHARS, _MAX_QUERY_CHARS = 2, 200


def list_directory(files: TargetFiles, path: str, *, show_hidden: bool = True) -> str:
    with open_below(files.root, path) as handle:
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            raise InputError(f"{path} is a file", hint="Use read_file.")
        names = [name for name in _list_names(files, handle, path) if show_hidden or not name.startswith(".")]
        lines = [_describe_entry(handle, name) for name in names]
    if len(lines) > _MAX_LISTED:
        lines = [*lines[:_MAX_LISTED], f"… and {len(lines) - _MAX_LISTED} more"]
    return "\n".join(lines) or "(empty)"


def describe_path(files: TargetFiles, path: str) -> str:
    with open_below(files.root, path) as handle:
        status = os.fstat(handle)
    name = path.rpartition("/")[2]
    kind = "directory" if stat.S_ISDIR(status.st_mode) else identify(name).language or "file"
    mode = f"{stat.S_IMODE(status.st_mode):o}"
    modified = _format_day(status.st_mtime)
    return f"{quote_name(path) or '.'}: {kind}, {status.st_size} bytes, modified {modified}, mode {mode}"


def search_text(files: TargetFiles, query: str, path: str) -> str:
    """Lines that hold a text in any case, below a path; files in the order of their paths."""
    if not _MIN_QUERY_CHARS <= len(query) <= _MAX_QUERY_CHARS:
        raise InputError(f"text must have {_MIN_QUERY_CHARS} to {_MAX_QUERY_CHARS} characters")
    lines: list[str] = []
    for line in _search(files, query.lower(), path):
        lines.append(line)
        if len(lines) >= _MAX_MATCHES:
            return "\n".join([*lines, "… more lines match"])
    return "\n".join(lines) or "(nothing found)"


def _search(files: TargetFiles, query: str, path: str) -> Iterator[str]:
    size = 0
    for count, file in enumerate(_list_files(files, path), 1):
        if count > _MAX_SEARCHED_FILES or size > _MAX_SEARCHED_BYTES:
            yield "… the search ended here: there is more than can be searched at once"
            return
        try:
            data, _ = read_below(files.root, file, MAX_FILE_BYTES)
        except OutsideRoot:
            continue
        size += len(data)
        text = decode(data)
        if text is None or query not in text.lower():
            continue
        for number, line in enumerate(files.mask_lines(text), 1):
            if query in line.lower():
                yield f"{quote_name(file)}:{number}: {line.strip()[:_MAX_MATCH_CHARS]}"


def _list_files(files: TargetFiles, path: str) -> list[str]:
    found: list[str] = []
    pending = [path]
    while pending and len(found) <= _MAX_SEARCHED_FILES:
        here = pending.pop()
        try:
            with open_below(files.root, here) as handle:
                if not stat.S_ISDIR(os.fstat(handle).st_mode):
                    found.append(here)
                    continue
                for name in reversed(_list_names(files, handle, here)):
                    mode = os.stat(name, dir_fd=handle, follow_symlinks=False).st_mode
                    if stat.S_ISDIR(mode) or stat.S_ISREG(mode):
                        pending.append(_join(here, name))
        except (InputError, OSError):
            continue
    return found


def _list_names(files: TargetFiles, handle: int, path: str) -> list[str]:
    """The entries of an open directory that are not excluded, sorted; listed through the descriptor, past any link."""
    names = (name for name in os.listdir(handle) if is_text(name) and name != NEVER)
    return sorted(name for name in names if not files.is_excluded(_join(path, name)))


def _join(path: str, name: str) -> str:
    return f"{path}/{name}" if path else name


def _describe_entry(handle: int, name: str) -> str:
    try:
        status = os.stat(name, dir_fd=handle, follow_symlinks=False)
    except OSError as error:
        return f"{quote_name(name)} ({error.strerror})"
    if stat.S_ISDIR(status.st_mode):
        return f"{quote_name(name)}/"
    if stat.S_ISLNK(status.st_mode):
        return f"{quote_name(name)} (link)"
    kind = identify(name)
    return f"{quote_name(name)} ({status.st_size} bytes, {kind.language or kind.category or 'unknown'})"


def _format_day(moment: float) -> str:
    try:
        return datetime.fromtimestamp(moment, UTC).strftime("%Y-%m-%d")
    except (OverflowError, ValueError, OSError):
        return "at no date"
