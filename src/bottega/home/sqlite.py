"""SQLite files in the sealed directory: whole transactions, and no executable schema objects."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Commit the block or nothing of it, also when SQLite has rolled back by itself, as it does on a full disk."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def refuse_programs(connection: sqlite3.Connection) -> None:
    """Refuse a database with triggers, views or virtual tables, which would run foreign code.

    Close it and raise `sqlite3.DatabaseError`, as for a damaged file.
    """
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA cell_size_check = ON")
        found = connection.execute(
            "SELECT type, name FROM sqlite_master WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'"
        ).fetchone()
        if found is not None:
            raise sqlite3.DatabaseError(f"it brings a {found[0]} of its own ({str(found[1])[:60]!r})")
    except sqlite3.Error:
        connection.close()
        raise
