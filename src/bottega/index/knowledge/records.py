"""The values that queries return."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bottega.source import Span


class File(NamedTuple):
    id: int
    path: str
    language: str
    role: str
    source: str
    hash: str
    size: int
    lines: int
    depth: str
    module: str


class SymbolRow(NamedTuple):
    id: int
    file_id: int
    path: str
    name: str
    kind: str
    qualified: str
    node: str
    first: int
    last: int
    signature: str
    parent_id: int | None

    @property
    def span(self) -> Span:
        return Span(self.path, self.first, self.last)


class Neighbour(NamedTuple):
    """The other end of an edge. `symbol` is `None` where the edge ends at a file."""

    kind: str
    how: str
    confidence: float
    line: int
    times: int
    path: str
    symbol: SymbolRow | None


class DefinedAt(NamedTuple):
    file: int
    line: int
    kind: str
    qualified: str


class Dependency(NamedTuple):
    source: str
    target: str
    kind: str


class CoChange(NamedTuple):
    path: str
    times: int
    last_commit: str


class CommitRow(NamedTuple):
    hash: str
    author: str
    written: str
    message: str
    files_changed: int


class DocstringRow(NamedTuple):
    symbol_id: int | None
    content: str
    format: str


class CommentRow(NamedTuple):
    symbol_id: int | None
    line: int
    content: str
    kind: str
    is_rationale: bool


class Metadata(NamedTuple):
    path: str
    purpose: str
    module: str
    domain: str
    concepts: tuple[str, ...]
    public_api_surface: tuple[str, ...]
    complexity_notes: str


class Adapter(NamedTuple):
    stage_name: str
    base_model: str
    model_tag: str
    version: int
    performance_notes: str
    deployed_at: str


@dataclass(frozen=True, slots=True)
class FileContext:
    """A file with its symbols, documentation, imports and history."""

    file: File
    symbols: tuple[SymbolRow, ...]
    docstrings: tuple[DocstringRow, ...]
    rationale: tuple[CommentRow, ...]
    imports: tuple[str, ...]
    imported_by: tuple[str, ...]
    co_changes: tuple[CoChange, ...]
    commits: tuple[CommitRow, ...]


@dataclass(frozen=True, slots=True)
class Overview:
    files: int
    languages: dict[str, int]
    roles: dict[str, int]
    domains: dict[str, int]
    symbols: int
    edges: int
    commits: int
    most_connected: tuple[tuple[str, int], ...]
