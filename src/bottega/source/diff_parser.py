"""Parse unified diffs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bottega.errors import InputError
from bottega.source.diff import Diff, FileChange, FileLayout, Hunk, Line
from bottega.source.diff_header import (
    FILE_STARTS,
    FileHeader,
    build_change,
    read_header_line,
    read_name,
    set_names,
    split_git_names,
)
from bottega.source.secrets import mask_secrets

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")


def parse_diff(text: str) -> Diff:
    """Parse a unified diff, of git or another program; raise `InputError` with the line that cannot be parsed."""
    return Diff(tuple(layout.file for layout in parse_diff_layout(text)))


def parse_diff_layout(text: str) -> list[FileLayout]:
    """Parse a diff into its files, each with the lines of the text that it takes up."""
    return list(_Parser(text.removeprefix("\ufeff").split("\n")).parse_layouts())


class _Parser:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._at = 0
        self._hunks: list[range] = []

    def parse_layouts(self) -> Iterator[FileLayout]:
        for first, file in self._parse_files():
            yield FileLayout(file, range(first, self._at), tuple(self._hunks))
            self._hunks = []

    def _parse_files(self) -> Iterator[tuple[int, FileChange]]:
        while self._at < len(self._lines):
            line, first = self._lines[self._at], self._at
            if line.startswith(FILE_STARTS):
                yield first, self._parse_git_file()
            elif line.startswith("--- ") and self._next().startswith("+++ "):
                yield first, self._parse_file(FileHeader())
            elif _HUNK.match(line) or line.startswith("@@@ -"):
                raise self._error("this hunk has no file names before it")
            else:
                self._at += 1

    def _parse_git_file(self) -> FileChange:
        first = self._lines[self._at].removesuffix("\r")
        if not first.startswith("diff --git "):
            raise self._error("a combined diff of a merge is not supported", "Use `--from` and `--to` instead.")
        header = FileHeader()
        header.old, header.new = split_git_names(first.removeprefix("diff --git "))
        self._at += 1
        while self._at < len(self._lines):
            line = self._lines[self._at].removesuffix("\r")
            if line.startswith(("--- ", "@@ ", *FILE_STARTS)):
                break
            if line.startswith("GIT binary patch"):
                header.is_binary = True
                self._skip_binary()
                return build_change(header, ())
            if not read_header_line(line, header):
                break
            self._at += 1
        return self._parse_file(header)

    def _skip_binary(self) -> None:
        while self._at < len(self._lines) and not self._current().startswith(FILE_STARTS):
            if self._current().startswith("--- ") and self._next().startswith("+++ "):
                return
            self._at += 1

    def _parse_file(self, header: FileHeader) -> FileChange:
        if self._current().startswith("--- ") and self._next().startswith("+++ "):
            old, new = (self._lines[self._at + step][4:] for step in (0, 1))
            self._at += 2
            set_names(header, read_name(old), read_name(new))
        hunks = []
        while self._current().startswith("@@ "):
            first = self._at
            hunks.append(self._parse_hunk())
            self._hunks.append(range(first, self._at))
        left = self._current()
        if hunks and left[:1] in {"+", "-", " "} and not self._starts_next(left):
            raise self._error("this line belongs to no hunk: the hunk before it has all its lines")
        return build_change(header, tuple(hunks))

    def _starts_next(self, line: str) -> bool:
        """Whether a line starts the next file, or ends a mail."""
        return line.rstrip() == "--" or (line.startswith("--- ") and self._next().startswith("+++ "))

    def _parse_hunk(self) -> Hunk:
        match = _HUNK.match(self._current().removesuffix("\r"))
        if match is None:
            raise self._error("this is not a hunk header such as @@ -1,2 +1,3 @@")
        old, new = int(match[1]), int(match[3])
        old_count, new_count = int(match[2] or 1), int(match[4] or 1)
        self._at += 1
        lines: list[Line] = []
        left_old, left_new = old_count, new_count
        while left_old > 0 or left_new > 0:
            if self._at >= len(self._lines) or (self._at == len(self._lines) - 1 and not self._current()):
                raise self._error("the diff ends inside a hunk")
            line = self._current()
            kind, body = (line[0], line[1:]) if line else (" ", "")
            if kind == "\\":
                self._at += 1
                continue
            in_old, in_new = kind != "+", kind != "-"
            if kind not in {" ", "+", "-"} or (in_old and not left_old) or (in_new and not left_new):
                raise self._error("this is not a line of a hunk, and the hunk has lines left")
            lines.append(
                Line(
                    kind,  # type: ignore[arg-type]  # one of the three: checked above
                    old + old_count - left_old if in_old else 0,
                    new + new_count - left_new if in_new else 0,
                    body.removesuffix("\r"),
                )
            )
            left_old -= in_old
            left_new -= in_new
            self._at += 1
        while self._current().startswith("\\"):
            self._at += 1
        return Hunk(old, old_count, new, new_count, match[5].strip(), tuple(lines))

    def _current(self) -> str:
        return self._lines[self._at] if self._at < len(self._lines) else ""

    def _next(self) -> str:
        return self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""

    def _error(self, why: str, hint: str = "") -> InputError:
        shown = mask_secrets(self._current())[:80]
        return InputError(
            f"the diff cannot be read at line {self._at + 1}: {why}" + (f": {shown!r}" if shown else ""),
            hint=hint or "`git diff` writes diffs that can be read.",
        )
