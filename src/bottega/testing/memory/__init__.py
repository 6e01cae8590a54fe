"""A journal in memory that keeps the promises of the one on disk; it ends with the process."""

from __future__ import annotations

from bottega.journal import Journal, Masker
from bottega.testing.memory.calls import MemoryCallStore
from bottega.testing.memory.documents import MemoryChatStore, MemoryDismissalStore, MemoryReviewStore
from bottega.testing.memory.history import MemoryHistoryStore
from bottega.testing.memory.investigations import MemoryInvestigationStore
from bottega.testing.memory.models import MemoryEnrichmentStore, MemoryFactStore
from bottega.testing.memory.notes import MemoryEventStore, MemoryNoteStore
from bottega.testing.memory.records import MemoryRecords
from bottega.testing.memory.runs import MemoryRunStore
from bottega.testing.memory.sessions import MemorySessionStore

__all__ = ["MemoryRecords", "memory_journal"]


def memory_journal(
    records: MemoryRecords | None = None,
    *,
    mask: Masker | None = None,
    history_entries: int = 1000,
    history_files: int = 0,
) -> Journal:
    """A journal over new records, or over given ones as a second process would open them."""
    records = MemoryRecords() if records is None else records
    mask = mask or Masker()
    return Journal(
        mask=mask,
        runs=MemoryRunStore(records, mask),
        calls=MemoryCallStore(records, mask),
        notes=MemoryNoteStore(records, mask),
        facts=MemoryFactStore(records, mask),
        enrichments=MemoryEnrichmentStore(records, mask),
        events=MemoryEventStore(records, mask),
        sessions=MemorySessionStore(records, mask),
        chats=MemoryChatStore(records, mask),
        reviews=MemoryReviewStore(records, mask),
        dismissals=MemoryDismissalStore(records, mask),
        investigations=MemoryInvestigationStore(records, mask),
        history=MemoryHistoryStore(records, mask, max_entries=history_entries, max_files=history_files),
        release=lambda: None,
    )
