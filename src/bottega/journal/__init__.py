"""The journal: everything a run did, in an order that survives any interruption."""

from bottega.journal.documents import HISTORY_FIELDS, Chat, Dismissal, Enrichment, Summary, Turn, check_chat_name
from bottega.journal.ids import new_id, now
from bottega.journal.journal import Journal
from bottega.journal.locks import FileLock
from bottega.journal.opening import journal_exists, open_journal
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
    SessionHandle,
    SessionStore,
    Shelf,
)
from bottega.journal.records import (
    CallPlace,
    CallRecord,
    Event,
    EventKind,
    Note,
    RecordConflict,
    RunRecord,
    StepRecord,
    Usage,
)
from bottega.journal.secrets import Masker, env_file_masker, masker_for

__all__ = [
    "HISTORY_FIELDS",
    "CallPlace",
    "CallRecord",
    "CallStore",
    "Chat",
    "ChatStore",
    "Dismissal",
    "DismissalStore",
    "Enrichment",
    "EnrichmentStore",
    "Event",
    "EventKind",
    "EventStore",
    "FactStore",
    "FileLock",
    "HistoryStore",
    "InvestigationStore",
    "Journal",
    "Masker",
    "Note",
    "NoteStore",
    "RecordConflict",
    "ReviewStore",
    "RunRecord",
    "RunStore",
    "SessionHandle",
    "SessionStore",
    "Shelf",
    "StepRecord",
    "Summary",
    "Turn",
    "Usage",
    "check_chat_name",
    "env_file_masker",
    "journal_exists",
    "masker_for",
    "new_id",
    "now",
    "open_journal",
]
