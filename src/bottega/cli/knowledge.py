"""Opening the knowledge base for the verbs that read it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bottega.cli.options import load
from bottega.cli.progress import Bar, announce
from bottega.errors import InputError

if TYPE_CHECKING:
    from bottega.index import Keeper
    from bottega.index.refresh import Progress
    from bottega.index.snapshot import Snapshot
    from bottega.retrieve.search import Searcher


@dataclass(frozen=True, slots=True)
class Opened:
    keeper: Keeper
    snapshot: Snapshot
    is_current: bool

    def searcher(self) -> Searcher:
        from bottega.retrieve.search import Searcher

        return Searcher(self.snapshot, is_current=self.is_current, folder=self.keeper.place.folder)


def embed(keeper: Keeper, progress: Progress = lambda _stage, _done, _total: None, workers: int = 0) -> int | None:
    """Give vectors to all that is indexed; return how many pieces had none, `None` when another process is at it."""
    from bottega.index.snapshot import take_snapshot

    snapshot = take_snapshot(keeper.root, keeper.place)
    if snapshot is None:
        return 0
    with closing(snapshot.connection):
        return Opened(keeper, snapshot, is_current=True).searcher().embed_all(progress, workers)


def embed_behind(keeper: Keeper, shared: Mapping[str, Any]) -> bool:
    """Have a process of its own give vectors to what has none; say whether one was started.

    Nothing waits for it: until it is done, search ranks by what there is.
    """
    import subprocess

    from bottega.cli.behind import folder_identity
    from bottega.index.processes import command
    from bottega.index.vectors import VectorStore, open_embedder

    _, loaded = load(shared["repo"], shared["assignments"])
    if loaded.settings.index.vectors != "background":
        return False
    embedder = open_embedder()
    lock = VectorStore(keeper.place.folder, embedder.fingerprint, embedder.dimensions).claim()
    if lock is None:
        return False
    lock.release()
    identity = folder_identity(keeper.place.folder)
    nowhere = subprocess.DEVNULL
    subprocess.Popen(
        command("bottega.cli.behind", str(keeper.root), str(keeper.place.folder), identity),
        stdin=nowhere,
        stdout=nowhere,
        stderr=nowhere,
        cwd=keeper.root,
        start_new_session=True,
    )
    return True


def keeper_of(directory: Path | None, shared: Mapping[str, Any]) -> Keeper:
    """The index of a directory, or of `--repo`."""
    from bottega.index import open_keeper
    from bottega.journal.home import find_home

    root, _ = load(directory or shared["repo"], shared["assignments"])
    if directory is not None:
        root = directory.resolve()
    find_home(root, announce)
    keeper = open_keeper(root)
    if keeper.place.is_elsewhere:
        announce(f"{root} cannot be written: the index is kept in {keeper.place.folder}")
    return keeper


@contextmanager
def knowledge(shared: Mapping[str, Any], *, refresh: bool = True) -> Iterator[Opened]:
    """A snapshot in step with the files, unless that is not wanted or another process is at it."""
    from bottega.index.snapshot import take_snapshot

    keeper = keeper_of(None, shared)
    snapshot = None if refresh else take_snapshot(keeper.root, keeper.place)
    is_current = False
    if snapshot is None:
        with Bar(sys.stderr) as bar:
            done = keeper.refresh(
                wait=not (keeper.place.folder / "curated.sqlite").exists(), progress=bar.show, remark=announce
            )
        is_current = done is not None
        if done is None:
            announce("another process is indexing: this is the state before it")
        snapshot = take_snapshot(keeper.root, keeper.place)
    if snapshot is None:
        raise InputError("nothing is indexed here", hint="`bottega index` reads the repository.")
    try:
        yield Opened(keeper, snapshot, is_current)
    finally:
        snapshot.connection.close()
