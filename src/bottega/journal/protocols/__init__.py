"""What every store of the journal promises; `bottega.testing.journal_contract` tests an implementation against it.

Any method may raise `StorageError` when the records cannot be read or written. Texts are stored with secrets masked.
"""

from bottega.journal.protocols.documents import (
    ChatStore,
    DismissalStore,
    HistoryStore,
    InvestigationStore,
    ReviewStore,
    Shelf,
)
from bottega.journal.protocols.models import EnrichmentStore, FactStore
from bottega.journal.protocols.runs import CallStore, EventStore, NoteStore, RunStore
from bottega.journal.protocols.sessions import SessionHandle, SessionStore

__all__ = [
    "CallStore",
    "ChatStore",
    "DismissalStore",
    "EnrichmentStore",
    "EventStore",
    "FactStore",
    "HistoryStore",
    "InvestigationStore",
    "NoteStore",
    "ReviewStore",
    "RunStore",
    "SessionHandle",
    "SessionStore",
    "Shelf",
]
