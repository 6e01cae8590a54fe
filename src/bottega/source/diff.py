"""A change as git tells it, read once: files, hunks and lines with their numbers on both sides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bottega.errors import InputError
from bottega.source.secrets import mask_secrets

Kind = Literal[" ", "+", "-"]
Status = Literal["added", "deleted", "modified", "renamed", "copied"]

_HUNK = re.compile(r"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@ ?(.*)")
_NOTHING = "/dev/null"
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_SIDES = frozenset({("a", "b"), ("i", "w"), ("c", "i"), ("c", "w"), ("o", "w"), ("1", "2")})
_BEGINS = ("diff --git ", "diff --cc ", "diff --combined ")


@dataclass(frozen=True, slots=True)
class Line:
    """`old` and `new` are its numbers on the two sides; 0 where it is not. The text has no line end."""

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
    """`path` is the new name, or the last one of a deleted file; `old_path` differs after a rename or a copy."""

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
        old = _NOTHING if self.status == "added" else f"a/{self.old_path}"
        new = _NOTHING if self.status == "deleted" else f"b/{self.path}"
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
    """Where a file stands in the text of a diff: half-open ranges of lines counted from 0, the hunks' own within."""

    file: FileChange
    lines: range
    hunks: tuple[range, ...]


def parse_diff(text: str) -> Diff:
    """Read a unified diff, git's or any other. Raise `InputError` with the line that cannot be understood."""
    return Diff(tuple(layout.file for layout in diff_layout(text)))


def diff_layout(text: str) -> list[FileLayout]:
    """The files of a diff with the lines of the text they take up; what lies between them belongs to none."""
    return list(_Reader(text.removeprefix("\ufeff").split("\n")).layouts())


@dataclass(slots=True)
class _Head:
    """What is said of a file before its hunks."""

    old: str = ""
    new: str = ""
    is_added: bool = False
    is_deleted: bool = False
    is_renamed: bool = False
    is_copied: bool = False
    is_binary: bool = False
    old_mode: str = ""
    new_mode: str = ""


class _Reader:
    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._at = 0
        self._hunks: list[range] = []

    def layouts(self) -> Iterator[FileLayout]:
        for first, file in self._files():
            yield FileLayout(file, range(first, self._at), tuple(self._hunks))
            self._hunks = []

    def _files(self) -> Iterator[tuple[int, FileChange]]:
        while self._at < len(self._lines):
            line, first = self._lines[self._at], self._at
            if line.startswith(_BEGINS):
                yield first, self._git_file()
            elif line.startswith("--- ") and self._next().startswith("+++ "):
                yield first, self._file(_Head())
            elif _HUNK.match(line) or line.startswith("@@@ -"):
                raise self._refused("lines of change without the file they belong to")
            else:
                self._at += 1

    def _git_file(self) -> FileChange:
        first = self._lines[self._at].removesuffix("\r")
        if not first.startswith("diff --git "):
            raise self._refused("a merge, compared with all its parents at once", "Use `--from` and `--to` instead.")
        head = _Head()
        head.old, head.new = _both_names(first.removeprefix("diff --git "))
        self._at += 1
        while self._at < len(self._lines):
            line = self._lines[self._at].removesuffix("\r")
            if line.startswith(("--- ", "@@ ", *_BEGINS)):
                break
            if line.startswith("GIT binary patch"):
                head.is_binary = True
                self._skip_binary()
                return _changed(head, ())
            if not _told(line, head):
                break
            self._at += 1
        return self._file(head)

    def _skip_binary(self) -> None:
        while self._at < len(self._lines) and not self._line().startswith(_BEGINS):
            if self._line().startswith("--- ") and self._next().startswith("+++ "):
                return
            self._at += 1

    def _file(self, head: _Head) -> FileChange:
        if self._line().startswith("--- ") and self._next().startswith("+++ "):
            old, new = (self._lines[self._at + step][4:] for step in (0, 1))
            self._at += 2
            _take_names(head, _name(old), _name(new))
        hunks = []
        while self._line().startswith("@@ "):
            first = self._at
            hunks.append(self._hunk())
            self._hunks.append(range(first, self._at))
        left = self._line()
        if hunks and left[:1] in {"+", "-", " "} and not self._begins_anew(left):
            raise self._refused("this belongs to no change: the change before it is over")
        return _changed(head, tuple(hunks))

    def _begins_anew(self, line: str) -> bool:
        """Another file's names, or the end of a mail."""
        return line.rstrip() == "--" or (line.startswith("--- ") and self._next().startswith("+++ "))

    def _hunk(self) -> Hunk:
        match = _HUNK.match(self._line().removesuffix("\r"))
        if match is None:
            raise self._refused("this should say which lines follow: @@ -1,2 +1,3 @@")
        old, new = int(match[1]), int(match[3])
        old_count, new_count = int(match[2] or 1), int(match[4] or 1)
        self._at += 1
        lines: list[Line] = []
        left_old, left_new = old_count, new_count
        while left_old > 0 or left_new > 0:
            if self._at >= len(self._lines) or (self._at == len(self._lines) - 1 and not self._line()):
                raise self._refused("the diff ends in the middle of a change")
            line = self._line()
            kind, body = (line[0], line[1:]) if line else (" ", "")
            if kind == "\\":
                self._at += 1
                continue
            in_old, in_new = kind != "+", kind != "-"
            if kind not in {" ", "+", "-"} or (in_old and not left_old) or (in_new and not left_new):
                raise self._refused("this is not a line of a change, and the change is not over")
            lines.append(
                Line(
                    kind,  # type: ignore[arg-type]  # one of the three, as was just asked
                    old + old_count - left_old if in_old else 0,
                    new + new_count - left_new if in_new else 0,
                    body.removesuffix("\r"),
                )
            )
            left_old -= in_old
            left_new -= in_new
            self._at += 1
        while self._line().startswith("\\"):
            self._at += 1
        return Hunk(old, old_count, new, new_count, match[5].strip(), tuple(lines))

    def _line(self) -> str:
        return self._lines[self._at] if self._at < len(self._lines) else ""

    def _next(self) -> str:
        return self._lines[self._at + 1] if self._at + 1 < len(self._lines) else ""

    def _refused(self, why: str, hint: str = "") -> InputError:
        shown = mask_secrets(self._line())[:80]
        return InputError(
            f"the diff cannot be read at line {self._at + 1}: {why}" + (f": {shown!r}" if shown else ""),
            hint=hint or "`git diff` writes diffs that can.",
        )


