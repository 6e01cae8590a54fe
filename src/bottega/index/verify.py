"""Verify that the index equals a rebuild."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.errors import InputError
from bottega.home import write_seal
from bottega.index.bounds import guard_arrays
from bottega.index.location import IndexLocation
from bottega.index.refresh_result import Progress, no_progress
from bottega.index.segments.build import CHUNK_FIELDS, FIELDS
from bottega.index.snapshot import Snapshot, take_snapshot
from bottega.index.store import IndexStore

# Compare rows by content: ids depend on insertion order.
TABLES: Mapping[str, str] = {
    "files": "SELECT path, language, role, source, hash, blob, size, lines, depth, note, namespace, module FROM files",
    "symbols": """
        SELECT f.path, s.ordinal, s.name, s.kind, s.qualified, s.node, s.first_line, s.last_line, s.signature, p.ordinal
        FROM symbols s JOIN files f ON f.id = s.file_id LEFT JOIN symbols p ON p.id = s.parent_id""",
    "docstrings": """
        SELECT f.path, s.ordinal, d.content, d.format
        FROM docstrings d JOIN files f ON f.id = d.file_id LEFT JOIN symbols s ON s.id = d.symbol_id""",
    "comments": """
        SELECT f.path, s.ordinal, c.line, c.content, c.kind, c.is_rationale
        FROM comments c JOIN files f ON f.id = c.file_id LEFT JOIN symbols s ON s.id = c.symbol_id""",
    "imports": """
        SELECT f.path, i.ordinal, t.path, i.module, i.name, i.taken, i.alias, i.line
        FROM imports i JOIN files f ON f.id = i.file_id LEFT JOIN files t ON t.id = i.target_id""",
    "edges": """
        SELECT sf.path, ss.ordinal, tf.path, ts.ordinal, e.source_symbol > 0, e.target_symbol > 0, e.kind, e.how,
               e.confidence, e.line, e.count
        FROM edges e LEFT JOIN files sf ON sf.id = e.source_file LEFT JOIN files tf ON tf.id = e.target_file
        LEFT JOIN symbols ss ON ss.id = e.source_symbol LEFT JOIN symbols ts ON ts.id = e.target_symbol""",
    "links": """
        SELECT sf.path, tf.path, l.kind, l.weight
        FROM links l LEFT JOIN files sf ON sf.id = l.source_file LEFT JOIN files tf ON tf.id = l.target_file""",
    "commits": "SELECT hash, position, author, written, message, files_changed FROM commits",
    "file_commits": "SELECT c.hash, f.path, f.current FROM file_commits f JOIN commits c ON c.id = f.commit_id",
    "co_changes": "SELECT path_a, path_b, count, last_commit FROM co_changes",
}
_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Difference:
    """A row or an array that only one of the two indexes has."""

    table: str
    side: str
    row: str

    def __str__(self) -> str:
        return f"{self.table}: only in the {self.side}: {self.row}"


@dataclass(frozen=True, slots=True)
class Verification:
    """The number of rows compared, and the differences, at most a few of each table."""

    rows: int
    differing: int
    differences: tuple[Difference, ...]

    @property
    def is_same(self) -> bool:
        return self.differing == 0


def verify_index(store: IndexStore, *, progress: Progress = no_progress, workers: int = 0) -> Verification:
    """Index everything a second time and compare the two indexes."""
    ours = take_snapshot(store.root, store.location)
    if ours is None:
        raise InputError("there is no index to verify", hint="`bottega index` makes one.")
    with tempfile.TemporaryDirectory(prefix="bottega-verify-") as folder:
        location = IndexLocation(Path(folder), Path(folder) / "blobs.sqlite", is_elsewhere=True)
        location.segments.mkdir()
        write_seal(location.folder)
        IndexStore(store.root, location, store.git).refresh(progress=progress, workers=workers)
        anew = take_snapshot(store.root, location)
        assert anew is not None
        try:
            with guard_arrays(ours, anew):
                return compare(ours, anew)
        finally:
            ours.connection.close()
            anew.connection.close()


def compare(ours: Snapshot, anew: Snapshot) -> Verification:
    rows, differing = 0, 0
    shown: list[Difference] = []
    for table, query in TABLES.items():
        mine, theirs = _count_rows(ours.connection, query), _count_rows(anew.connection, query)
        rows += sum(theirs.values())
        for side, one, other in (("index", mine, theirs), ("rebuild", theirs, mine)):
            extra = sorted(row for row, count in one.items() if other.get(row, 0) < count)
            differing += len(extra)
            shown += [Difference(table, side, row) for row in extra[:_SHOWN]]
    mine_words, their_words = digest_words(ours), digest_words(anew)
    for name in sorted(mine_words.keys() | their_words.keys()):
        if mine_words.get(name) != their_words.get(name):
            differing += 1
            shown.append(Difference("words", "index", f"the field {name} differs"))
    return Verification(rows, differing, tuple(shown))


def digest_words(snapshot: Snapshot) -> dict[str, str]:
    """A digest of the postings of each field, independent of how they are split into segments."""
    return {
        name: _digest(_list_postings(snapshot, name)) for name in (*FIELDS, "two", "three", "unit.word", "unit.pair")
    }


def _count_rows(connection: sqlite3.Connection, query: str) -> dict[str, int]:
    counted: dict[str, int] = {}
    for row in connection.execute(query):
        text = repr(row)
        counted[text] = counted.get(text, 0) + 1
    return counted


def _list_postings(snapshot: Snapshot, name: str) -> Iterator[NDArray[Any]]:
    """Rows of file, first line of the chunk, term and count."""
    for arrays, places in snapshot.parts:
        if name.startswith("unit."):
            yield _list_unit_entries(arrays, places, name)
            continue
        if name in {"two", "three"}:
            term, doc = arrays[f"{name}.gram"].astype(np.uint64), arrays[f"{name}.doc"]
            count = np.ones(len(doc), np.uint64)
        else:
            term = np.repeat(arrays[f"{name}.term"], np.diff(arrays[f"{name}.at"]))
            doc, count = arrays[f"{name}.doc"], arrays[f"{name}.count"].astype(np.uint64)
        first = np.zeros(len(doc), np.uint64)
        if name in CHUNK_FIELDS:
            first, doc = arrays["chunk_first"][doc].astype(np.uint64), arrays["chunk_file"][doc]
        file = places[doc]
        alive = file >= 0
        yield np.stack([file[alive].astype(np.uint64), first[alive], term[alive], count[alive]])


def _list_unit_entries(arrays: Mapping[str, NDArray[Any]], places: NDArray[np.int64], name: str) -> NDArray[np.uint64]:
    """Rows of file, unit for pairs, number, and one more for the shape of `_list_postings`."""
    values = arrays[name].astype(np.uint64)
    file = np.repeat(places, arrays[f"{name}_at"][1:] - arrays[f"{name}_at"][:-1])
    unit = arrays["unit.pair_unit"].astype(np.uint64) if name == "unit.pair" else np.zeros(len(values), np.uint64)
    alive = file >= 0
    return np.stack([file[alive].astype(np.uint64), unit[alive], values[alive], np.ones(int(alive.sum()), np.uint64)])


def _digest(parts: Iterator[NDArray[Any]]) -> str:
    table = np.concatenate([np.zeros((4, 0), np.uint64), *parts], axis=1)
    ordered = np.ascontiguousarray(table[:, np.lexsort(table[::-1])])
    return blake2b(ordered.tobytes(), digest_size=16).hexdigest()
