"""Read rows of the tables as values."""

from __future__ import annotations

import sqlite3
from typing import Any, TypeVar

T = TypeVar("T")


class RowReader:
    """Reads from one connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def _count(self, table: str) -> int:
        return int(self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - from a constant

    def _tally(self, table: str, column: str) -> dict[str, int]:
        rows = self._connection.execute(
            f"SELECT {column}, count(*) FROM {table} GROUP BY 1 ORDER BY 2 DESC, 1"  # noqa: S608 - from constants
        )
        return {str(value): int(count) for value, count in rows}

    def _all(self, kind: type[T], query: str, *values: Any) -> list[T]:
        return [kind(*row) for row in self._connection.execute(query, values)]

    def _fetch_one(self, kind: type[T], query: str, *values: Any) -> T | None:
        row = self._connection.execute(query, values).fetchone()
        return kind(*row) if row else None
