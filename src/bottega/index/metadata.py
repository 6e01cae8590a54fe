"""What models said about files, in the knowledge base."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple


class Described(NamedTuple):
    path: str
    hash: str
    model: str
    prompt_version: str
    description: Mapping[str, Any]


def write_descriptions(connection: sqlite3.Connection, rows: Sequence[Described]) -> int:
    """Put these in place of all that stand there; return how many are about a content that is there now."""
    connection.execute("DELETE FROM file_metadata")
    present = set(connection.execute("SELECT path, hash FROM files"))
    kept = [row for row in rows if (row.path, row.hash) in present]
    connection.executemany(
        "INSERT OR REPLACE INTO file_metadata (path, hash, purpose, module, domain, concepts, public_api_surface,"
        " complexity_notes, model, prompt_version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (
                *(row.path, row.hash, row.description["purpose"], row.description["module"], row.description["domain"]),
                json.dumps(row.description["concepts"], ensure_ascii=False),
                json.dumps(row.description["public_api_surface"], ensure_ascii=False),
                *(row.description["complexity_notes"], row.model, row.prompt_version),
            )
            for row in kept
        ),
    )
    return len(kept)
