"""Resolve imports and uses of the repository again where something that they depend on has changed."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from bottega.index.analyse import Analysis, Import
from bottega.index.indexed_names import IndexedNames
from bottega.index.resolve import Edge, FileName, Imports, Layout, Uses
from bottega.index.resolve.imports import Target
from bottega.index.resolve.layout import family
from bottega.index.resolve.tests import find_tested_files
from bottega.index.rows import FileRow, list_reexports, list_symbol_ids
from bottega.source.roles import Role

_ALL = "*"
_OUTSIDE = 0  # instead of a file id, for an import from outside the repository
_CODE = frozenset({Role.CODE, Role.TEST, Role.CONFIG})
_MOST_FILES_OF_AN_IMPORT = 40
# Rows for the imports of one file; beyond it, imports that may mean several files count as outside the repository.
_MOST_IMPORT_ROWS = 20_000


class _Row(NamedTuple):
    """A row of the table of imports."""

    file: int
    ordinal: int
    target: int
    module: str
    name: str
    taken: str
    alias: str
    line: int


class Relations:
    """Resolves against one state of the files; `read` returns the text of manifests."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        files: Mapping[str, FileRow],
        *,
        read: Callable[[str], str | None],
        analysis: Callable[[FileRow], Analysis],
    ) -> None:
        self._connection = connection
        self._files = {row.id: row for row in files.values()}
        self._analysis = analysis
        names = (FileName(row.id, row.path, row.language, row.namespace) for row in files.values() if row.role in _CODE)
        self.layout = Layout.of(names, read)
        self._imports = Imports(self.layout)

    def write_imports(self, found: Mapping[int, Sequence[Import]]) -> None:
        """Write the imports of all files to an empty table."""
        for file_id, items in found.items():
            self._insert_imports(list(self._build_rows(file_id, items)))

    def resolve_imports(
        self, changed: Mapping[int, Sequence[Import]], *, everywhere: bool
    ) -> tuple[set[int], set[str]]:
        """Write the imports of changed files, and of others whose imports resolve differently now.

        Return the files whose imports changed and the names that other files may import through them.
        """
        moved, names = set(changed), set()
        for file_id, before in self._load_rows(everywhere=everywhere, changed=changed):
            items = changed[file_id] if file_id in changed else _restore_imports(before)
            rows = list(self._build_rows(file_id, items))
            if rows == before:
                continue
            moved.add(file_id)
            names |= self._list_reexports(set(map(_get_meaning, rows)) ^ set(map(_get_meaning, before)))
            self._connection.execute("DELETE FROM imports WHERE file_id = ?", (file_id,))
            self._insert_imports(rows)
        return moved, names

    def add_aliases(self, names: set[str]) -> set[str]:
        """The names with every alias under which an import re-exports one of them."""
        reached, pending = set(names), list(names)
        while pending:
            name = pending.pop()
            for (alias,) in self._connection.execute(
                "SELECT DISTINCT alias FROM imports WHERE taken = ? AND alias != taken", (name,)
            ):
                if alias not in reached:
                    reached.add(alias)
                    pending.append(alias)
        return reached

    def resolve_uses(self, file_ids: Iterable[int], on_file: Callable[[], None], *, is_first: bool) -> None:
        """Write the outgoing edges of these files; `is_first` if the tables are empty."""
        known = IndexedNames(self._connection, self._files)
        uses = Uses(self.layout, known)
        for file_id in sorted(file_ids):
            row = self._files.get(file_id)
            if not is_first:
                self._connection.execute("DELETE FROM edges WHERE source_file = ? AND kind != 'tests'", (file_id,))
                self._connection.execute("DELETE FROM links WHERE source_file = ? AND kind != 'tests'", (file_id,))
            if row is not None and row.analysis is not None and file_id in self.layout.files:
                self._relate(row, uses, known)
            on_file()

    def resolve_tests(self) -> None:
        """Write edges from tests to the code that they test, matched by file name."""
        for table in ("edges", "links"):
            self._connection.execute(f"DELETE FROM {table} WHERE kind = 'tests'")  # noqa: S608 - from a constant
        tests = {number for number, row in self._files.items() if row.role == Role.TEST}
        names = [name for number, name in self.layout.files.items() if self._files[number].role != Role.CONFIG]
        found = sorted(find_tested_files(names, tests))
        self._connection.executemany(
            "INSERT INTO edges VALUES (?, 0, ?, 0, 'tests', 'name', ?, 1, 1)",
            ((test, code, confidence) for test, code, confidence in found),
        )
        self._connection.executemany("INSERT INTO links VALUES (?, ?, 'tests', ?)", found)

    def _relate(self, row: FileRow, uses: Uses, known: IndexedNames) -> None:
        analysis = self._analysis(row)
        numbers = list_symbol_ids(self._connection, [row.id])[row.id]
        targets = self._list_targets(row)
        symbols = list(zip(numbers, analysis.symbols, strict=True))
        named = [(alias, target) for alias, target, _ in targets]
        edges = uses.edges(self.layout.files[row.id], symbols, analysis.references, named)
        inside = [(target, line) for _, target, line in targets if target is not None]
        edges += _build_import_edges(inside, known, family(row.language))
        self._connection.executemany(
            "INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((row.id, edge.source, edge.target_file, edge.target, *edge[3:]) for edge in edges),
        )
        weights: dict[tuple[int, str], float] = defaultdict(float)
        for edge in edges:
            if edge.target_file != row.id:
                weights[edge.target_file, "imports" if edge.kind == "imports" else "uses"] += edge.confidence
        self._connection.executemany(
            "INSERT INTO links VALUES (?, ?, ?, ?)",
            ((row.id, target, kind, round(weight, 4)) for (target, kind), weight in weights.items()),
        )

    def _list_targets(self, row: FileRow) -> list[tuple[str, Target | None, int]]:
        """Alias, target (`None` outside the repository) and line of each import."""
        found: dict[tuple[int, str, str, int], list[int]] = defaultdict(list)
        for ordinal, target, name, alias, line in self._connection.execute(
            "SELECT ordinal, target_id, taken, alias, line FROM imports WHERE file_id = ? ORDER BY ordinal, target_id",
            (row.id,),
        ):
            found[ordinal, alias, name, line].append(target)
        return [
            (alias, Target(tuple(files), name) if files != [_OUTSIDE] else None, line)
            for (_, alias, name, line), files in found.items()
        ]

    def _build_rows(self, file_id: int, items: Sequence[Import]) -> Iterator[_Row]:
        name = self.layout.files.get(file_id)
        if name is None:
            return
        written = 0
        for ordinal, item in enumerate(items):
            target = self._imports.target(item, name)
            if target is not None and written > _MOST_IMPORT_ROWS and len(target.files) > 1:
                target = None
            written += 1 if target is None else len(target.files)
            taken = item.name if target is None else target.name
            for number in target.files if target is not None else (_OUTSIDE,):
                yield _Row(file_id, ordinal, number, item.module, item.name, taken, item.alias, item.line)

    def _insert_imports(self, rows: Sequence[_Row]) -> None:
        self._connection.executemany("INSERT INTO imports VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def _load_rows(self, *, everywhere: bool, changed: Iterable[int]) -> Iterator[tuple[int, list[_Row]]]:
        """The stored imports of all files or of the changed ones."""
        by_file: dict[int, list[_Row]] = {file_id: [] for file_id in changed}
        if everywhere:
            for row in self._connection.execute("SELECT * FROM imports ORDER BY file_id, ordinal, target_id"):
                by_file.setdefault(row[0], []).append(_Row(*row))
        else:
            for file_id, rows in by_file.items():
                found = self._connection.execute(
                    "SELECT * FROM imports WHERE file_id = ? ORDER BY ordinal, target_id", (file_id,)
                )
                rows.extend(_Row(*row) for row in found)
        yield from by_file.items()

    def _list_reexports(self, meanings: Iterable[tuple[int, str, str]]) -> set[str]:
        """Names re-exported now or before; for a wildcard import, every name of the target."""
        names: set[str] = set()
        for target, taken, alias in meanings:
            names.add(alias)
            if taken == _ALL and target:
                names |= list_reexports(self._connection, target, self._language(target))
        return names - {_ALL}

    def _language(self, file_id: int) -> str:
        row = self._files.get(file_id)
        return row.language if row is not None else ""


def _get_meaning(row: _Row) -> tuple[int, str, str]:
    return row.target, row.taken, row.alias


def _restore_imports(rows: Sequence[_Row]) -> list[Import]:
    """Restore import statements from their rows, in order."""
    by_place = {row.ordinal: Import(row.module, row.name, row.alias, row.line) for row in rows}
    return [by_place[place] for place in sorted(by_place)]


def _build_import_edges(targets: Sequence[tuple[Target, int]], known: IndexedNames, group: str) -> list[Edge]:
    """Edges from file to file; of a package with many files, to those that define the imported name."""
    found: dict[int, Edge] = {}
    for target, line in targets:
        files = list(target.files)
        if len(files) > 1 and target.name not in {"", _ALL}:
            defining = known.find_definitions(target.name, group).by_file
            files = [number for number in files if number in defining]
        if len(files) > _MOST_FILES_OF_AN_IMPORT:
            files.sort(key=known.path)
        for number in files[:_MOST_FILES_OF_AN_IMPORT]:
            edge = Edge(0, number, 0, "imports", "import", round(1 / len(files), 3), line, 1)
            before = found.get(number)
            found[number] = (
                edge
                if before is None
                else before._replace(confidence=max(before.confidence, edge.confidence), times=before.times + 1)
            )
    return list(found.values())
