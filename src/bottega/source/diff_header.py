"""Read the header of a file in a diff: names, modes, renames."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bottega.errors import InputError
from bottega.source.diff import NO_FILE, FileChange, Hunk, Status

_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_ESCAPE = re.compile(r"\\([0-7]{1,3}|.)")
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_SIDES = frozenset({("a", "b"), ("i", "w"), ("c", "i"), ("c", "w"), ("o", "w"), ("1", "2")})
FILE_STARTS = ("diff --git ", "diff --cc ", "diff --combined ")


@dataclass(slots=True)
class FileHeader:
    """What a diff says about a file before its hunks."""

    old: str = ""
    new: str = ""
    is_added: bool = False
    is_deleted: bool = False
    is_renamed: bool = False
    is_copied: bool = False
    is_binary: bool = False
    old_mode: str = ""
    new_mode: str = ""


def read_header_line(line: str, header: FileHeader) -> bool:
    """Read one line of git's extended header into `header`; return False for any other line."""
    word, _, rest = line.partition(" ")
    if line.startswith("new file mode "):
        header.is_added, header.new_mode = True, line.rpartition(" ")[2]
    elif line.startswith("deleted file mode "):
        header.is_deleted, header.old_mode = True, line.rpartition(" ")[2]
    elif line.startswith("old mode "):
        header.old_mode = line.rpartition(" ")[2]
    elif line.startswith("new mode "):
        header.new_mode = line.rpartition(" ")[2]
    elif word in {"rename", "copy"}:
        side, _, name = rest.partition(" ")
        header.is_renamed, header.is_copied = word == "rename", word == "copy"
        if side == "from":
            header.old = _unquote(name)
        elif side == "to":
            header.new = _unquote(name)
    elif line.startswith("Binary files "):
        header.is_binary = True
    else:
        return line.startswith(("index ", "similarity index ", "dissimilarity index "))
    return True


def split_git_names(rest: str) -> tuple[str, str]:
    """The two names of a `diff --git` line; without quotes they are taken to be equal, as they are but for renames."""
    if rest.startswith('"'):
        end = _QUOTED.match(rest)
        if end is None:
            return rest, rest
        old, new = _unquote(end[0]), _unquote(rest[end.end() + 1 :])
    elif rest.endswith('"') and ' "' in rest:
        old, _, quoted = rest.partition(' "')
        new = _unquote(f'"{quoted}')
    else:
        middle = len(rest) // 2
        old, new = rest[:middle], rest[middle + 1 :]
    return _strip_sides(old, new)


def _strip_sides(old: str, new: str) -> tuple[str, str]:
    """Remove the prefixes `a/` and `b/`, or another pair that git uses; other names stay as they are."""
    ours, theirs = old.split("/", 1), new.split("/", 1)
    marks = (ours[0] if old != NO_FILE else "", theirs[0] if new != NO_FILE else "")
    paired = any(marks[0] in {"", left} and marks[1] in {"", right} for left, right in _SIDES) and any(marks)
    if not paired:
        return old, new
    return (
        ours[1] if old != NO_FILE and len(ours) == 2 else old,
        theirs[1] if new != NO_FILE and len(theirs) == 2 else new,
    )


def read_name(rest: str) -> str:
    """The name in a `---` or `+++` line; what follows a tab, such as a time, is not part of it."""
    rest = rest.removesuffix("\r")
    quoted = _QUOTED.match(rest)
    return _unquote(quoted[0]) if quoted else rest.split("\t", 1)[0]


def _unquote(name: str) -> str:
    if not (len(name) > 1 and name.startswith('"') and name.endswith('"')):
        return name
    decoded = bytearray()
    last = 0
    body = name[1:-1]
    for match in _ESCAPE.finditer(body):
        decoded += body[last : match.start()].encode("utf-8", "replace")
        escape = match[1]
        decoded += bytes([int(escape, 8) & 0xFF]) if escape[0] in "01234567" else _ESCAPED.get(escape, escape).encode()
        last = match.end()
    decoded += body[last:].encode("utf-8", "replace")
    return decoded.decode("utf-8", "replace")


def set_names(header: FileHeader, old: str, new: str) -> None:
    header.is_added |= old == NO_FILE
    header.is_deleted |= new == NO_FILE
    if header.is_renamed or header.is_copied:
        return
    old, new = _strip_sides(old, new)
    header.old = new if old == NO_FILE else old
    header.new = old if new == NO_FILE else new


def build_change(header: FileHeader, hunks: tuple[Hunk, ...]) -> FileChange:
    path = header.old if header.is_deleted else header.new
    for name in (path, header.old):
        if name.startswith("/") or ".." in name.split("/") or not name or "\0" in name:
            raise InputError(
                f"the diff names {name[:80]!r}, which is not a path inside a repository",
                hint="Paths must be below its root.",
            )
    status: Status = (
        "added"
        if header.is_added
        else "deleted"
        if header.is_deleted
        else "renamed"
        if header.is_renamed
        else "copied"
        if header.is_copied
        else "modified"
    )
    old = path if status in {"added", "deleted"} else header.old
    return FileChange(path, old, status, hunks, header.is_binary, header.old_mode, header.new_mode)
