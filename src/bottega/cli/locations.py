"""Locations in printed text, `path:first-last`: shown from the current directory, coloured, and linked to the file."""

from __future__ import annotations

import posixpath
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

# At the start of a line a path may hold spaces; elsewhere it ends at the first sign that paths seldom hold.
_AT_START = re.compile(r"(?P<path>[^\s:][^:\n]{0,400}):(?P<lines>\d{1,9}(?:-\d{1,9})?)(?=\s|$|:)")
_INSIDE = re.compile(r"(?<![\w./\\@:-])(?P<path>[\w.@+-][\w./@+-]{0,400}):(?P<lines>\d{1,9}(?:-\d{1,9})?)(?![\w.-])")
# A numbered line of a file is printed as it is.
_QUOTED = re.compile(r"^(?:\x1b\[90m)? *\d+[ :|+-]")

_PATH, _LINES, _END = "\x1b[35m", "\x1b[32m", "\x1b[0m"
_LINK, _LINK_END = "\x1b]8;;{}\x1b\\", "\x1b]8;;\x1b\\"


@dataclass(frozen=True)
class Locations:
    """`find_root` gives the root that printed paths belong to, `directory` is that in which the person works."""

    find_root: Callable[[], Path]
    directory: Path
    _known: dict[str, bool] = field(default_factory=dict)

    @cached_property
    def root(self) -> Path:
        return self.find_root()

    @cached_property
    def base(self) -> str:
        """The directory in which the person works, from the root; "" for the root itself and outside of it."""
        try:
            base = self.directory.resolve().relative_to(self.root).as_posix()
        except (OSError, ValueError):
            return ""
        return "" if base == "." else base

    def read_path(self, path: str) -> str:
        """A path or pattern that was given from the current directory, from the root.

        One that begins at the root already is left alone where the current directory holds none of its name.
        """
        if not path or path.startswith("/"):
            return self._cut_root(path)
        joined = posixpath.normpath(posixpath.join(self.base, path))
        if not self.base or joined.startswith(".."):
            return path
        return path if not self._exists(joined) and self._exists(path) else joined

    def read_location(self, text: str) -> str:
        """A path with or without lines, `path:3-9`, from the root; anything that names no file is left alone."""
        path, colon, lines = text.rpartition(":")
        if not colon or not re.fullmatch(r"\d{1,9}(?:-\d{1,9})?", lines):
            path, colon, lines = text, "", ""
        found = self.read_path(path)
        return f"{found}{colon}{lines}" if self._exists(found) else text

    def show(self, text: str, *, is_styled: bool) -> str:
        """Text with its locations as the person needs them; numbered lines of files are left alone."""
        if not is_styled and not self.base:
            return text
        return "\n".join(self._show_line(line, is_styled=is_styled) for line in text.split("\n"))

    def _show_line(self, line: str, *, is_styled: bool) -> str:
        if ":" not in line or _QUOTED.match(line):
            return line

        def replace(match: re.Match[str]) -> str:
            return self._show_location(match, is_styled=is_styled)

        start = _AT_START.match(line)
        if start is not None and self._is_file(start["path"]):
            return replace(start) + _INSIDE.sub(replace, line[start.end() :])
        return _INSIDE.sub(replace, line)

    def _show_location(self, match: re.Match[str], *, is_styled: bool) -> str:
        path, lines = match["path"], match["lines"]
        if not self._is_file(path):
            return match[0]
        shown = posixpath.relpath(path, self.base) if self.base else path
        if not is_styled:
            return f"{shown}:{lines}"
        address = f"file://{quote(socket.gethostname())}{quote(str(self.root / path))}#L{lines.partition('-')[0]}"
        return f"{_LINK.format(address)}{_PATH}{shown}{_END}:{_LINES}{lines}{_END}{_LINK_END}"

    def _is_file(self, path: str) -> bool:
        if path not in self._known:
            try:
                is_inside = not path.startswith("/") and ".." not in path.split("/")
                self._known[path] = is_inside and (self.root / path).is_file()
            except (OSError, ValueError):
                self._known[path] = False
        return self._known[path]

    def _exists(self, path: str) -> bool:
        try:
            return (self.root / path).exists()
        except (OSError, ValueError):  # names that no file can have
            return False

    def _cut_root(self, path: str) -> str:
        try:
            return Path(path).relative_to(self.root).as_posix() if path else path
        except ValueError:
            return path
