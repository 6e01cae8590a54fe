"""Store descriptions of files and directories by models in the index."""

from __future__ import annotations

import json
import sqlite3
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

from bottega.journal import EnrichmentStore


class StoredDescription(NamedTuple):
    path: str
    hash: str
    model: str
    prompt_version: str
    description: Mapping[str, Any]


def newest_descriptions(enrichments: EnrichmentStore) -> list[StoredDescription]:
    """The newest description of every content in the journal."""
    return [
        StoredDescription(entry.path, entry.hash, entry.model, entry.prompt_version, dict(entry.description))
        for entry in enrichments.newest()
        if entry.description is not None
    ]


def directory_keys(connection: sqlite3.Connection) -> Callable[[str], str]:
    """Content key of a directory: a hash of path and content of every indexed file below it; "./" is the root."""
    files = connection.execute("SELECT path, hash FROM files ORDER BY path").fetchall()
    paths = [path for path, _ in files]

    def key(directory: str) -> str:
        lead = "" if directory == "./" else directory
        first = bisect_left(paths, lead)
        last = bisect_left(paths, f"{lead[:-1]}0") if lead else len(paths)  # "0" follows "/"
        said = blake2b(digest_size=16)
        for path, content in files[first:last]:
            said.update(f"{path}\0{content}\0".encode("utf-8", "surrogateescape"))
        return said.hexdigest()

    return key


def write_descriptions(connection: sqlite3.Connection, rows: Sequence[StoredDescription]) -> int:
    """Replace all descriptions; return how many are about content that exists now."""
    connection.execute("DELETE FROM file_metadata")
    present = set(connection.execute("SELECT path, hash FROM files"))
    key = directory_keys(connection)
    kept = [
        row for row in rows if (row.path, row.hash) in present or (row.path.endswith("/") and row.hash == key(row.path))
    ]
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
