"""Compare two trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bottega.sandbox.tree import Entry, File, Folder, Link, Tree

Status = Literal["added", "changed", "deleted"]


@dataclass(frozen=True, slots=True)
class Change:
    """A file or a link that differs; directories are created and removed with their content."""

    path: str
    before: File | Link | None
    after: File | Link | None

    @property
    def status(self) -> Status:
        return "added" if self.before is None else "deleted" if self.after is None else "changed"

    @property
    def is_link(self) -> bool:
        """Whether either side is a link."""
        return isinstance(self.before, Link) or isinstance(self.after, Link)

    def __str__(self) -> str:
        return f"{self.status} {self.path}{f' -> {self.after.target}' if isinstance(self.after, Link) else ''}"


def compare_trees(before: Tree, after: Tree) -> list[Change]:
    """Every difference, by path."""
    return [
        Change(path, _select_leaf(before.get(path)), _select_leaf(after.get(path)))
        for path in sorted(before.keys() | after.keys())
        if _select_leaf(before.get(path)) != _select_leaf(after.get(path))
    ]


def _select_leaf(entry: Entry | None) -> File | Link | None:
    return None if isinstance(entry, Folder) else entry
