"""One consistent state of the index, mapped for reading and held until it is closed."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.errors import StorageError
from bottega.index.database import GENERATION, NAME, open_reader
from bottega.index.freshness import Freshness, read_freshness
from bottega.index.knowledge import KnowledgeBase
from bottega.index.location import IndexLocation
from bottega.index.metadata import directory_keys
from bottega.index.rows import list_kept_as_text
from bottega.index.segments.container import map_arrays
from bottega.source.roles import RANKED

Arrays = Mapping[str, NDArray[Any]]


class IndexedFile(NamedTuple):
    """A file that search ranks."""

    id: int
    path: str
    language: str
    role: str
    lines: int
    hash: str


class Part(NamedTuple):
    """The arrays of one segment, with the index of each of its files in `Snapshot.files`, -1 for deleted ones."""

    arrays: Arrays
    places: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Files by path; `parts` hold their words, `links` their relations, `history` the messages of their commits.

    The connection keeps a read transaction open, so that rows and arrays stay those of one state. Threads may share it.
    `generation` changes with everything that is written to the index.
    """

    root: Path
    files: tuple[IndexedFile, ...]
    parts: tuple[Part, ...]
    links: Arrays
    history: Arrays
    connection: sqlite3.Connection
    generation: str = ""

    @property
    def base(self) -> KnowledgeBase:
        """Queries on the rows of this state."""
        return KnowledgeBase(self.connection)

    def freshness(self, *, is_current: bool) -> Freshness:
        return read_freshness(self.connection, is_current=is_current)

    def list_kept_as_text(self) -> tuple[tuple[str, str], ...]:
        """Files without symbols because they exceed the limits for one file, each with the reason."""
        return list_kept_as_text(self.connection)

    def directory_keys(self) -> Callable[[str], str]:
        """A function that returns the content key of a directory: a hash of all indexed files below it."""
        return directory_keys(self.connection)

    def close(self) -> None:
        self.connection.close()


def take_snapshot(root: Path, location: IndexLocation) -> Snapshot | None:
    """`None` where nothing is indexed yet."""
    for attempt in (1, 2, 3):
        connection = open_reader(location.folder, location.seal)
        if connection is None:
            return None
        try:
            return _load(root, location, connection)
        except BaseException as error:
            connection.close()
            # Arrays may be replaced between reading their names and mapping them.
            if not isinstance(error, StorageError) or attempt == 3:
                raise
    return None


def read_generation(connection: sqlite3.Connection) -> str:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (GENERATION,)).fetchone()
    return str(row[0]) if row else ""


def index_file(location: IndexLocation) -> tuple[int, int] | None:
    """Device and inode of the index file; a rebuilt or copied index is another file."""
    try:
        status = (location.folder / NAME).stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _load(root: Path, location: IndexLocation, connection: sqlite3.Connection) -> Snapshot:
    connection.execute("BEGIN")
    rows = connection.execute(
        "SELECT id, path, language, role, lines, hash, segment, document FROM files WHERE segment IS NOT NULL"
        " ORDER BY path"
    ).fetchall()
    meta = dict(connection.execute("SELECT key, value FROM meta"))
    sizes = dict(connection.execute("SELECT name, documents FROM segments"))
    rows = [row for row in rows if row[3] in RANKED]
    places = {name: np.full(size, -1, np.int64) for name, size in sizes.items()}
    for number, row in enumerate(rows):
        places[row[6]][row[7]] = number
    return Snapshot(
        root,
        tuple(IndexedFile(*row[:6]) for row in rows),
        tuple(Part(map_arrays(location.segments / name), array) for name, array in sorted(places.items())),
        map_arrays(location.segments / meta["links"]),
        map_arrays(location.segments / meta["history"]),
        connection,
        meta.get(GENERATION, ""),
    )
