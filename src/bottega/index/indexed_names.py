"""Definitions and imports of indexed files by name, with a cache."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence

from bottega.index.resolve import Candidates, Definition
from bottega.index.resolve.candidates import NO_CANDIDATES
from bottega.index.resolve.layout import family
from bottega.index.rows import FileRow

_CACHED_DEFINITIONS = 600_000
_CACHED_FILES = 10_000


class IndexedNames:
    """Definitions and imports from the tables; each name is read once."""

    def __init__(self, connection: sqlite3.Connection, files: Mapping[int, FileRow]) -> None:
        self._connection = connection
        self._files = files
        self._families = {number: family(row.language) for number, row in files.items()}
        self._names: dict[str, dict[str, Candidates]] = {}
        self._held = 0
        self._imports: dict[int, dict[str, list[tuple[int, str]]]] = {}

    def find_definitions(self, name: str, family: str) -> Candidates:
        return self._find_by_name(name).get(family, NO_CANDIDATES)

    def find_extensions(self, name: str, family: str) -> Candidates:
        return self._find_by_name(name).get(f"{family} extension", NO_CANDIDATES)

    def _find_by_name(self, name: str) -> Mapping[str, Candidates]:
        """Candidates by language family; extensions of a type under a key of their own."""
        known = self._names.get(name)
        if known is None:
            if self._held > _CACHED_DEFINITIONS:
                self._names.clear()
                self._held = 0
            found: dict[str, list[Definition]] = defaultdict(list)
            for number, file_id, kind, parent, qualified in self._connection.execute(
                "SELECT id, file_id, kind, parent_id, qualified FROM symbols WHERE name = ? AND kind != 'section'"
                " ORDER BY file_id, ordinal",
                (name,),
            ):
                group = self._families.get(file_id, "")
                candidate = Definition(number, file_id, kind, parent or 0, group, qualified)
                found[f"{group} extension" if kind == "extension" else group].append(candidate)
                self._held += 1
            known = self._names[name] = {group: Candidates(listed) for group, listed in found.items()}
            self._held += 1
        return known

    def path(self, file: int) -> str:
        return self._files[file].path

    def find_imports(self, file: int, alias: str) -> Sequence[tuple[int, str]]:
        known = self._imports.get(file)
        if known is None:
            if len(self._imports) > _CACHED_FILES:
                self._imports.clear()
            known = self._imports[file] = defaultdict(list)
            for name, target, taken in self._connection.execute(
                "SELECT alias, target_id, taken FROM imports WHERE file_id = ? AND target_id > 0 ORDER BY ordinal,"
                " target_id",
                (file,),
            ):
                known[name].append((target, taken))
        return known.get(alias, ())
