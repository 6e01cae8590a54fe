"""The journal on disk: `raw.sqlite`, and folders beside it for what a person reads."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bottega.home import find_home, seal_of
from bottega.journal.calls import SqliteCallStore
from bottega.journal.chats import FileChatStore
from bottega.journal.database import Database
from bottega.journal.dismissals import FileDismissalStore
from bottega.journal.enrichments import SqliteEnrichmentStore
from bottega.journal.events import SqliteEventStore
from bottega.journal.facts import SqliteFactStore
from bottega.journal.history import FileHistoryStore
from bottega.journal.investigations import FileInvestigationStore
from bottega.journal.journal import Journal
from bottega.journal.notes import SqliteNoteStore
from bottega.journal.reviews import FileReviewStore
from bottega.journal.runs import SqliteRunStore
from bottega.journal.secrets import masker_for
from bottega.journal.sessions import SqliteSessionStore

_FILE = "raw.sqlite"


def open_journal(
    root: Path,
    *,
    environ: Mapping[str, str],
    history_entries: int = 1000,
    history_files: int = 0,
    home: Path | None = None,
) -> Journal:
    """Open the records of the repository at `root`, creating them when there are none.

    `home` is the directory they lie in, `find_home(root)` by default. A history file holds `history_entries` records;
    the newest `history_files` files are kept, all of them when it is 0. Raise `StorageError` when they cannot be used.
    """
    folder = home or find_home(root)
    mask = masker_for(root, environ)
    database = Database(folder / _FILE)

    def seal() -> str:
        return seal_of(folder)

    return Journal(
        mask=mask,
        runs=SqliteRunStore(database, mask),
        calls=SqliteCallStore(database, mask),
        notes=SqliteNoteStore(database, mask),
        facts=SqliteFactStore(database, mask),
        enrichments=SqliteEnrichmentStore(database, mask),
        events=SqliteEventStore(database, mask),
        sessions=SqliteSessionStore(folder / "sessions", database, mask),
        chats=FileChatStore(folder / "chats", mask),
        reviews=FileReviewStore(folder / "reviews", mask),
        dismissals=FileDismissalStore(folder / "reviews", mask, seal),
        investigations=FileInvestigationStore(folder / "investigations", mask, seal),
        history=FileHistoryStore(folder / "history", max_entries=history_entries, max_files=history_files, mask=mask),
        release=database.close,
    )


def journal_exists(home: Path) -> bool:
    """Whether anything was recorded in a directory of records; nothing is created."""
    return (home / _FILE).exists()
