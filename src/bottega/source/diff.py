"""A unified diff as values: files, hunks and lines with their numbers on both sides."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Kind = Literal[" ", "+", "-"]
Status = Literal["added", "deleted", "modified", "renamed", "copied"]

NO_FILE = "/dev/null"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a hunk. `old` and `new` are its numbers on both sides, 0 where it does not exist."""

    kind: Kind
    old: int
    new: int
    text: str


@dataclass(frozen=True, slots=True)
class Hunk:
    old_start: int
    old_count: int
    new_start: int
    new_count: int
    section: str
    lines: tuple[Line, ...]

    @property
    def added(self) -> list[Line]:
        return [line for line in self.lines if line.kind == "+"]

    @property
    def removed(self) -> list[Line]:
        return [line for line in self.lines if line.kind == "-"]

    @property
    def header(self) -> str:
        section = f" {self.section}" if self.section else ""
        return f"@@ -{self.old_start},{self.old_count} +{self.new_start},{self.new_count} @@{section}"

    def text(self) -> str:
        return "\n".join([self.header, *(f"{line.kind}{line.text}" for line in self.lines)])


@dataclass(frozen=True, slots=True)
class FileChange:
    """A changed file. `path` is its new path, or its last one if deleted; `old_path` differs after a rename or copy."""

    path: str
    old_path: str
    status: Status
    hunks: tuple[Hunk, ...] = ()
    is_binary: bool = False
    old_mode: str = ""
    new_mode: str = ""

    @property
    def added(self) -> int:
        return sum(len(hunk.added) for hunk in self.hunks)

    @property
    def removed(self) -> int:
        return sum(len(hunk.removed) for hunk in self.hunks)

    def text(self) -> str:
        old = NO_FILE if self.status == "added" else f"a/{self.old_path}"
        new = NO_FILE if self.status == "deleted" else f"b/{self.path}"
        return "\n".join([f"--- {old}", f"+++ {new}", *(hunk.text() for hunk in self.hunks)])


@dataclass(frozen=True, slots=True)
class Diff:
    files: tuple[FileChange, ...]

    def file(self, path: str) -> FileChange | None:
        return next((file for file in self.files if file.path == path), None)

    @property
    def added(self) -> int:
        return sum(file.added for file in self.files)

    @property
    def removed(self) -> int:
        return sum(file.removed for file in self.files)


@dataclass(frozen=True, slots=True)
class FileLayout:
    """The lines of a diff's text that belong to a file and to each of its hunks: half-open ranges counted from 0."""

    file: FileChange
    lines: range
    hunks: tuple[range, ...]
