"""The index of one repository: its location, its lock, and its rebuild when it is damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeVar

from bottega.errors import InputError, StorageError
from bottega.home import FileLock
from bottega.index.analysis_cache import AnalysisCache, LostAnalyses, MissingAnalyses, remove_cache
from bottega.index.database import IndexDatabase, InUse, create_database, open_database
from bottega.index.location import IndexLocation, find_location
from bottega.index.locking import index_lock, wait_for
from bottega.index.metadata import StoredDescription, write_descriptions
from bottega.index.outside import read_graph, save_graph, write_graph
from bottega.index.readers import PATIENCE_S
from bottega.index.refresh import MASKING, Refresh
from bottega.index.refresh_result import Progress, RefreshResult, no_progress
from bottega.journal import env_file_masker
from bottega.source import Span
from bottega.source.git import Git, is_bare, open_git
from bottega.source.secrets import mask_secrets
from bottega.source.text import read_text

Remark = Callable[[str], None]
T = TypeVar("T")


class _ReadOptions(NamedTuple):
    progress: Progress
    workers: int
    patience_s: float


@dataclass(frozen=True, slots=True)
class IndexStore:
    """Refreshes and changes one index."""

    root: Path
    location: IndexLocation
    git: Git | None

    def refresh(
        self,
        *,
        rebuild: bool = False,
        wait: bool = True,
        progress: Progress = no_progress,
        remark: Remark = lambda _: None,
        workers: int = 0,
        patience_s: float = PATIENCE_S,
    ) -> RefreshResult | None:
        """Refresh the index; `None` when another process is indexing and `wait` is off.

        A file that takes longer than `patience_s` to parse is read as text.
        """
        lock = FileLock(self.location.folder / "index.lock")
        if not lock.take(wait=False):
            if not wait:
                return None
            remark("another process is indexing here: waiting for it")
            wait_for(lock)
        try:
            return self._refresh(_ReadOptions(progress, workers, patience_s), remark, rebuild=rebuild)
        finally:
            lock.release()

    def read(self, span: Span) -> str:
        """Current lines, secrets masked; "" when they no longer exist."""
        try:
            text = read_text(self.root / span.path, below=self.root)
        except OSError:
            return ""
        return "\n".join(mask_secrets(text or "", path=span.path).split("\n")[span.first - 1 : span.last])

    def load_graph(self, file: Path) -> int:
        """Load a graph made by another tool; return how many nodes it has."""
        graph = read_graph(file)
        with index_lock(self.location.folder):
            save_graph(graph, self.location.folder)
            self._write(lambda connection: write_graph(connection, graph))  # the first refresh loads every saved graph
        return len(graph.nodes)

    def describe(self, rows: Sequence[StoredDescription]) -> int:
        """Store the descriptions by models; return how many are about content that exists now."""
        with index_lock(self.location.folder):
            return self._write(lambda connection: write_descriptions(connection, rows)) or 0

    def _write(self, change: Callable[[sqlite3.Connection], T]) -> T | None:
        """Change the index under its lock; `None` where nothing is indexed yet."""
        for in_place in (True, False):
            database = open_database(self.location.folder, self.location.seal)
            try:
                if database.is_new:
                    return None
                with database.writing(in_place=in_place) as connection:
                    return change(connection)
            except InUse:
                if not in_place:
                    raise
            finally:
                database.close()
        raise AssertionError("the last attempt returns or raises")

    def _refresh(self, how: _ReadOptions, remark: Remark, *, rebuild: bool) -> RefreshResult:
        in_place = True
        for is_last in (False, False, False, True):
            make = create_database if rebuild else open_database
            try:
                return self._run(make(self.location.folder, self.location.seal), how, in_place=in_place)
            except InUse:
                in_place = False  # the analyses are cached, so that the second attempt is short
            except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
                raise  # a bug: the file is not damaged
            except (StorageError, sqlite3.DatabaseError) as error:
                is_of_analyses = isinstance(error, LostAnalyses | MissingAnalyses)
                if is_last or _is_disk_error(error) or (rebuild and not is_of_analyses):
                    if isinstance(error, StorageError):
                        raise
                    raise StorageError(
                        f"the index cannot be read or written: {error}", hint="Check the disk and its permissions."
                    ) from error
                if isinstance(error, LostAnalyses):
                    remove_cache(self.location.blobs)
                remark(f"the index is rebuilt: {error}")
                rebuild = True
        raise AssertionError("the last attempt returns or raises")

    def _run(self, database: IndexDatabase, how: _ReadOptions, *, in_place: bool) -> RefreshResult:
        cache = AnalysisCache(self.location.blobs, self.location.blobs_seal)
        mask = env_file_masker(self.root)
        try:
            if not database.is_new and database.get_meta(MASKING) != mask.digest:
                database.close()  # the values of `.env` files have changed: mask everything again
                database = create_database(self.location.folder, self.location.seal)
            refresh = Refresh(
                self.root,
                location=self.location,
                git=self.git,
                database=database,
                cache=cache,
                mask=mask,
                progress=how.progress,
                workers=how.workers,
                patience_s=how.patience_s,
            )
            return refresh.run(in_place=in_place)
        finally:
            cache.close()
            database.close()


def open_store(root: Path) -> IndexStore:
    """Raise `InputError` for a repository without files of its own."""
    git = open_git(root)
    if git is None and is_bare(root):
        raise InputError(f"{root} is a bare repository: there are no files to read", hint="Index a clone of it.")
    return IndexStore(root, find_location(root, git), git)


def _is_disk_error(error: Exception) -> bool:
    """Whether the disk is full or read-only: a rebuild would not help."""
    text = str(error).lower()
    return any(word in text for word in ("full", "readonly", "read-only", "locked", "no space", "unable to open"))
