"""Members of types that override others, by the resolved bases of their types."""

from __future__ import annotations

from collections.abc import Iterator

from bottega.index.knowledge.records import SymbolRow
from bottega.index.knowledge.symbols import SymbolQueries

# Types that are visited above or below one.
_MOST_TYPES = 200


class InheritanceQueries(SymbolQueries):
    def get_overridden(self, symbol: SymbolRow) -> list[SymbolRow]:
        """Members of the same name of the types that its type inherits from, the nearest first."""
        return self._find_members(symbol, "source_symbol", "target_symbol")

    def get_overriding(self, symbol: SymbolRow) -> list[SymbolRow]:
        """Members of the same name of the types that inherit from its type."""
        return self._find_members(symbol, "target_symbol", "source_symbol")

    def _find_members(self, symbol: SymbolRow, near: str, far: str) -> list[SymbolRow]:
        if symbol.parent_id is None:
            return []
        return [
            member
            for relative in self._walk_types(symbol.parent_id, near, far)
            if (holder := self.get_symbol(relative)) is not None
            for member in self.get_symbols_for_file(holder.file_id)
            if member.parent_id == relative and member.name == symbol.name
        ]

    def _walk_types(self, start: int, near: str, far: str) -> Iterator[int]:
        """Types above or below one, breadth first."""
        query = f"SELECT DISTINCT {far} FROM edges WHERE {near} = ? AND {near} > 0 AND {far} > 0 AND kind = 'inherits'"  # noqa: S608 - fixed words
        seen, pending = {start}, [start]
        while pending and len(seen) < _MOST_TYPES:
            for (relative,) in self._connection.execute(query, (pending.pop(0),)).fetchall():
                if relative not in seen:
                    seen.add(relative)
                    pending.append(relative)
                    yield relative
