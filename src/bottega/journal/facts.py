"""Facts about models in SQLite."""

from __future__ import annotations

import json
from typing import Any

from bottega.journal.database import Database
from bottega.journal.ids import now
from bottega.journal.secrets import Masker


class SqliteFactStore:
    """The table `model_facts`."""

    def __init__(self, database: Database, mask: Masker) -> None:
        self._database = database
        self._mask = mask

    def get(self, model: str, name: str) -> Any:
        with self._database.reading() as db:
            row = db.execute("SELECT value FROM model_facts WHERE model = ? AND name = ?", (model, name)).fetchone()
        return json.loads(row["value"]) if row else None

    def models(self, name: str) -> list[str]:
        with self._database.reading() as db:
            rows = db.execute("SELECT model FROM model_facts WHERE name = ? ORDER BY model", (name,)).fetchall()
        return [row["model"] for row in rows]

    def put(self, model: str, name: str, value: Any) -> None:
        with self._database.writing() as db:
            db.execute(
                "INSERT INTO model_facts (model, name, value, updated_at) VALUES (?, ?, ?, ?)"
                " ON CONFLICT (model, name) DO UPDATE SET value = excluded.value, updated_at = excluded.updated_at",
                (model, name, self._mask.json(value), now()),
            )

    def forget(self, model: str) -> None:
        with self._database.writing() as db:
            db.execute("DELETE FROM model_facts WHERE model = ?", (model,))
