"""Segments: array files beside curated.sqlite, written once, listed in a table, merged when there are many."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import subprocess
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from uuid import uuid4

import numpy as np

from bottega.cancellation import current_cancellation
from bottega.errors import StorageError
from bottega.index.analysis_cache import AnalysisCache
from bottega.index.rows import FileRow
from bottega.index.segments.build import merge_segments
from bottega.index.segments.builder import build
from bottega.index.segments.container import map_arrays, write_arrays
from bottega.index.segments.history import build_history
from bottega.index.segments.links import build_links
from bottega.source.processes import is_alive, module_command
from bottega.source.words import identifiers, terms_of

_FULL = 96_000_000
# From so many files on, a segment is built in another process: starting it costs less than the wait.
_MANY = 400
_MOST_SMALL = 8
_SMALL = 64_000_000
_REWRITABLE = 256_000_000
_MOST_DEAD = 0.3
_STRAY_SECONDS = 3600


class Segments:
    """The segments of one index, within one transaction."""

    def __init__(self, folder: Path, connection: sqlite3.Connection, cache: AnalysisCache) -> None:
        self._folder = folder
        self._connection = connection
        self._cache = cache
        self._builder: subprocess.Popen[bytes] | None = None
        self._entries: list[tuple[str, bytes]] = []
        self._size = 0
        self._name = _new_name("seg")

    def add(self, path: str, key: bytes, size: int) -> tuple[str, int]:
        """Add a file by the key of its analysis; return its segment and its place there."""
        self._entries.append((path, key))
        self._size += size
        return self._name, len(self._entries) - 1

    @property
    def is_full(self) -> bool:
        return self._size >= _FULL

    def finish(self, *, with_history: bool) -> None:
        """Write pending files, merge segments that are small or mostly deleted, rewrite links and history."""
        self.flush()
        self._wait_for_builder()
        self._merge()
        self._replace_arrays("links", build_links(self._connection))
        if with_history:
            before = self._meta("history")
            old = map_arrays(self._folder / before) if before and (self._folder / before).exists() else {}
            self._replace_arrays("history", build_history(self._connection, old))

    def collect(self) -> None:
        """Remove array files that the index does not list, except recent ones of a running process."""
        kept = {name for (name,) in self._connection.execute("SELECT name FROM segments")}
        kept |= {self._meta("links"), self._meta("history")}
        for file in self._folder.iterdir():
            if file.name not in kept and not _is_being_written(file):
                with contextlib.suppress(OSError):
                    file.unlink()

    def check(self) -> None:
        """Raise `StorageError` when an array file that the tables list is missing or truncated."""
        names = [name for (name,) in self._connection.execute("SELECT name FROM segments")]
        for name in (*names, self._meta("links"), self._meta("history")):
            map_arrays(self._folder / name)

    def find_files_mentioning(self, names: Iterable[str], files: Mapping[str, FileRow]) -> set[int]:
        """Files whose text may contain one of the names; may return too many, never too few."""
        wanted = _find_rarest_terms(names)
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

    def flush(self) -> None:
        """Write pending files; many of them in another process, one at a time because each needs much memory."""
        self._wait_for_builder()
        if self._entries:
            place = self._folder / self._name
            if len(self._entries) < _MANY:
                build(
                    place, [path for path, _ in self._entries], self._cache.read_data(key for _, key in self._entries)
                )
            else:
                self._builder = _start_builder(place, self._cache.path, self._entries)
            self._connection.execute("INSERT INTO segments VALUES (?, ?)", (self._name, len(self._entries)))
        self._entries, self._size = [], 0
        self._name = _new_name("seg")

    def close(self) -> None:
        """Stop the builder process."""
        if self._builder is not None:
            self._builder.kill()
            self._builder.wait()

    def _wait_for_builder(self) -> None:
        process = self._builder
        if process is not None:
            with current_cancellation().interrupting(process.kill):
                if process.wait():
                    raise StorageError(
                        "a segment of the index could not be written", hint="Check the disk and free memory."
                    )
        self._builder = None

    def _merge(self) -> None:
        alive = dict(
            self._connection.execute("SELECT segment, count(*) FROM files WHERE segment IS NOT NULL GROUP BY segment")
        )
        sizes = {}
        for name, documents in self._connection.execute("SELECT name, documents FROM segments").fetchall():
            if not alive.get(name):
                self._connection.execute("DELETE FROM segments WHERE name = ?", (name,))
            else:
                sizes[name] = (documents, (self._folder / name).stat().st_size)
        small = [name for name, (_, size) in sizes.items() if size < _SMALL]
        hollow = [
            name
            for name, (documents, size) in sizes.items()
            if size < _REWRITABLE and alive[name] < documents * (1 - _MOST_DEAD)
        ]
        chosen = {*hollow, *(small if len(small) > _MOST_SMALL else ())}
        if chosen:
            self._rewrite(sorted(chosen))

    def _rewrite(self, names: list[str]) -> None:
        """Merge segments without their deleted files."""
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
        write_arrays(self._folder / new, merge_segments(parts))
        self._connection.execute("INSERT INTO segments VALUES (?, ?)", (new, count))

    def _replace_arrays(self, key: str, arrays: Mapping[str, np.ndarray]) -> None:
        name = _new_name(key)
        write_arrays(self._folder / name, arrays)
        self._connection.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)", (key, name))

    def _meta(self, key: str) -> str:
        row = self._connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else ""


def _start_builder(place: Path, cache: Path, entries: Iterable[tuple[str, bytes]]) -> subprocess.Popen[bytes]:
    process = subprocess.Popen(
        module_command("bottega.index.segments.builder", str(place), str(cache)),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=place.parent,
    )
    assert process.stdin is not None
    with contextlib.suppress(BrokenPipeError), process.stdin:  # its exit code is checked later
        process.stdin.writelines(json.dumps([path, key.hex()]).encode() + b"\n" for path, key in entries)
    return process


def _new_name(kind: str) -> str:
    return f"{uuid4().hex[:20]}.{kind}"


def _is_being_written(file: Path) -> bool:
    """Whether it is a recent `NAME.PID.new` of a running process; recent, because process ids are reused."""
    if file.suffix != ".new" or time.time() - file.stat().st_mtime >= _STRAY_SECONDS:
        return False
    writer = file.suffixes[-2].removeprefix(".") if len(file.suffixes) > 1 else ""
    return not writer.isdecimal() or is_alive(int(writer))


def _find_rarest_terms(names: Iterable[str]) -> np.ndarray | None:
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
