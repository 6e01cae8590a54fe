"""The stores of one repository, held together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bottega.journal.protocols import (
    CallStore,
    ChatStore,
    DismissalStore,
    EnrichmentStore,
    EventStore,
    FactStore,
    HistoryStore,
    InvestigationStore,
    NoteStore,
    ReviewStore,
    RunStore,
    SessionStore,
)
from bottega.journal.records import RunRecord
from bottega.journal.secrets import Masker

_ALL = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """Everything bottega records for one repository; `open_journal` opens the one on disk."""

    mask: Masker
    runs: RunStore
    calls: CallStore
    notes: NoteStore
    facts: FactStore
    enrichments: EnrichmentStore
    events: EventStore
    sessions: SessionStore
    chats: ChatStore
    reviews: ReviewStore
    dismissals: DismissalStore
    investigations: InvestigationStore
    history: HistoryStore
    release: Callable[[], None]

    def status_of(self, run: RunRecord) -> str:
        """The recorded status, or `interrupted` where it says running and no process carries the run out."""
        is_dead = run.status == "running" and not self.sessions.is_alive(run.id)
        return "interrupted" if is_dead else run.status

    def collect(self, *, before: str, keep: int) -> int:
        """Delete runs begun before a moment, except the newest `keep` and claimed ones; return how many.

        A run whose process died is recorded as interrupted, and counts as ended.
        """
        for run in self.runs.newest(_ALL, status="running"):
            if self.status_of(run) == "interrupted":
                self.runs.end(run.id, "interrupted", error="its process ended")
        removed = self.runs.collect(before=before, keep=keep)
        self.sessions.forget(self.runs.exists)
        return removed

    def close(self) -> None:
        """Release connections; records stay."""
        self.release()
