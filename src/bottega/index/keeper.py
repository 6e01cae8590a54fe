"""The index of one repository: where it is, who may write it, and what to do when it is damaged."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bottega.errors import InputError, StorageError
from bottega.index.blobs import Blobs, LostAnalyses, MissingAnalyses, forget_blobs
from bottega.index.decode import decode
from bottega.index.metadata import Described, write_descriptions
from bottega.index.outside import keep_graph, read_graph, write_graph
from bottega.index.place import Place, find_place
from bottega.index.readers import PATIENCE_S
from bottega.index.refresh import MASKING, Progress, Refresh, Refreshed
from bottega.index.store import Curated, new_curated, open_curated
from bottega.index.worker import read
from bottega.journal import env_file_masker
from bottega.journal.locks import FileLock
from bottega.source import Span
from bottega.source.git import Git, is_bare, open_git
from bottega.source.secrets import mask_secrets

Remark = Callable[[str], None]


class _Reading(NamedTuple):
    progress: Progress
    workers: int
    patience_s: float


@dataclass(frozen=True, slots=True)
class Keeper:
    """Keeps one index in step with its working tree."""

    root: Path
    place: Place
    git: Git | None

    def refresh(
        self,
        *,
        rebuild: bool = False,
        wait: bool = True,
        progress: Progress = lambda _stage, _done, _total: None,
        remark: Remark = lambda _: None,
        workers: int = 0,
        patience_s: float = PATIENCE_S,
    ) -> Refreshed | None:
        """Bring the index in step; `None` when another process is at it and `wait` is off.

        A file whose grammar takes longer than the patience lasts is read as text.
        """
        lock = FileLock(self.place.folder / "index.lock")
        if not lock.take(wait=False):
            if not wait:
                return None
            remark("another process is indexing here: waiting for it")
            lock.take(wait=True)
        try:
            return self._refresh(_Reading(progress, workers, patience_s), remark, rebuild=rebuild)
        finally:
            lock.release()

    def read(self, span: Span) -> str:
        """Lines as they are now, secrets masked; "" when they are gone."""
        try:
            text = decode(read(self.root / span.path, below=self.root))
        except OSError:
            return ""
        return "\n".join(mask_secrets(text or "", path=span.path).split("\n")[span.first - 1 : span.last])

    def load_graph(self, file: Path) -> int:
        """Take in a graph made elsewhere; return how many nodes it has."""
        graph = read_graph(file)
        with FileLock(self.place.folder / "index.lock"):
            keep_graph(graph, self.place.folder)
            curated = open_curated(self.place.folder, self.place.seal)
            try:
                if not curated.is_new:  # the first refresh takes in whatever is kept
                    with curated.writing() as connection:
                        write_graph(connection, graph)
            finally:
                curated.close()
        return len(graph.nodes)

    def describe(self, rows: Sequence[Described]) -> int:
        """Put what models said about files into the knowledge base; return how many of them are as described."""
        with FileLock(self.place.folder / "index.lock"):
            curated = open_curated(self.place.folder, self.place.seal)
            try:
                if curated.is_new:
                    return 0
                with curated.writing() as connection:
                    return write_descriptions(connection, rows)
            finally:
                curated.close()

    def _refresh(self, how: _Reading, remark: Remark, *, rebuild: bool) -> Refreshed:
        for is_last in (False, False, True):
            make = new_curated if rebuild else open_curated
            try:
                return self._run(make(self.place.folder, self.place.seal), how)
            except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
                raise  # a mistake in the code: the file is sound
            except (StorageError, sqlite3.DatabaseError) as error:
                is_of_analyses = isinstance(error, LostAnalyses | MissingAnalyses)
                if is_last or _is_of_the_disk(error) or (rebuild and not is_of_analyses):
                    if isinstance(error, StorageError):
                        raise
                    raise StorageError(
                        f"the index cannot be read or written: {error}", hint="Check the disk and its permissions."
                    ) from error
                if isinstance(error, LostAnalyses):
                    forget_blobs(self.place.blobs)
                remark(f"the index is made anew: {error}")
                rebuild = True
        raise AssertionError("the last attempt returns or raises")

    def _run(self, curated: Curated, how: _Reading) -> Refreshed:
        blobs = Blobs(self.place.blobs, self.place.blobs_seal)
        mask = env_file_masker(self.root)
        try:
            if not curated.is_new and curated.meta(MASKING) != mask.digest:
                curated.close()  # the values of `.env` files have changed: whatever was stored is masked anew
                curated = new_curated(self.place.folder, self.place.seal)
            refresh = Refresh(
                self.root,
                place=self.place,
                git=self.git,
                curated=curated,
                blobs=blobs,
                mask=mask,
                progress=how.progress,
                workers=how.workers,
                patience_s=how.patience_s,
            )
            return refresh.run()
        finally:
            blobs.close()
            curated.close()


def open_keeper(root: Path) -> Keeper:
    """Raise `InputError` for a repository without files of its own."""
    git = open_git(root)
    if git is None and is_bare(root):
        raise InputError(f"{root} is a bare repository: there are no files to read", hint="Index a clone of it.")
    return Keeper(root, find_place(root, git), git)


def _is_of_the_disk(error: Exception) -> bool:
    """A full or read-only disk does not get better by starting over."""
    text = str(error).lower()
    return any(word in text for word in ("full", "readonly", "read-only", "locked", "no space", "unable to open"))
