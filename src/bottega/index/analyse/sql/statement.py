"""The state of the statement that is being read: parentheses, aliases, common table expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bottega.index.analyse.sql.names import key_at
from bottega.index.analyse.sql.tokens import Token

QUERY_KEYWORDS = frozenset({"SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE"})


class Use(NamedTuple):
    """A name at an offset of the text; `altered_table` is set inside an `ALTER TABLE`."""

    kind: str
    parts: tuple[str, ...]
    start: int
    altered_table: tuple[str, ...]


@dataclass(slots=True)
class Level:
    """The text inside one pair of parentheses."""

    name: str = ""
    """The word before the opening parenthesis."""
    is_query: bool = False
    lists_tables: bool = False
    """Whether a comma is followed by another table, as in `FROM a, b`."""


@dataclass(slots=True)
class Statement:
    levels: list[Level] = field(default_factory=lambda: [Level()])
    closed: Level = field(default_factory=Level)
    """The level closed last."""
    query_names: set[str] = field(default_factory=set)
    """Names of common table expressions, which are no tables."""
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    targets: dict[str, int] = field(default_factory=dict)
    """Names written to that may turn out to be aliases, with the index of their use."""
    altered_table: tuple[str, ...] = ()
    using_lists_table: bool = False
    """Whether a table follows `USING`, as in `MERGE` and `DELETE`."""

    @property
    def level(self) -> Level:
        return self.levels[-1]

    def open_level(self, tokens: Sequence[Token], at: int) -> None:
        """Enter the parenthesis at `at`."""
        before = tokens[at - 1] if at else None
        if before is not None and before.key in {"AS", "MATERIALIZED"} and key_at(tokens, at + 1) in QUERY_KEYWORDS:
            self._add_query_name(tokens, at)
        self.levels.append(Level(before.text if before is not None else ""))

    def close_level(self) -> None:
        self.closed = self.levels.pop() if len(self.levels) > 1 else Level()

    def _add_query_name(self, tokens: Sequence[Token], at: int) -> None:
        """Remember the name before `AS (`, as in `WITH recent (a, b) AS (SELECT …`."""
        while key_at(tokens, at - 1) in {"AS", "NOT", "MATERIALIZED"}:
            at -= 1
        before = tokens[at - 1]
        self.query_names.add((self.closed.name if before.key == ")" else before.text).upper())