def _told(line: str, head: _Head) -> bool:
    """Take in one line of git's extended header; False where it is none."""
    word, _, rest = line.partition(" ")
    if line.startswith("new file mode "):
        head.is_added, head.new_mode = True, line.rpartition(" ")[2]
    elif line.startswith("deleted file mode "):
        head.is_deleted, head.old_mode = True, line.rpartition(" ")[2]
    elif line.startswith("old mode "):
        head.old_mode = line.rpartition(" ")[2]
    elif line.startswith("new mode "):
        head.new_mode = line.rpartition(" ")[2]
    elif word in {"rename", "copy"}:
        side, _, name = rest.partition(" ")
        head.is_renamed, head.is_copied = word == "rename", word == "copy"
        if side == "from":
            head.old = _unquoted(name)
        elif side == "to":
            head.new = _unquoted(name)
    elif line.startswith("Binary files "):
        head.is_binary = True
    else:
        return line.startswith(("index ", "similarity index ", "dissimilarity index "))
    return True


def _both_names(rest: str) -> tuple[str, str]:
    """The two names of a `diff --git` line, which are one unless something else is said later."""
    if rest.startswith('"'):
        end = _QUOTED.match(rest)
        if end is None:
            return rest, rest
        old, new = _unquoted(end[0]), _unquoted(rest[end.end() + 1 :])
    elif rest.endswith('"') and ' "' in rest:
        old, _, quoted = rest.partition(' "')
        new = _unquoted(f'"{quoted}')
    else:
        middle = len(rest) // 2
        old, new = rest[:middle], rest[middle + 1 :]
    return _without_side(old, new)


def _without_side(old: str, new: str) -> tuple[str, str]:
    """`a/x` and `b/x` are x; a name that has no such mark keeps all of itself."""
    ours, theirs = old.split("/", 1), new.split("/", 1)
    marks = (ours[0] if old != _NOTHING else "", theirs[0] if new != _NOTHING else "")
    paired = any(marks[0] in {"", left} and marks[1] in {"", right} for left, right in _SIDES) and any(marks)
    if not paired:
        return old, new
    return (
        ours[1] if old != _NOTHING and len(ours) == 2 else old,
        theirs[1] if new != _NOTHING and len(theirs) == 2 else new,
    )


def _name(rest: str) -> str:
    """A name of a `---` or `+++` line: git ends it with a tab where it holds a space, others add a time."""
    rest = rest.removesuffix("\r")
    quoted = _QUOTED.match(rest)
    return _unquoted(quoted[0]) if quoted else rest.split("\t", 1)[0]


def _unquoted(name: str) -> str:
    if not (len(name) > 1 and name.startswith('"') and name.endswith('"')):
        return name
    found = bytearray()
    last = 0
    body = name[1:-1]
    for match in _ESCAPE.finditer(body):
        found += body[last : match.start()].encode("utf-8", "replace")
        said = match[1]
        found += bytes([int(said, 8) & 0xFF]) if said[0] in "01234567" else _ESCAPED.get(said, said).encode()
        last = match.end()
    found += body[last:].encode("utf-8", "replace")
    return found.decode("utf-8", "replace")


def _take_names(head: _Head, old: str, new: str) -> None:
    head.is_added |= old == _NOTHING
    head.is_deleted |= new == _NOTHING
    if head.is_renamed or head.is_copied:
        return
    old, new = _without_side(old, new)
    head.old = new if old == _NOTHING else old
    head.new = old if new == _NOTHING else new


def _changed(head: _Head, hunks: tuple[Hunk, ...]) -> FileChange:
    path = head.old if head.is_deleted else head.new
    for name in (path, head.old):
        if name.startswith("/") or ".." in name.split("/") or not name or "\0" in name:
            raise InputError(
                f"the diff names {name[:80]!r}, which no repository holds", hint="Names are below its root."
            )
    status: Status = (
        "added"
        if head.is_added
        else "deleted"
        if head.is_deleted
        else "renamed"
        if head.is_renamed
        else "copied"
        if head.is_copied
        else "modified"
    )
    old = path if status in {"added", "deleted"} else head.old
    return FileChange(path, old, status, hunks, head.is_binary, head.old_mode, head.new_mode)
