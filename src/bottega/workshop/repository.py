"""What all calls in one repository share, whatever settings they run under: its root, journal and indexes."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path

from bottega.home import find_home
from bottega.index import Knowledge, open_knowledge
from bottega.journal import Journal, journal_exists, open_journal
from bottega.settings import Settings
from bottega.workshop.opening import Opening, find_records_root

Remark = Callable[[str], None]
OpenJournal = Callable[..., Journal]
"""Opens the records of a repository, as `bottega.journal.open_journal` does."""


class Repository:
    """Opened once; safe for threads. Looking makes nothing: folders appear when something is recorded or indexed."""

    def __init__(self, opening: Opening, remark: Remark, open_journal: OpenJournal = open_journal) -> None:
        self._opening = opening
        self._remark = remark
        self._open_journal = open_journal
        self._lock = threading.RLock()
        self._journal: Journal | None = None
        self._knowledge: dict[Path, Knowledge] = {}

    @cached_property
    def settings_root(self) -> Path:
        """The directory whose settings count."""
        return self._opening.find_root()

    @cached_property
    def root(self) -> Path:
        """The repository; for a target that cannot be written, a directory in the user's cache, if that is allowed."""
        root = self.settings_root
        return find_records_root(root, self._remark) if self._opening.keeps_records_elsewhere else root

    @cached_property
    def home(self) -> Path:
        """Where the records lie; they need not exist yet."""
        with self._lock:
            return find_home(self.root, self._remark)

    @property
    def has_journal(self) -> bool:
        """Whether there may be records.

        Looking must not make the files of the standard journal; an opener of somebody
        else decides for itself what opening makes.
        """
        return self._open_journal is not open_journal or journal_exists(self.home)

    @property
    def opened_journal(self) -> Journal | None:
        """The journal, if a call has opened it."""
        return self._journal

    def journal(self, settings: Settings, environ: Mapping[str, str]) -> Journal:
        """The journal, opened by the first call that needs it; `settings` say how long its history is."""
        with self._lock:
            if self._journal is None:
                self._journal = self._open_journal(
                    self.root,
                    environ=environ,
                    history_entries=settings.history.max_entries,
                    history_files=settings.history.max_files,
                    home=self.home,
                )
            return self._journal

    def knowledge(self, root: Path | None = None) -> Knowledge:
        """The index of this repository, or of another one."""
        root = (root or self.root).resolve()
        with self._lock:
            if root not in self._knowledge:
                find_home(root, self._remark)
                knowledge = open_knowledge(root)
                if knowledge.is_elsewhere:
                    self._remark(f"{root} cannot be written: the index is kept in {knowledge.folder}")
                self._knowledge[root] = knowledge
            return self._knowledge[root]

    def close(self) -> None:
        with self._lock:
            for knowledge in self._knowledge.values():
                knowledge.close()
            self._knowledge.clear()
            if self._journal is not None:
                self._journal.close()
                self._journal = None
