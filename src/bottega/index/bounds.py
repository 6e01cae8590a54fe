"""Find arrays of a snapshot with positions outside of the arrays that they refer to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.errors import StorageError
from bottega.index.segments.build import FIELDS
from bottega.index.snapshot import Snapshot

Arrays = Mapping[str, NDArray[Any]]


@contextmanager
def guard_arrays(*snapshots: Snapshot) -> Iterator[None]:
    """Raise `StorageError` for an error that damaged arrays explain; any other error is a bug and propagates.

    Arrays have no checksum, and checking every position when they are opened would read all of them.
    """
    try:
        yield
    except (IndexError, ValueError, MemoryError) as error:
        damaged = next((name for snapshot in snapshots for name in find_damage(snapshot)), None)
        if damaged is None:
            raise
        raise StorageError(
            f"the arrays of the index are damaged ({damaged}): {error}",
            hint="`bottega index --rebuild` rebuilds them.",
        ) from error


def find_damage(snapshot: Snapshot) -> Iterator[str]:
    """Names of arrays with positions that are out of bounds."""
    for arrays, places in snapshot.parts:
        yield from _find_in_segment(arrays, len(places))
    history = snapshot.history
    messages = len(history["said.at"]) - 1
    if not _are_positions(history["said.at"], len(history["said.term"])):
        yield "said.at"
    if not _are_below(history["touch.commit"], messages):
        yield "touch.commit"
    paths = history["paths"].tobytes().count(b"\0") + 1
    if not _are_below(history["touch.path"], paths):
        yield "touch.path"
    yield from _find_in_postings(history, "message", messages)


def _find_in_segment(arrays: Arrays, files: int) -> Iterator[str]:
    if not _are_below(arrays["chunk_file"], files):
        yield "chunk_file"
    for name in FIELDS:
        yield from _find_in_postings(arrays, name, len(arrays[f"{name}.length"]))
    for name in ("two", "three"):
        if not _are_below(arrays[f"{name}.doc"], files):
            yield f"{name}.doc"
    for at, entries in (("unit.at", "unit.first"), ("unit.word_at", "unit.word"), ("unit.pair_at", "unit.pair")):
        if len(arrays[at]) != files + 1 or not _are_positions(arrays[at], len(arrays[entries])):
            yield at


def _find_in_postings(arrays: Arrays, name: str, documents: int) -> Iterator[str]:
    entries = len(arrays[f"{name}.doc"])
    if len(arrays[f"{name}.at"]) != len(arrays[f"{name}.term"]) + 1 or not _are_positions(
        arrays[f"{name}.at"], entries
    ):
        yield f"{name}.at"
    if not _are_below(arrays[f"{name}.doc"], documents) or len(arrays[f"{name}.count"]) != entries:
        yield f"{name}.doc"


def _are_positions(at: NDArray[Any], entries: int) -> bool:
    """Whether ranges ascend and end at the number of entries."""
    values = at.astype(np.int64)
    return bool(len(values) and values[0] == 0 and values[-1] == entries and (np.diff(values) >= 0).all())


def _are_below(values: NDArray[Any], size: int) -> bool:
    return not len(values) or int(values.max()) < size
