"""What a model was shown of a directory's files, as opposed to what it asked for and never saw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bottega.investigate.entries import Coverage
from bottega.investigate.units import Unit


@dataclass(slots=True)
class ReadLog:
    """Excerpts and outlines by path.

    A result is shown with the request after the turn that asked for it, so it counts as read one turn later: what the
    submitting turn looks up is never read. `changed` are files whose content is no longer what the scan saw.
    """

    unit: Unit
    excerpts: dict[str, list[tuple[int, int, int]]] = field(default_factory=dict)
    outlined: set[str] = field(default_factory=set)
    cut: int = 0
    changed: list[str] = field(default_factory=list)
    _requested: list[Mapping[str, Any]] = field(default_factory=list)
    _shown: list[Mapping[str, Any]] = field(default_factory=list)

    def request(self, result: Mapping[str, Any]) -> None:
        """Note a result of the current turn: an excerpt as a mapping, or a path alone for an outline."""
        self._requested.append(result)

    def end_turn(self) -> None:
        for result in self._shown:
            self.record(result)
        self._shown, self._requested = self._requested, []

    def record(self, result: Mapping[str, Any]) -> None:
        """Count a result as read, and notice when the file has changed since the scan."""
        path = str(result["path"])
        if "first" not in result:
            self.outlined.add(path)
            return
        self.excerpts.setdefault(path, []).append((result["first"], result["last"], result["bytes"]))
        self.cut += bool(result["cut"])
        file = self.unit.find_file(path)
        if file is not None and file.size and result["digest"] and not str(result["digest"]).startswith(file.digest):
            self.changed.append(path)

    def was_shown(self, path: str) -> bool:
        """Whether the model has seen any of a file, be it with the last request."""
        return path in self.excerpts or path in self.outlined or path in {str(result["path"]) for result in self._shown}

    def has_read_all(self, known: Mapping[str, Any]) -> bool:
        """Whether every file was read in part, outlined, or is `known` from an earlier run."""
        read = {*self.excerpts, *self.outlined, *known}
        return self.unit.count == len(self.unit.files) and all(
            self.unit.path_of(file) in read or not file.size for file in self.unit.files
        )

    def coverage(self) -> Coverage:
        own = {self.unit.path_of(file) for file in self.unit.files}
        read = {path: spans for path, spans in self.excerpts.items() if path in own}
        return Coverage(
            files=self.unit.count,
            files_read=len(read),
            bytes=self.unit.bytes,
            bytes_read=sum(_count_bytes(spans) for spans in read.values()),
            cut=self.cut,
        )


def _count_bytes(spans: list[tuple[int, int, int]]) -> int:
    """Bytes of the lines shown; lines shown twice count once, at their share of the excerpt."""
    total, until = 0.0, 0
    for first, last, size in sorted(spans):
        lines = last - first + 1
        new = last - max(first - 1, until)
        if lines > 0 and new > 0:
            total += size * new / lines
            until = last
    return int(total)
