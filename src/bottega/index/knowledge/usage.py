"""Which symbols are used, and from where."""

from __future__ import annotations

from collections import defaultdict

from bottega.index.knowledge.inheritance import InheritanceQueries
from bottega.index.knowledge.records import SymbolRow
from bottega.index.knowledge.symbols import SYMBOL_COLUMNS


class UsageQueries(InheritanceQueries):
    def get_symbols_by_role(self, role: str) -> list[SymbolRow]:
        """Every symbol of the files of a role, by path and line."""
        return self._all(SymbolRow, f"{SYMBOL_COLUMNS} WHERE f.role = ? ORDER BY f.path, s.ordinal", role)

    def get_users(self) -> dict[int, list[tuple[int, str]]]:
        """For each symbol the symbols that use it, 0 for the top level of a file, each with the role of its file."""
        users: dict[int, list[tuple[int, str]]] = defaultdict(list)
        query = (
            "SELECT e.target_symbol, e.source_symbol, f.role FROM edges e JOIN files f ON f.id = e.source_file"
            " WHERE e.target_symbol > 0 AND e.source_symbol != e.target_symbol"
        )
        for target, source, role in self._connection.execute(query):
            users[target].append((source, role))
        return users

    def get_base_counts(self) -> dict[int, int]:
        """For each type how many of its bases are defined in the repository."""
        query = "SELECT source_symbol, count(*) FROM edges WHERE kind = 'inherits' AND source_symbol > 0 GROUP BY 1"
        return dict(self._connection.execute(query))
