"""The arrays beside curated.sqlite: written once, named in a table, merged when they are many."""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from uuid import uuid4

import numpy as np

from bottega.errors import StorageError
from bottega.index.analyse import Analysis
from bottega.index.rows import FileRow
from bottega.index.segments.build import Documents, merged_arrays, segment_arrays
from bottega.index.segments.container import map_arrays, write_arrays
from bottega.index.segments.history import history_arrays
from bottega.index.segments.links import link_arrays
from bottega.index.words import identifiers, terms_of

_FULL = 96_000_000
_MOST_SMALL = 8
_SMALL = 64_000_000
_REWRITABLE = 256_000_000
_MOST_DEAD = 0.3
_STRAY_SECONDS = 3600


class Segments:
    """The segments of one index, inside the transaction that changes them."""

    def __init__(self, folder: Path, connection: sqlite3.Connection) -> None:
        self._folder = folder
        self._connection = connection
        self._documents = Documents()
        self._name = _new_name("seg")

    def add(self, path: str, analysis: Analysis, size: int) -> tuple[str, int]:
        """Take a file in; return the segment and the place it gets there."""
        if self._documents.size >= _FULL:
            self._flush()
        return self._name, self._documents.add(path, analysis, size)

    def finish(self, *, with_history: bool) -> None:
        """Write what is gathered, merge what has become small or hollow, and renew the arrays of links and history."""
        self._flush()
        self._merge()
        self._renew("links", link_arrays(self._connection))
        if with_history:
            before = self._meta("history")
            old = map_arrays(self._folder / before) if before and (self._folder / before).exists() else {}
            self._renew("history", history_arrays(self._connection, old))

    def collect(self) -> None:
        """Remove files that no index names; young ones may belong to a refresh under way elsewhere."""
        kept = {name for (name,) in self._connection.execute("SELECT name FROM segments")}
        kept |= {self._meta("links"), self._meta("history")}
        for file in self._folder.iterdir():
            is_stray = ".new" in file.suffixes and time.time() - file.stat().st_mtime < _STRAY_SECONDS
            if file.name not in kept and not is_stray:
                with contextlib.suppress(OSError):
                    file.unlink()

    def mentioning(self, names: Iterable[str], files: Mapping[str, FileRow]) -> set[int]:
        """Files in whose text one of the names may stand; never too few."""
        wanted = _terms(names)
        if wanted is None:
            return {row.id for row in files.values() if row.analysis is not None}
        by_place = {(row.segment, row.document): row.id for row in files.values()}
        found: set[int] = set()
        for (name,) in self._connection.execute("SELECT name FROM segments"):
            arrays = map_arrays(self._folder / name)
            places = np.searchsorted(arrays["file.term"], wanted)
            inside = places < len(arrays["file.term"])
            hits = places[inside][arrays["file.term"][places[inside]] == wanted[inside]]
            for hit in hits:
                low, high = arrays["file.at"][hit], arrays["file.at"][hit + 1]
                found |= {by_place[name, int(d)] for d in arrays["file.doc"][low:high] if (name, int(d)) in by_place}
        return found

    def _flush(self) -> None:
        if len(self._documents):
            write_arrays(self._folder / self._name, segment_arrays(self._documents))
            self._connection.execute("INSERT INTO segments VALUES (?, ?)", (self._name, len(self._documents)))
        self._documents = Documents()
        self._name = _new_name("seg")

    def _merge(self) -> None:
        alive = dict(
            self._connection.execute("SELECT segment, count(*) FROM files WHERE segment IS NOT NULL GROUP BY segment")
        )
        sizes = {}
        for name, documents in self._connection.execute("SELECT name, documents FROM segments").fetchall():
            if not alive.get(name):
                self._connection.execute("DELETE FROM segments WHERE name = ?", (name,))
            else:
                sizes[name] = (documents, self._size(name))
        small = [name for name, (_, size) in sizes.items() if size < _SMALL]
        hollow = [
            name
            for name, (documents, size) in sizes.items()
            if size < _REWRITABLE and alive[name] < documents * (1 - _MOST_DEAD)
        ]
        chosen = {*hollow, *(small if len(small) > _MOST_SMALL else ())}
        if chosen:
            self._rewrite(sorted(chosen))

    def _size(self, name: str) -> int:
        try:
            return (self._folder / name).stat().st_size
        except FileNotFoundError:
            raise StorageError(f"{name} is gone", hint="`bottega index --rebuild` makes it anew.") from None

    def _rewrite(self, names: list[str]) -> None:
        """Join segments, leaving out the files that are gone."""
        new = _new_name("seg")
        parts, count = [], 0
        for name in names:
            arrays = map_arrays(self._folder / name)
            places = np.full(int(arrays["file.length"].shape[0]), -1, np.int64)
            rows = self._connection.execute("SELECT id, document FROM files WHERE segment = ? ORDER BY path", (name,))
            for number, document in rows.fetchall():
                places[document] = count
                self._connection.execute(
                    "UPDATE files SET segment = ?, document = ? WHERE id = ?", (new, count, number)
                )
                count += 1
            parts.append((arrays, places))
            self._connection.execute("DELETE FROM segments WHERE name = ?", (name,))
        write_arrays(self._folder / new, merged_arrays(parts))
        self._connection.execute("INSERT INTO segments VALUES (?, ?)", (new, count))

    def _renew(self, key: str, arrays: Mapping[str, np.ndarray]) -> None:
        name = _new_name(key)
        write_arrays(self._folder / name, arrays)
        self._connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, name))

    def _meta(self, key: str) -> str:
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""


def _new_name(kind: str) -> str:
    return f"{uuid4().hex[:20]}.{kind}"


def _terms(names: Iterable[str]) -> np.ndarray | None:
    """The rarest term of each name, or `None` when a name has none."""
    wanted = set()
    for name in names:
        words = identifiers(name)
        if not words:
            return None
        numbers = terms_of(words[-1])
        if not numbers:
            return None
        wanted.add(numbers[-1])
    return np.fromiter(wanted, np.uint64, len(wanted))
