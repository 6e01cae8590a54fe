"""Write, replace and remove all rows of a file in curated.sqlite."""

from __future__ import annotations

import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bottega.index.analyse import NOBODY, Analysis, Symbol
from bottega.index.analyse.outline import TYPES
from bottega.index.resolve.layout import family, slug
from bottega.index.walk import FileStamp

_SUFFIX = dict.fromkeys([*TYPES, "type"], "TYPE") | {
    "method": "METHOD",
    "function": "FUNCTION",
    "variable": "VARIABLE",
    "constant": "VARIABLE",
    "field": "FIELD",
    "property": "FIELD",
    "procedure": "PROC",
}
# How far re-exports are followed; not at all in C, where nobody imports a name through an including file.
_DEEPEST_CHAIN = 4
_HANDED_ON = """
WITH RECURSIVE chain (file, depth) AS (
  SELECT :file, 0
  UNION
  SELECT i.target_id, chain.depth + 1 FROM chain JOIN imports i ON i.file_id = chain.file
  WHERE i.taken = '*' AND i.target_id > 0 AND chain.depth < :depth
)
SELECT name FROM symbols WHERE file_id IN (SELECT file FROM chain)
UNION
SELECT alias FROM imports WHERE file_id IN (SELECT file FROM chain)
"""
_CHILDREN = ("symbols", "docstrings", "comments")


class FileRow(NamedTuple):
    """A row of the table of files; the fields are its columns in order."""

    id: int
    path: str
    language: str
    role: str
    source: str
    hash: str
    blob: str
    size: int
    lines: int
    depth: str
    note: str
    namespace: str
    module: str
    analysis: bytes | None
    segment: str | None
    document: int | None
    mtime_ns: int
    ctime_ns: int
    inode: int

    @property
    def stamp(self) -> FileStamp:
        return FileStamp(self.size, self.mtime_ns, self.ctime_ns, self.inode)


class Identity(NamedTuple):
    """Identifies a definition across changes of its file."""

    name: str
    qualified: str
    kind: str
    nth: int


def node_key(language: str, module: str, qualified: str, kind: str) -> str:
    suffix = _SUFFIX.get(kind, kind.upper())
    if language == "SQL":
        return f"{qualified}|{suffix}"
    return f"{slug(language)}:{f'{module}.' if module else ''}{qualified}|{suffix}"


def file_key(language: str, path: str) -> str:
    return f"{slug(language) or 'file'}:{path}|FILE"


def load_rows(connection: sqlite3.Connection) -> dict[str, FileRow]:
    rows = connection.execute("SELECT * FROM files WHERE source = 'project'")
    return {row[1]: FileRow(*row) for row in rows}


def list_kept_as_text(connection: sqlite3.Connection) -> tuple[tuple[str, str], ...]:
    """Files without symbols because they exceed the limits for one file, each with the reason."""
    found = connection.execute("SELECT path, note FROM files WHERE note LIKE 'kept as text: %' ORDER BY path")
    return tuple((path, note.removeprefix("kept as text: ")) for path, note in found)


