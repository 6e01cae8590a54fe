"""What a picture writes about a node: its short name, its place, the link to its file, all escaped and measured."""

from __future__ import annotations

import os
import posixpath
import unicodedata
from html import escape as escape_markup
from urllib.parse import quote_from_bytes

from bottega.index import Node

_MEMBERS = frozenset({"METHOD", "FIELD"})


def escape(text: str) -> str:
    """Escape for XML; control, bidirectional and unwritable characters become a replacement character."""
    return escape_markup("".join(sign if sign.isprintable() or sign in "\t\n" else "\ufffd" for sign in text))


def name_node(node: Node) -> str:
    """The name as people say it: `Class.method`, `outer.inner`, the name of a file."""
    name = node.name or node.key
    owners = node.key.rpartition("|")[0].split(".")[:-1]
    if node.kind in _MEMBERS and owners:
        return f"{owners[-1].rpartition(':')[2]}.{name}"
    stem = posixpath.splitext(posixpath.basename(node.path))[0]
    is_nested = node.kind != "FILE" and stem in owners[:-1]
    return f"{owners[-1]}.{name}" if is_nested else name


def describe_place(node: Node) -> str:
    """`path:line`, or "" for a node without a file."""
    return f"{node.path}:{node.first}" if node.path and node.first else node.path


def describe_node(node: Node) -> str:
    """Key and place, for the tooltip."""
    place = f"{node.path}:{node.first}-{node.last}" if node.path and node.first else node.path
    return "\n".join(filter(None, (node.key, place)))


def link_to(node: Node, base: str) -> str:
    """A relative address of the file and line; `base` is empty or ends in `/`. "" for a node without a file."""
    if not node.path:
        return ""
    path = base + node.path
    line = f"#L{node.first}" if node.first and node.kind != "FILE" else ""
    return quote_from_bytes(os.fsencode(path) if _is_encodable(path) else path.encode("utf-8", "replace")) + line


def _is_encodable(path: str) -> bool:
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        return False
    return True


def measure(text: str) -> int:
    """Columns in a fixed-width font: wide characters take two, combining characters none."""
    return sum(_measure_sign(sign) for sign in text)


def shorten(text: str, columns: int) -> str:
    """Cut the middle out, so that beginning and end stay readable."""
    if measure(text) <= columns:
        return text
    head = _take(text, columns // 2)
    tail = _take(text[::-1], columns - columns // 2 - 1)[::-1]
    return f"{head}…{tail}"


def shorten_start(text: str, columns: int) -> str:
    """Cut the beginning off, as suits paths."""
    return text if measure(text) <= columns else "…" + _take(text[::-1], columns - 1)[::-1]


def _take(text: str, columns: int) -> str:
    used = 0
    for at, sign in enumerate(text):
        used += _measure_sign(sign)
        if used > columns:
            return text[:at]
    return text


def _measure_sign(sign: str) -> int:
    if sign < "\u0300":
        return 1
    if unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
