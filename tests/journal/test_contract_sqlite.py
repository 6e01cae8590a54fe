"""The journal on disk keeps every promise of the contract."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from bottega.journal import Dismissal, Journal, Shelf, open_journal
from bottega.testing.journal_contract import JournalContract, JournalFactory
from bottega.testing.journal_contract.processes import Opener


class SqliteFactory(JournalFactory):
    """Journals over the records of one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def open(
        self, *, environ: Mapping[str, str] | None = None, history_entries: int = 1000, history_files: int = 0
    ) -> Journal:
        return open_journal(
            self.root, environ=environ or {}, history_entries=history_entries, history_files=history_files
        )

    def opener(self) -> Opener:
        return partial(open_journal, self.root, environ={})

    def forge_dismissal(self, dismissal: Dismissal) -> None:
        file = self.root / ".bottega" / "reviews" / "dismissals.json"
        content = json.loads(file.read_text())
        content["dismissals"].append(asdict(dismissal))
        file.write_text(json.dumps(content))

    def forge_entry(self, investigation: str, shelf: Shelf, path: str, value: Mapping[str, Any]) -> None:
        name = sha256(path.encode()).hexdigest() + ".json"
        file = self.root / ".bottega" / "investigations" / investigation / shelf / name
        seal = json.loads(file.read_text())["seal"]
        file.write_text(json.dumps({**value, "seal": seal}))


class TestSqliteJournal(JournalContract):
    @pytest.fixture
    def factory(self, tmp_path: Path) -> JournalFactory:
        return SqliteFactory(tmp_path)
