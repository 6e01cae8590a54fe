"""Descriptions of files in SQLite."""

from __future__ import annotations

import json

from bottega.journal.database import Database
from bottega.journal.documents import Enrichment
from bottega.journal.ids import new_id, now
from bottega.journal.secrets import Masker


class SqliteEnrichmentStore:
    """The table `enrichments`."""

    def __init__(self, database: Database, mask: Masker) -> None:
        self._database = database
        self._mask = mask

    def put(self, run_id: str, entry: Enrichment) -> None:
        described = None if entry.description is None else self._mask.json(entry.description)
        row = (new_id(), run_id, entry.path, entry.hash, entry.model, entry.prompt_version, described)
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO enrichments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, self._mask(entry.error), now())
            )

    def described(self, model: str, prompt_version: str) -> frozenset[tuple[str, str]]:
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT path, hash FROM enrichments WHERE model = ? AND prompt_version = ? AND description IS NOT NULL",
                (model, prompt_version),
            ).fetchall()
        return frozenset((row["path"], row["hash"]) for row in rows)

    def newest(self) -> list[Enrichment]:
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT path, hash, model, prompt_version, description, error FROM enrichments"
                " WHERE description IS NOT NULL ORDER BY created_at, id"
            ).fetchall()
        found = {
            (row["path"], row["hash"]): Enrichment(
                row["path"], row["hash"], row["model"], row["prompt_version"], json.loads(row["description"]), ""
            )
            for row in rows
        }
        return list(found.values())
