"""Symbols, where they are defined, and what they use."""

from __future__ import annotations

from collections.abc import Sequence

from bottega.errors import InputError
from bottega.index.knowledge.records import DefinedAt, Neighbour, SymbolRow
from bottega.index.knowledge.rows import RowReader

_ESCAPE = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})
_LONGEST_NAME = 1000
_MOST_SIMILAR = 5_000
SYMBOL_COLUMNS = (
    "SELECT s.id, s.file_id, f.path, s.name, s.kind, s.qualified, s.node, s.first_line, s.last_line, s.signature,"
    " s.parent_id FROM symbols s JOIN files f ON f.id = s.file_id"
)


class SymbolQueries(RowReader):
    def get_symbol(self, symbol_id: int) -> SymbolRow | None:
        return self._fetch_one(SymbolRow, f"{SYMBOL_COLUMNS} WHERE s.id = ?", symbol_id)

    def get_symbols_for_file(self, file_id: int, kind: str | None = None) -> list[SymbolRow]:
        found = self._all(SymbolRow, f"{SYMBOL_COLUMNS} WHERE s.file_id = ? ORDER BY s.ordinal", file_id)
        return found if kind is None else [symbol for symbol in found if symbol.kind == kind]

    def search_symbols_by_name(self, pattern: str, limit: int = 100) -> list[SymbolRow]:
        """Names that hold the pattern, whole names first."""
        if len(pattern) > _LONGEST_NAME:
            return []
        like = f"%{pattern.translate(_ESCAPE)}%"
        return self._all(
            SymbolRow,
            f"{SYMBOL_COLUMNS} WHERE s.name LIKE ? ESCAPE '\\' ORDER BY lower(s.name) != lower(?), length(s.name),"
            " f.path, s.ordinal LIMIT ?",
            like,
            pattern,
            limit,
        )

    def get_similar_names(self, name: str) -> list[str]:
        """Names of about the same length with the same first letter, the most used ones first, for a suggestion."""
        if not name or len(name) > _LONGEST_NAME:
            return []
        rows = self._connection.execute(
            "SELECT name FROM symbols WHERE name LIKE ? ESCAPE '\\' AND length(name) BETWEEN ? AND ?"
            " GROUP BY name ORDER BY count(*) DESC, name LIMIT ?",
            (f"{name[0].translate(_ESCAPE)}%", len(name) - 3, len(name) + 3, _MOST_SIMILAR),
        )
        return [found for (found,) in rows]

    def get_symbols_by_node(self, node: str) -> list[SymbolRow]:
        """Every definition of a node: a partial class has several."""
        return self._all(SymbolRow, f"{SYMBOL_COLUMNS} WHERE s.node = ? ORDER BY f.path, s.ordinal", node)

    def get_symbol_at(self, path: str, line: int) -> SymbolRow | None:
        """The innermost symbol around a line."""
        return self._fetch_one(
            SymbolRow,
            f"{SYMBOL_COLUMNS} WHERE f.path = ? AND s.first_line <= ? AND s.last_line >= ?"
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

    def get_calls_of(self, symbol_ids: Sequence[int], file_ids: Sequence[int]) -> list[tuple[int, int, float]]:
        """Who calls these symbols from these files: the caller, the symbol, and the confidence of the edge."""
        marks, files = (",".join("?" * len(ids)) for ids in (symbol_ids, file_ids))
        query = (
            "SELECT source_symbol, target_symbol, confidence FROM edges"  # noqa: S608 - only question marks
            f" WHERE target_symbol IN ({marks}) AND source_file IN ({files}) AND kind = 'calls' AND source_symbol > 0"
        )
        return self._connection.execute(query, [*symbol_ids, *file_ids]).fetchall()

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

    def get_definition_lines(self, names: Sequence[str]) -> dict[str, list[DefinedAt]]:
        """Where each of these names is defined."""
        found: dict[str, list[DefinedAt]] = {name: [] for name in names}
        marks = ",".join("?" * len(found))
        query = f"SELECT name, file_id, first_line, kind, qualified FROM symbols WHERE name IN ({marks}) ORDER BY id"  # noqa: S608 - only question marks
        for name, *place in self._connection.execute(query, list(found)):
            found[name].append(DefinedAt(*place))
        return found

    def get_symbol_uses(self) -> dict[int, float]:
        """How much each symbol is used from other files: the sum of the confidences of its edges."""
        return dict(
            self._connection.execute(
                "SELECT target_symbol, sum(confidence) FROM edges WHERE target_symbol > 0"
                " AND source_file != target_file GROUP BY 1"
            )
        )

    def get_docstring(self, symbol_id: int) -> str:
        row = self._connection.execute("SELECT content FROM docstrings WHERE symbol_id = ?", (symbol_id,)).fetchone()
        return str(row[0]) if row else ""

    def get_symbol_kinds(self) -> list[str]:
        return [kind for (kind,) in self._connection.execute("SELECT DISTINCT kind FROM symbols ORDER BY 1")]
