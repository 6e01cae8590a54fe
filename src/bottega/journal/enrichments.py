"""What models said about files, by the content, the prompt and the model it came from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bottega.journal.ids import new_id, now
from bottega.journal.secrets import Masker
from bottega.journal.store import Store


@dataclass(frozen=True, slots=True)
class Enrichment:
    """`description` is `None` where `error` says why there is none."""

    path: str
    hash: str
    model: str
    prompt_version: str
    description: Mapping[str, Any] | None
    error: str


class Enrichments:
    def __init__(self, store: Store, mask: Masker) -> None:
        self._store = store
        self._mask = mask

    def put(self, run_id: str, entry: Enrichment) -> None:
        described = None if entry.description is None else self._mask.json(entry.description)
        row = (new_id(), run_id, entry.path, entry.hash, entry.model, entry.prompt_version, described)
        with self._store.writing() as db:
            db.execute(
                "INSERT INTO enrichments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, self._mask(entry.error), now())
            )

    def described(self, model: str, prompt_version: str) -> frozenset[tuple[str, str]]:
        """Paths and contents that this model has described under this prompt; failures do not count."""
        with self._store.reading() as db:
            rows = db.execute(
                "SELECT path, hash FROM enrichments WHERE model = ? AND prompt_version = ? AND description IS NOT NULL",
                (model, prompt_version),
            ).fetchall()
        return frozenset((row["path"], row["hash"]) for row in rows)

    def newest(self) -> list[Enrichment]:
        """The newest description of each content."""
        with self._store.reading() as db:
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
