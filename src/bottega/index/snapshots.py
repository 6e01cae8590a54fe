"""Share the newest snapshot of an index between threads."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

from bottega.index.location import IndexLocation
from bottega.index.snapshot import Snapshot, index_file, read_generation, take_snapshot

T = TypeVar("T")


class SharedSnapshot:
    """A snapshot with its number of readers and the values derived from it."""

    def __init__(self, snapshot: Snapshot, file: tuple[int, int] | None) -> None:
        self._snapshot: Snapshot | None = snapshot
        self.file = file
        self.readers = 0
        self._derived: dict[Hashable, Any] = {}
        self._deriving = threading.RLock()

    @property
    def snapshot(self) -> Snapshot:
        if self._snapshot is None:
            raise RuntimeError("a snapshot of the index is used after its last reader has left")
        return self._snapshot

    def memo(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return `make()`, computed once for each key of this snapshot."""
        with self._deriving:
            if key not in self._derived:
                self._derived[key] = make()
            return cast("T", self._derived[key])  # every caller uses a key for one type only

    def release_read(self) -> None:
        """End the read transaction while there is no reader, so that a refresh may write in place."""
        self.snapshot.connection.execute("COMMIT")

    def resume(self) -> bool:
        """Start a read transaction again; `False` when something was written meanwhile."""
        try:
            self.snapshot.connection.execute("BEGIN")
            return bool(self.snapshot.generation) and self.snapshot.generation == read_generation(
                self.snapshot.connection
            )
        except sqlite3.Error:
            return False

    def close(self) -> None:
        """Close the connection and drop the arrays; mapped files stay open while anything refers to them."""
        self._derived.clear()
        self.snapshot.close()
        self._snapshot = None


class SnapshotPool:
    """Keeps the newest snapshot open; an older one is closed when its last reader leaves."""

    def __init__(self, root: Path, location: IndexLocation) -> None:
        self._root = root
        self._location = location
        self._lock = threading.Lock()
        self._newest: SharedSnapshot | None = None
        self._is_closed = False

    @contextmanager
    def hold(self) -> Iterator[SharedSnapshot | None]:
        """Hold the newest snapshot until the block ends; `None` where nothing is indexed."""
        with self._lock:
            shared = self._open()
            if shared is not None:
                shared.readers += 1
        try:
            yield shared
        finally:
            if shared is not None:
                with self._lock:
                    self._leave(shared)

    def close(self) -> None:
        """Close unused snapshots now, used ones when their last reader leaves; none is opened any more."""
        with self._lock:
            self._is_closed = True
            self._retire()

    def _open(self) -> SharedSnapshot | None:
        if self._is_closed:
            raise RuntimeError("the knowledge of this repository is closed")
        newest = self._newest
        if newest is not None and newest.file == index_file(self._location) and (newest.readers or newest.resume()):
            return newest  # a file that is being read cannot have been written in place
        self._retire()
        before = index_file(self._location)
        snapshot = take_snapshot(self._root, self._location)
        if snapshot is not None:
            # If the file was replaced while it was opened, the next reader opens it again.
            self._newest = SharedSnapshot(snapshot, before if before == index_file(self._location) else None)
        return self._newest

    def _leave(self, shared: SharedSnapshot) -> None:
        shared.readers -= 1
        if not shared.readers:
            if shared is self._newest:
                shared.release_read()
            else:
                shared.close()

    def _retire(self) -> None:
        if self._newest is not None and not self._newest.readers:
            self._newest.close()
        self._newest = None