class Rows:
    """Writes files and collects the names whose definitions changed."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._next_symbol = _find_last_id(connection, "symbols") + 1
        self._next_file = _find_last_id(connection, "files") + 1
        self.changed_names: set[str] = set()
        self.changed_files: set[int] = set()

    def make_id(self) -> int:
        self._next_file += 1
        return self._next_file - 1

    def put(self, row: FileRow, analysis: Analysis | None, before: FileRow | None) -> None:
        """Write a file with its analysis; definitions that persist keep their ids."""
        old = self._list_identities(before) if before is not None else {}
        if before is not None:
            self._clear(before.id)
            self._connection.execute("DELETE FROM files WHERE id = ?", (before.id,))
        marks = ",".join("?" * len(row))
        self._connection.execute(f"INSERT INTO files VALUES ({marks})", row)  # noqa: S608 - only question marks
        new = self._write(row, analysis, old) if analysis is not None else {}
        is_elsewhere = before is not None and (before.namespace, before.module) != (row.namespace, row.module)
        names = {key.name for key in old.keys() ^ new.keys()} | {key.name for key in new if is_elsewhere}
        self.changed_names |= names
        self.changed_files.add(row.id)

    def touch(self, row: FileRow, stamp: FileStamp) -> None:
        """Update the stamp of unchanged content."""
        self._connection.execute(
            "UPDATE files SET mtime_ns = ?, ctime_ns = ?, inode = ?, size = ? WHERE id = ?",
            (stamp.mtime_ns, stamp.ctime_ns, stamp.inode, stamp.size, row.id),
        )

    def remove(self, row: FileRow) -> None:
        self.changed_names |= {identity.name for identity in self._list_identities(row)}
        self.changed_names |= list_reexports(self._connection, row.id, row.language)
        self._clear(row.id)
        for statement in (
            "DELETE FROM files WHERE id = ?",
            "DELETE FROM imports WHERE file_id = ?",
            "DELETE FROM edges WHERE source_file = ?",
            "DELETE FROM edges WHERE target_file = ?",
            "DELETE FROM links WHERE source_file = ?",
            "DELETE FROM links WHERE target_file = ?",
        ):
            self._connection.execute(statement, (row.id,))

    def rename_module(self, row: FileRow, module: str) -> None:
        """Update the module name of an unchanged file."""
        symbols = self._connection.execute(
            "SELECT id, qualified, kind FROM symbols WHERE file_id = ?", (row.id,)
        ).fetchall()
        self._connection.executemany(
            "UPDATE symbols SET node = ? WHERE id = ?",
            ((node_key(row.language, module, qualified, kind), number) for number, qualified, kind in symbols),
        )
        self._connection.execute("UPDATE files SET module = ? WHERE id = ?", (module, row.id))

    def _list_identities(self, row: FileRow) -> dict[Identity, int]:
        found = self._connection.execute(
            "SELECT id, name, qualified, kind FROM symbols WHERE file_id = ? ORDER BY ordinal", (row.id,)
        )
        return dict(_number_duplicates((number, name, qualified, kind) for number, name, qualified, kind in found))

    def _clear(self, file_id: int) -> None:
        for table in _CHILDREN:
            self._connection.execute(f"DELETE FROM {table} WHERE file_id = ?", (file_id,))  # noqa: S608 - from a constant

    def _write(self, row: FileRow, analysis: Analysis, old: dict[Identity, int]) -> dict[Identity, int]:
        numbers = self._number(analysis.symbols, old)
        ids = list(numbers.values())
        self._connection.executemany(
            "INSERT INTO symbols VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (
                    *(ids[place], row.id, place, symbol.name, symbol.kind, symbol.qualified),
                    node_key(row.language, row.module, symbol.qualified, symbol.kind),
                    *(symbol.first, symbol.last, symbol.signature),
                    ids[symbol.parent] if symbol.parent != NOBODY else None,
                )
                for place, symbol in enumerate(analysis.symbols)
            ),
        )
        self._connection.executemany(
            "INSERT INTO docstrings VALUES (?, ?, ?, ?)",
            ((row.id, ids[d.symbol] if d.symbol != NOBODY else None, d.text, d.style) for d in analysis.docstrings),
        )
        self._connection.executemany(
            "INSERT INTO comments VALUES (?, ?, ?, ?, ?, ?)",
            (
                (row.id, ids[c.symbol] if c.symbol != NOBODY else None, c.line, c.text, c.kind, int(c.is_rationale))
                for c in analysis.comments
            ),
        )
        return numbers

    def _number(self, symbols: Iterable[Symbol], old: dict[Identity, int]) -> dict[Identity, int]:
        numbers: dict[Identity, int] = {}
        for identity, _ in _number_duplicates((0, symbol.name, symbol.qualified, symbol.kind) for symbol in symbols):
            known = old.get(identity)
            if known is None:
                known = self._next_symbol
                self._next_symbol += 1
            numbers[identity] = known
        return numbers


def _number_duplicates(found: Iterable[tuple[int, str, str, str]]) -> Iterator[tuple[Identity, int]]:
    """Number definitions of the same name and kind by their order."""
    seen: Counter[tuple[str, str]] = Counter()
    for number, name, qualified, kind in found:
        yield Identity(name, qualified, kind, seen[qualified, kind]), number
        seen[qualified, kind] += 1


def _find_last_id(connection: sqlite3.Connection, table: str) -> int:
    found = connection.execute(f"SELECT max(id) FROM {table}").fetchone()[0]  # noqa: S608 - from a constant
    return int(found or 0)


def list_reexports(connection: sqlite3.Connection, file_id: int, language: str) -> set[str]:
    """Every name that other files may import from a file: its definitions and its imports."""
    found = connection.execute(_HANDED_ON, {"file": file_id, "depth": 0 if family(language) == "c" else _DEEPEST_CHAIN})
    return {name for (name,) in found} - {"*"}


def list_symbol_ids(connection: sqlite3.Connection, file_ids: Iterable[int]) -> dict[int, list[int]]:
    """The ids of the symbols of some files, in order."""
    found: dict[int, list[int]] = defaultdict(list)
    for file_id in file_ids:
        for (number,) in connection.execute("SELECT id FROM symbols WHERE file_id = ? ORDER BY ordinal", (file_id,)):
            found[file_id].append(number)
    return found
