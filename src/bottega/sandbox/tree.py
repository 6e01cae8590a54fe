"""The content of a directory as a value: its files by checksum, its links by target."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from bottega.errors import SandboxError

_HOPS = 40
"""Links that Linux follows before it gives up."""


@dataclass(frozen=True, slots=True)
class File:
    """A file; equal to another with the same content and executable bit."""

    checksum: str
    size: int
    executable: bool = False
    mtime_ns: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link."""

    target: str


@dataclass(frozen=True, slots=True)
class Folder:
    """A directory; its entries have paths of their own."""


Entry = File | Link | Folder
Tree = Mapping[str, Entry]
"""Entries by path, relative to the root and with `/`."""


def encode_tree(tree: Tree) -> dict[str, list[Any]]:
    """Encode as JSON: a directory is an empty list, a link has one value, a file four."""
    return {path: _encode(entry) for path, entry in tree.items()}


def decode_tree(encoded: Mapping[str, list[Any]]) -> dict[str, Entry]:
    """Decode; raise `SandboxError` for a tree that no directory can have."""
    tree = {path: _decode(values) for path, values in encoded.items()}
    for path in tree:
        parent = posixpath.dirname(path)
        if ".." in path.split("/") or path.startswith("/") or (parent and not isinstance(tree.get(parent), Folder)):
            raise SandboxError(f"The layer's record is damaged: {path!r}")
    return tree


def _encode(entry: Entry) -> list[Any]:
    if isinstance(entry, File):
        return [entry.checksum, entry.size, entry.executable, entry.mtime_ns]
    return [entry.target] if isinstance(entry, Link) else []


def _decode(values: list[Any]) -> Entry:
    if len(values) == 4:
        return File(*values)
    return Link(*values) if values else Folder()


def list_parents(path: str) -> Iterator[str]:
    """The directories above a path, the nearest first, without the root."""
    while path := path.rpartition("/")[0]:
        yield path


def leaves_tree(path: str, tree: Tree) -> bool:
    """Whether the link at `path` leads out of the tree, also through other links; a broken link does not."""
    pending, at = [path], ""
    hops = 0
    while pending:
        step, _, rest = pending.pop().partition("/")
        if rest:
            pending.append(rest)
        if step == "..":
            if not at:
                return True
            at = posixpath.dirname(at)
        elif step not in ("", "."):
            at = posixpath.join(at, step)
        entry = tree.get(at)
        if isinstance(entry, Link):
            hops += 1
            if entry.target.startswith("/") or hops > _HOPS:
                return True
            pending.append(entry.target)
            at = posixpath.dirname(at)
    return False
