"""What may be asked of the index: files, symbols, their neighbours and their past."""

from __future__ import annotations

import json
import sqlite3
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

from bottega.errors import InputError
from bottega.index.metadata import below
from bottega.source import Span

_ESCAPE = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})
_MOST_CONNECTED = 10
_AT_ONCE = 500
_LONGEST_NAME = 1000

T = TypeVar("T")


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


class UseEdge(NamedTuple):
    """An edge by the numbers of its ends; `target` is 0 where it ends at a file."""

    source: int
    source_file: int
    target: int
    target_file: int
    confidence: float


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
    """All that is known of one file."""

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


_FILE = "SELECT id, path, language, role, source, hash, size, lines, depth, module FROM files"
_SYMBOL = (
    "SELECT s.id, s.file_id, f.path, s.name, s.kind, s.qualified, s.node, s.first_line, s.last_line, s.signature,"
    " s.parent_id FROM symbols s JOIN files f ON f.id = s.file_id"
)


class KnowledgeBase:
    """Questions about one repository. Every list is ordered, and nothing found is an empty list."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def get_files(self, language: str | None = None) -> list[File]:
        if language is None:
            return self._all(File, f"{_FILE} ORDER BY path")
        return self._all(File, f"{_FILE} WHERE lower(language) = lower(?) ORDER BY path", language)

    def get_file_by_path(self, path: str) -> File | None:
        return self._one(File, f"{_FILE} WHERE path = ?", path)

    def get_file_by_id(self, file_id: int) -> File | None:
        return self._one(File, f"{_FILE} WHERE id = ?", file_id)

    def search_files_by_metadata(
        self, *, domain: str | None = None, module: str | None = None, concepts: Sequence[str] = ()
    ) -> list[Metadata]:
        """Files that a model described so; none before `bottega enrich --promote`."""
        if domain is None and module is None and not concepts:
            raise InputError("name a domain, a module or concepts", hint="At least one of them is needed.")
        wanted = {concept.lower() for concept in concepts}
        return [
            found
            for found in self.get_metadata()
            if (domain is None or found.domain.lower() == domain.lower())
            and (module is None or found.module.lower() == module.lower())
            and (not wanted or wanted & {concept.lower() for concept in found.concepts})
        ]

    def get_metadata(self, paths: Iterable[str] | None = None) -> list[Metadata]:
        """What is written about the files as they are now; what was written about an older content does not count."""
        rows = self._connection.execute(
            "SELECT m.path, m.purpose, m.module, m.domain, m.concepts, m.public_api_surface, m.complexity_notes"
            " FROM file_metadata m JOIN files f ON f.path = m.path AND f.hash = m.hash ORDER BY m.path"
        )
        wanted = None if paths is None else set(paths)
        return [
            Metadata(row[0], row[1], row[2], row[3], tuple(json.loads(row[4])), tuple(json.loads(row[5])), row[6])
            for row in rows
            if wanted is None or row[0] in wanted
        ]

    def get_directory_summaries(self) -> dict[str, str]:
        """What is written about directories whose files are as they were then, by path with a closing slash."""
        rows = self._connection.execute(
            "SELECT path, hash, purpose FROM file_metadata WHERE path LIKE '%/' ORDER BY path"
        ).fetchall()
        if not rows:
            return {}
        present = below(self._connection)
        return {path: purpose for path, key, purpose in rows if present(path) == key}

    def get_symbol(self, symbol_id: int) -> SymbolRow | None:
        return self._one(SymbolRow, f"{_SYMBOL} WHERE s.id = ?", symbol_id)

    def get_symbols_for_file(self, file_id: int, kind: str | None = None) -> list[SymbolRow]:
        found = self._all(SymbolRow, f"{_SYMBOL} WHERE s.file_id = ? ORDER BY s.ordinal", file_id)
        return found if kind is None else [symbol for symbol in found if symbol.kind == kind]

    def search_symbols_by_name(self, pattern: str, limit: int = 100) -> list[SymbolRow]:
        """Names that hold the pattern, whole names first."""
        if len(pattern) > _LONGEST_NAME:
            return []
        like = f"%{pattern.translate(_ESCAPE)}%"
        return self._all(
            SymbolRow,
            f"{_SYMBOL} WHERE s.name LIKE ? ESCAPE '\\' ORDER BY lower(s.name) != lower(?), length(s.name), f.path,"
            " s.ordinal LIMIT ?",
            like,
            pattern,
            limit,
        )

    def get_symbols_by_node(self, node: str) -> list[SymbolRow]:
        """Every place of a node: a partial class has several."""
        return self._all(SymbolRow, f"{_SYMBOL} WHERE s.node = ? ORDER BY f.path, s.ordinal", node)

    def get_symbol_at(self, path: str, line: int) -> SymbolRow | None:
        """The innermost symbol around a line."""
        return self._one(
            SymbolRow,
            f"{_SYMBOL} WHERE f.path = ? AND s.first_line <= ? AND s.last_line >= ?"
            " ORDER BY s.last_line - s.first_line, s.ordinal DESC LIMIT 1",
            path,
            line,
            line,
        )

    def get_symbol_neighbors(
        self, symbol_id: int, direction: str, kinds: Sequence[str] | None = None
    ) -> list[Neighbour]:
        """`direction` is "callers" for what uses the symbol, "callees" for what it uses."""
        if direction not in {"callers", "callees"}:
            raise InputError(f"{direction!r} is not a direction", hint="It is callers or callees.")
        near, far = ("target", "source") if direction == "callers" else ("source", "target")
        rows = self._connection.execute(
            f"SELECT e.kind, e.how, e.confidence, e.line, e.count, f.path, e.{far}_symbol FROM edges e"  # noqa: S608 - two fixed words
            f" JOIN files f ON f.id = e.{far}_file WHERE e.{near}_symbol = ? AND e.{near}_symbol > 0"
            " ORDER BY e.confidence DESC, f.path, e.line",
            (symbol_id,),
        ).fetchall()
        return [
            Neighbour(row[0], row[1], row[2], row[3], row[4], row[5], self.get_symbol(row[6]) if row[6] else None)
            for row in rows
            if kinds is None or row[0] in kinds
        ]

    def get_definitions(self, names: Sequence[str]) -> dict[str, list[int]]:
        """The symbols that have each of these names, tests left out."""
        found: dict[str, list[int]] = {name: [] for name in names}
        marks = ",".join("?" * len(found))
        query = (
            "SELECT s.name, s.id FROM symbols s JOIN files f ON f.id = s.file_id"  # noqa: S608 - only question marks
            f" WHERE s.name IN ({marks}) AND f.role = 'code' ORDER BY s.id"
        )
        for name, number in self._connection.execute(query, list(found)):
            found[name].append(number)
        return found

    def get_places(self, names: Sequence[str]) -> dict[str, list[DefinedAt]]:
        """Where each of these names is defined."""
        found: dict[str, list[DefinedAt]] = {name: [] for name in names}
        marks = ",".join("?" * len(found))
        query = f"SELECT name, file_id, first_line, kind, qualified FROM symbols WHERE name IN ({marks}) ORDER BY id"  # noqa: S608 - only question marks
        for name, *place in self._connection.execute(query, list(found)):
            found[name].append(DefinedAt(*place))
        return found

    def get_inner_symbols(self, symbol_id: int) -> list[int]:
        """What is defined right inside a symbol."""
        rows = self._connection.execute(
            "SELECT s.id FROM symbols o JOIN symbols s ON s.file_id = o.file_id AND s.parent_id = o.id WHERE o.id = ?"
            " ORDER BY s.id",
            (symbol_id,),
        )
        return [number for (number,) in rows]

    def get_edges_from(self, symbol_ids: Sequence[int]) -> list[UseEdge]:
        """Calls, types, bases and mentions that leave these symbols, towards code."""
        found: list[UseEdge] = []
        for at in range(0, len(symbol_ids), _AT_ONCE):
            some = symbol_ids[at : at + _AT_ONCE]
            marks = ",".join("?" * len(some))
            query = (
                "SELECT e.source_symbol, e.source_file, e.target_symbol, e.target_file, e.confidence"  # noqa: S608 - only question marks
                " FROM edges e"
                f" JOIN files f ON f.id = e.target_file WHERE e.source_symbol IN ({marks}) AND e.source_symbol > 0"
                " AND f.role = 'code' ORDER BY e.source_symbol, e.target_file, e.target_symbol, e.kind"
            )
            found += [UseEdge(*row) for row in self._connection.execute(query, some)]
        return found

    def get_symbol_uses(self) -> dict[int, float]:
        """How much each symbol is used from other files: its edges added up by how sure they are."""
        return dict(
            self._connection.execute(
                "SELECT target_symbol, sum(confidence) FROM edges WHERE target_symbol > 0"
                " AND source_file != target_file GROUP BY 1"
            )
        )

    def get_file_uses(self) -> dict[int, float]:
        """How much each file is used by others."""
        return dict(
            self._connection.execute("SELECT target_file, sum(weight) FROM links WHERE kind != 'tests' GROUP BY 1")
        )

    def get_dependencies(self, file_id: int, direction: str) -> list[File]:
        """`direction` is "imports" or "imported_by"."""
        if direction not in {"imports", "imported_by"}:
            raise InputError(f"{direction!r} is not a direction", hint="It is imports or imported_by.")
        near, far = ("source", "target") if direction == "imports" else ("target", "source")
        return self._all(
            File,
            f"{_FILE} WHERE id IN (SELECT {far}_file FROM edges WHERE {near}_file = ? AND kind = 'imports')"  # noqa: S608 - fixed words
            " ORDER BY path",
            file_id,
        )

    def get_dependency_subgraph(self, file_ids: Iterable[int], depth: int) -> list[Dependency]:
        """Imports within some steps of these files, in both directions."""
        seen = set(file_ids)
        pending = deque((number, 0) for number in sorted(seen))
        found: set[Dependency] = set()
        while pending:
            number, steps = pending.popleft()
            if steps >= depth:
                continue
            for source, target, kind, a, b in self._connection.execute(
                "SELECT e.source_file, e.target_file, e.kind, s.path, t.path FROM edges e"
                " JOIN files s ON s.id = e.source_file JOIN files t ON t.id = e.target_file"
                " WHERE e.kind = 'imports' AND (e.source_file = ? OR e.target_file = ?)",
                (number, number),
            ).fetchall():
                found.add(Dependency(a, b, kind))
                for other in (source, target):
                    if other not in seen:
                        seen.add(other)
                        pending.append((other, steps + 1))
        return sorted(found)

    def get_co_change_neighbors(self, file_id: int, min_count: int = 2) -> list[CoChange]:
        file = self.get_file_by_id(file_id)
        if file is None:
            return []
        return self._all(
            CoChange,
            "SELECT CASE WHEN path_a = ?1 THEN path_b ELSE path_a END, count, last_commit FROM co_changes"
            " WHERE (path_a = ?1 OR path_b = ?1) AND count >= ?2 ORDER BY count DESC, 1",
            file.path,
            min_count,
        )

    def get_docstrings_for_file(self, file_id: int) -> list[DocstringRow]:
        return self._all(
            DocstringRow, "SELECT symbol_id, content, format FROM docstrings WHERE file_id = ? ORDER BY rowid", file_id
        )

    def get_docstring(self, symbol_id: int) -> str:
        row = self._connection.execute("SELECT content FROM docstrings WHERE symbol_id = ?", (symbol_id,)).fetchone()
        return str(row[0]) if row else ""

    def get_comments_for_file(self, file_id: int, kind: str | None = None) -> list[CommentRow]:
        rows = self._connection.execute(
            "SELECT symbol_id, line, content, kind, is_rationale FROM comments WHERE file_id = ? ORDER BY line",
            (file_id,),
        )
        return [
            CommentRow(row[0], row[1], row[2], row[3], bool(row[4])) for row in rows if kind is None or row[3] == kind
        ]

    def get_rationale_comments(self, file_id: int) -> list[CommentRow]:
        return [comment for comment in self.get_comments_for_file(file_id) if comment.is_rationale]

    def get_recent_commits_for_file(self, file_id: int, limit: int = 10) -> list[CommitRow]:
        file = self.get_file_by_id(file_id)
        if file is None:
            return []
        return self._all(
            CommitRow,
            "SELECT c.hash, c.author, c.written, c.message, c.files_changed FROM file_commits t"
            " JOIN commits c ON c.id = t.commit_id WHERE t.current = ? ORDER BY c.position LIMIT ?",
            file.path,
            limit,
        )

    def get_file_context(self, file_id: int) -> FileContext | None:
        file = self.get_file_by_id(file_id)
        if file is None:
            return None
        return FileContext(
            file,
            tuple(self.get_symbols_for_file(file_id)),
            tuple(self.get_docstrings_for_file(file_id)),
            tuple(self.get_rationale_comments(file_id)),
            tuple(other.path for other in self.get_dependencies(file_id, "imports")),
            tuple(other.path for other in self.get_dependencies(file_id, "imported_by")),
            tuple(self.get_co_change_neighbors(file_id)),
            tuple(self.get_recent_commits_for_file(file_id)),
        )

    def get_repo_overview(self) -> Overview:
        connected = self._connection.execute(
            "SELECT f.path, count(*) FROM links l JOIN files f ON f.id = l.target_file WHERE l.kind != 'tests'"
            " GROUP BY f.path ORDER BY 2 DESC, 1 LIMIT ?",
            (_MOST_CONNECTED,),
        )
        domains: dict[str, int] = {}
        for found in self.get_metadata():
            domains[found.domain] = domains.get(found.domain, 0) + 1
        return Overview(
            self._count("files"),
            self._tally("files", "language"),
            self._tally("files", "role"),
            domains,
            self._count("symbols"),
            self._count("edges"),
            self._count("commits"),
            tuple((path, count) for path, count in connected),
        )

    def get_symbol_kinds(self) -> list[str]:
        return [kind for (kind,) in self._connection.execute("SELECT DISTINCT kind FROM symbols ORDER BY 1")]

    def get_tallies(self) -> dict[str, dict[str, int]]:
        """How many symbols and edges there are of each kind, and how edges were resolved."""
        return {
            "symbol_kinds": self._tally("symbols", "kind"),
            "edge_kinds": self._tally("edges", "kind"),
            "edge_hows": self._tally("edges", "how"),
        }

    def get_adapter_for_stage(self, stage_name: str) -> Adapter | None:
        return self._one(
            Adapter,
            "SELECT stage_name, base_model, model_tag, version, performance_notes, deployed_at FROM adapter_metadata"
            " WHERE stage_name = ? AND active = 1 ORDER BY version DESC, id DESC LIMIT 1",
            stage_name,
        )

    def _count(self, table: str) -> int:
        return int(self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - from a constant

    def _tally(self, table: str, column: str) -> dict[str, int]:
        rows = self._connection.execute(
            f"SELECT {column}, count(*) FROM {table} GROUP BY 1 ORDER BY 2 DESC, 1"  # noqa: S608 - from constants
        )
        return {str(value): int(count) for value, count in rows}

    def _all(self, kind: type[T], query: str, *values: Any) -> list[T]:
        return [kind(*row) for row in self._connection.execute(query, values)]

    def _one(self, kind: type[T], query: str, *values: Any) -> T | None:
        row = self._connection.execute(query, values).fetchone()
        return kind(*row) if row else None
