"""The journal in memory keeps every promise of the contract."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from bottega.journal import Dismissal, Journal, Masker, Shelf
from bottega.journal.dotenv import secret_variables
from bottega.testing import MemoryRecords, memory_journal
from bottega.testing.journal_contract import JournalContract, JournalFactory


class MemoryFactory(JournalFactory):
    """Journals over one set of records in memory."""

    def __init__(self) -> None:
        self.records = MemoryRecords()

    def open(
        self, *, environ: Mapping[str, str] | None = None, history_entries: int = 1000, history_files: int = 0
    ) -> Journal:
        mask = Masker(secret_variables(environ or {}))
        return memory_journal(self.records, mask=mask, history_entries=history_entries, history_files=history_files)

    def crash_after(self, act: Callable[[Journal], object]) -> None:
        act(self.open())
        self.records = self.records.after_crash()

    def forge_dismissal(self, dismissal: Dismissal) -> None:
        self.records.dismissals.append(dismissal)

    def forge_entry(self, investigation: str, shelf: Shelf, path: str, value: Mapping[str, Any]) -> None:
        values = self.records.investigations[investigation].values
        _, seal = values[shelf, path]
        values[shelf, path] = (json.dumps(value), seal)


class TestMemoryJournal(JournalContract):
    @pytest.fixture
    def factory(self) -> JournalFactory:
        return MemoryFactory()


def test_two_journals_in_memory_share_nothing() -> None:
    memory_journal().facts.put("ollama/a", "window", 4096)
    assert memory_journal().facts.get("ollama/a", "window") is None
