"""The handle of the index of one repository: opened once, refreshed on demand, shared by threads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bottega.errors import InputError
from bottega.index.database import NAME
from bottega.index.location import existing_location
from bottega.index.metadata import StoredDescription
from bottega.index.reader import KnowledgeReader
from bottega.index.readers import PATIENCE_S
from bottega.index.refresh_result import Progress, RefreshResult, no_progress
from bottega.index.snapshots import SnapshotPool
from bottega.index.store import IndexStore, Remark, open_store
from bottega.index.turns import SharedTurns
from bottega.index.verify import Verification, verify_index
from bottega.index.walk import walk
from bottega.source import Span

# With `wait` off, a refresh in another thread is still awaited for so long: it is mostly short.
_THREAD_PATIENCE_S = 5.0


def _ignore_remark(_text: str) -> None:
    pass


class Knowledge:
    """The index of one repository: opened once, refreshed on demand, shared by threads."""

    def __init__(self, store: IndexStore) -> None:
        self.root = store.root
        self._store = store
        self._snapshots = SnapshotPool(store.root, store.location)
        self._refreshes: SharedTurns[RefreshResult] = SharedTurns()

    @property
    def folder(self) -> Path:
        """The directory of the index."""
        return self._store.location.folder

    @property
    def is_elsewhere(self) -> bool:
        """Whether the index is in the user's cache because the repository cannot be written."""
        return self._store.location.is_elsewhere

    @property
    def exists(self) -> bool:
        """Whether something is indexed."""
        return (self.folder / NAME).exists()

    def refresh(
        self,
        *,
        rebuild: bool = False,
        wait: bool = True,
        progress: Progress = no_progress,
        remark: Remark = _ignore_remark,
        workers: int = 0,
        patience_s: float = PATIENCE_S,
    ) -> RefreshResult | None:
        """Refresh the index; `None` when another process is indexing and `wait` is off.

        Threads refresh one after another; one that waited for a refresh that began after its call gets that result.
        A file that takes longer than `patience_s` to parse is read as text.
        """
        return self._refreshes.run(
            lambda: self._store.refresh(
                rebuild=rebuild, wait=wait, progress=progress, remark=remark, workers=workers, patience_s=patience_s
            ),
            may_share=not rebuild,
            patience_s=None if wait else _THREAD_PATIENCE_S,
        )

    @contextmanager
    def reading(
        self, *, refresh: bool = True, progress: Progress = no_progress, remark: Remark = _ignore_remark
    ) -> Iterator[KnowledgeReader]:
        """A consistent snapshot, refreshed unless `refresh` is off or another process is indexing.

        Raise `InputError` where nothing is indexed.
        """
        done = self.refresh(wait=not self.exists, progress=progress, remark=remark) if refresh else None
        if refresh and done is None:
            remark("another process is indexing: this is the state before it")
        with self._snapshots.hold() as shared:
            if shared is None:
                raise InputError("nothing is indexed here", hint="`bottega index` reads the repository.")
            yield KnowledgeReader(shared, self._store.location, is_current=done is not None)

    def read(self, span: Span) -> str:
        """Current lines, secrets masked; "" when they no longer exist."""
        return self._store.read(span)

    def lines(self, span: Span) -> str | None:
        """As `KnowledgeReader.lines`, of the newest state of the index."""
        with self.reading(refresh=False) as reader:
            return reader.lines(span)

    def load_graph(self, file: Path) -> int:
        """Load a graph made by another tool; return how many nodes it has."""
        return self._store.load_graph(file)

    def describe(self, rows: Sequence[StoredDescription]) -> int:
        """Replace the descriptions by models; return how many are about content that exists now."""
        return self._store.describe(rows)

    def verify(self, *, progress: Progress = no_progress, workers: int = 0) -> Verification:
        """Compare the index with a rebuild."""
        return verify_index(self._store, progress=progress, workers=workers)

    def close(self) -> None:
        """Close every snapshot; those in use are closed when their last reader leaves."""
        self._snapshots.close()


def open_knowledge(root: Path) -> Knowledge:
    """Raise `InputError` for a repository without files of its own."""
    return Knowledge(open_store(root))


def existing_knowledge(root: Path, folder: Path) -> Knowledge | None:
    """The existing index in a folder, for processes that must not create one; `None` where there is none."""
    location = existing_location(folder)
    return None if location is None else Knowledge(IndexStore(root, location, None))


def index_exists(folder: Path) -> bool:
    """Whether something is indexed in a folder; nothing is created."""
    return (folder / NAME).exists()


class TreeSize(NamedTuple):
    """What an index of a directory would hold."""

    files: int
    size: int


def measure_tree(root: Path) -> TreeSize:
    """Count the files that would be indexed; nothing is read or created."""
    files = walk(root).files
    return TreeSize(len(files), sum(stamp.size for stamp in files.values()))
