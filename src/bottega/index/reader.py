"""A reader of one held snapshot of the index."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from bottega.index.freshness import Freshness
from bottega.index.graph import Graph
from bottega.index.knowledge import KnowledgeBase
from bottega.index.location import IndexLocation
from bottega.index.snapshot import Snapshot
from bottega.index.snapshots import SharedSnapshot
from bottega.source import Span
from bottega.source.secrets import mask_secrets
from bottega.source.text import read_text

T = TypeVar("T")


class KnowledgeReader:
    """A consistent state of the index for as long as it is held; threads may share it.

    `is_current` says whether the working tree was compared with the index when the reader was opened.
    """

    def __init__(self, shared: SharedSnapshot, location: IndexLocation, *, is_current: bool) -> None:
        self.is_current = is_current
        self.folder = location.folder
        self._shared = shared

    @property
    def root(self) -> Path:
        return self._shared.snapshot.root

    @property
    def snapshot(self) -> Snapshot:
        return self._shared.snapshot

    @cached_property
    def base(self) -> KnowledgeBase:
        return KnowledgeBase(self.snapshot.connection)

    @cached_property
    def graph(self) -> Graph:
        return Graph(self.snapshot.connection)

    @cached_property
    def freshness(self) -> Freshness:
        return self.snapshot.freshness(is_current=self.is_current)

    def memo(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return `make()`, computed once for each key of this snapshot and dropped with the snapshot."""
        return self._shared.memo(key, make)

    def lines(self, span: Span) -> str | None:
        """Lines of an indexed file as they are on the disk now, secrets masked; `None` when they do not exist.

        Only indexed files are read: nothing outside the tree, nothing ignored, nothing behind a link. Every call reads
        the file, so that a citation is checked against the current content.
        """
        text = self.text(span.path)
        if text is None:
            return None
        lines = text.split("\n")
        if lines and lines[-1] == "":
            lines.pop()
        if span.last > len(lines):
            return None
        return "\n".join(line.removesuffix("\r") for line in lines[span.first - 1 : span.last])

    def text(self, path: str) -> str | None:
        """The text of an indexed file as it is on the disk now, secrets masked; `None` when it cannot be read."""
        if self.base.get_file_by_path(path) is None:
            return None
        root = self.root.resolve()
        place = (root / path).resolve()
        try:
            text = read_text(place) if place.is_relative_to(root) and place.is_file() else None
        except OSError:
            return None
        return mask_secrets(text, path=path) if text is not None else None
