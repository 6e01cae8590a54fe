"""Changes as the unified diff that git writes and applies; a binary file is named and not shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from bottega.sandbox.changes import Change
from bottega.sandbox.linediff import render_hunks
from bottega.sandbox.tree import File, Link

LARGEST = 1_000_000
"""Bytes; a larger file is named and not shown."""
_PLAIN = frozenset(range(0x20, 0x7F)) - frozenset(b'"\\')
_ESCAPES = {0x07: b"\\a", 0x08: b"\\b", 0x09: b"\\t", 0x0A: b"\\n", 0x0B: b"\\v", 0x0C: b"\\f", 0x0D: b"\\r"}
_ESCAPES |= {0x22: b'\\"', 0x5C: b"\\\\"}


@dataclass(frozen=True, slots=True)
class LayerDiff:
    """All changes of a layer. Text that is not UTF-8 counts as binary."""

    changes: tuple[Change, ...]
    text: str
    """Complete, and accepted by `git apply`, if `not_shown` is empty."""
    not_shown: tuple[str, ...]
    """Paths without content in the text: binary, too large, or beyond the limit of the text."""

    def __bool__(self) -> bool:
        return bool(self.changes)

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(change.path for change in self.changes)

    def __str__(self) -> str:
        return self.text


def write_patch(changes: Sequence[Change], *, load: Callable[[str], bytes], most: int) -> LayerDiff:
    """Render the changes; `load` returns the content of a checksum."""
    parts: list[str] = []
    not_shown: list[str] = []
    for change in changes:
        for before, after in _split_sides(change):
            body = _render_body(before, after, load) if most > 0 else None
            if body is None or len(body) > most:
                body = None
                not_shown.append(change.path)
            most -= len(body or "")
            parts += _render_section(change.path, before, after, body)
    return LayerDiff(tuple(changes), "".join(parts), tuple(dict.fromkeys(not_shown)))


Side = File | Link | None


def _split_sides(change: Change) -> list[tuple[Side, Side]]:
    """Split a file that becomes a link, or the reverse, into a deletion and an addition, as git does."""
    if change.before is not None and change.after is not None and type(change.before) is not type(change.after):
        return [(change.before, None), (None, change.after)]
    return [(change.before, change.after)]


def _render_section(path: str, before: Side, after: Side, body: str | None) -> Iterator[str]:
    old, new = _quote(f"a/{path}"), _quote(f"b/{path}")
    yield f"diff --git {old} {new}\n"
    if before is None:
        yield f"new file mode {_render_mode(after)}\n"
    elif after is None:
        yield f"deleted file mode {_render_mode(before)}\n"
    elif _render_mode(before) != _render_mode(after):
        yield f"old mode {_render_mode(before)}\nnew mode {_render_mode(after)}\n"
    old, new = "/dev/null" if before is None else old, "/dev/null" if after is None else new
    if body is None:
        yield f"Binary files {old} and {new} differ\n"
    elif body:
        yield f"--- {old}{_end_name(old)}\n+++ {new}{_end_name(new)}\n{body}"


def _render_body(before: Side, after: Side, load: Callable[[str], bytes]) -> str | None:
    """The hunks; `None` for content that is not shown."""
    old, new = _load_text(before, load), _load_text(after, load)
    return None if old is None or new is None else render_hunks(old, new)


def _load_text(side: Side, load: Callable[[str], bytes]) -> str | None:
    if side is None:
        return ""
    if isinstance(side, File) and side.size > LARGEST:
        return None
    content = load(side.checksum) if isinstance(side, File) else side.target.encode("utf-8", "surrogateescape")
    try:
        return None if b"\0" in content else content.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _render_mode(side: Side) -> str:
    if isinstance(side, Link):
        return "120000"
    return "100755" if isinstance(side, File) and side.executable else "100644"


def _quote(name: str) -> str:
    """Quote a name as git does, so that one with a line feed cannot imitate a part of the diff."""
    raw = name.encode("utf-8", "surrogateescape")
    if _PLAIN.issuperset(raw):
        return name
    return f'"{b"".join(_ESCAPES.get(byte, _escape_byte(byte)) for byte in raw).decode("ascii")}"'


def _escape_byte(byte: int) -> bytes:
    return bytes([byte]) if byte in _PLAIN else b"\\%03o" % byte


def _end_name(name: str) -> str:
    """Git ends a name that holds a space with a tab."""
    return "\t" if " " in name and not name.startswith('"') else ""
