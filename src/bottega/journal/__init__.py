"""The journal: everything a run did, in an order that survives any interruption."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bottega.journal.calls import CallPlace, Calls
from bottega.journal.chats import Chat, Chats, Turn
from bottega.journal.enrichments import Enrichment, Enrichments
from bottega.journal.facts import Facts
from bottega.journal.history import FIELDS as HISTORY_FIELDS
from bottega.journal.history import History
from bottega.journal.home import find_home
from bottega.journal.ids import new_id, now
from bottega.journal.investigations import Investigations
from bottega.journal.locks import FileLock
from bottega.journal.notes import Notes
from bottega.journal.records import CallRecord, Note, RunRecord, StepRecord, Usage
from bottega.journal.reviews import Dismissal, Dismissals, Reviews
from bottega.journal.runs import Runs
from bottega.journal.secrets import Masker, env_file_masker, masker_for
from bottega.journal.sessions import Session, Sessions
from bottega.journal.store import Store

__all__ = [
    "HISTORY_FIELDS",
    "CallPlace",
    "CallRecord",
    "Calls",
    "Chat",
    "Chats",
    "Dismissal",
    "Dismissals",
    "Enrichment",
    "Enrichments",
    "Facts",
    "FileLock",
    "History",
    "Investigations",
    "Journal",
    "Masker",
    "Note",
    "Notes",
    "Reviews",
    "RunRecord",
    "Runs",
    "Session",
    "Sessions",
    "StepRecord",
    "Turn",
    "Usage",
    "env_file_masker",
    "masker_for",
    "new_id",
    "now",
]


_ALL = 1_000_000


class Journal:
    """`.bottega/raw.sqlite` and what lies beside it, for one repository."""

    def __init__(
        self,
        root: Path,
        *,
        environ: Mapping[str, str],
        history_entries: int = 1000,
        history_files: int = 0,
        home: Path | None = None,
    ) -> None:
        folder = home or find_home(root)
        self.mask = masker_for(root, environ)
        self._store = Store(folder / "raw.sqlite")
        self.runs = Runs(self._store, self.mask)
        self.calls = Calls(self._store, self.mask)
        self.notes = Notes(self._store, self.mask)
        self.facts = Facts(self._store, self.mask)
        self.enrichments = Enrichments(self._store, self.mask)
        self.sessions = Sessions(folder / "sessions", self._store, self.mask)
        self.chats = Chats(folder / "chats", self.mask)
        self.reviews = Reviews(folder / "reviews", self.mask)
        self.history = History(folder / "history", max_entries=history_entries, max_files=history_files, mask=self.mask)

    def collect(self, *, before: str, keep: int) -> int:
        """Remove runs begun before a moment, beyond the newest `keep`; runs under way stay. How many went."""
        for run in self.runs.newest(_ALL, status="running"):
            if not self.sessions.is_alive(run.id):
                self.runs.end(run.id, "interrupted", error="its process ended")
        removed = self.runs.collect(before=before, keep=keep)
        self.sessions.forget(self.runs.exists)
        return removed

    def close(self) -> None:
        self._store.close()
