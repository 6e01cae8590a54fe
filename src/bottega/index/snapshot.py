"""One consistent state of the index, mapped for reading."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.errors import StorageError
from bottega.index.classify import RANKED
from bottega.index.place import Place
from bottega.index.segments.container import map_arrays
from bottega.index.store import open_reader

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
    """One segment's arrays, with the place of each of its files among `Snapshot.files`, -1 for those that are gone."""

    arrays: Arrays
    places: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Files by path; `parts` hold their words, `links` what binds them, `history` what commits said of them."""

    root: Path
    files: tuple[IndexedFile, ...]
    parts: tuple[Part, ...]
    links: Arrays
    history: Arrays
    connection: sqlite3.Connection


def take_snapshot(root: Path, place: Place) -> Snapshot | None:
    """`None` where nothing is indexed yet."""
    for attempt in (1, 2, 3):
        connection = open_reader(place.folder, place.seal)
        if connection is None:
            return None
        try:
            return _taken(root, place, connection)
        except StorageError:
            connection.close()
            if attempt == 3:  # arrays may be replaced between reading their names and mapping them
                raise
    return None


def _taken(root: Path, place: Place, connection: sqlite3.Connection) -> Snapshot:
    connection.execute("BEGIN")
    try:
        rows = connection.execute(
            "SELECT id, path, language, role, lines, hash, segment, document FROM files WHERE segment IS NOT NULL"
            " ORDER BY path"
        ).fetchall()
        meta = dict(connection.execute("SELECT key, value FROM meta"))
        sizes = dict(connection.execute("SELECT name, documents FROM segments"))
    finally:
        connection.execute("COMMIT")
    rows = [row for row in rows if row[3] in RANKED]
    places = {name: np.full(size, -1, np.int64) for name, size in sizes.items()}
    for number, row in enumerate(rows):
        places[row[6]][row[7]] = number
    return Snapshot(
        root,
        tuple(IndexedFile(*row[:6]) for row in rows),
        tuple(Part(map_arrays(place.segments / name), array) for name, array in sorted(places.items())),
        map_arrays(place.segments / meta["links"]),
        map_arrays(place.segments / meta["history"]),
        connection,
    )
