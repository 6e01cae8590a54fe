"""Vectors by the content they were made from: written once, shared by every state of the repository."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.journal.locks import FileLock

_KEY = 16
# From here on a graph of neighbours answers faster than looking at every vector.
_EXACT = 100_000
_LINKS = 32


class VectorStore:
    """Two files that only grow, keys and numbers; a torn end is cut off when they are read."""

    def __init__(self, folder: Path, fingerprint: str, dimensions: int) -> None:
        self._folder = folder / "vectors" / fingerprint
        self._dimensions = dimensions
        self._places: dict[bytes, int] | None = None

    def get(self, keys: Sequence[bytes]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Vectors in the order of the keys, and which of them are known."""
        places = self._known()
        found = np.array([places.get(key, -1) for key in keys], np.int64)
        rows = np.zeros((len(keys), self._dimensions), np.float32)
        known = found >= 0
        if known.any():
            rows[known] = self._numbers()[found[known]].astype(np.float32)
        return rows, known

    def put(self, keys: Sequence[bytes], rows: NDArray[np.float32]) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with FileLock(self._folder / "lock"):
            count = self._count()
            _write(self._folder / "numbers", count * self._dimensions * 2, rows.astype(np.float16).tobytes())
            _write(self._folder / "keys", count * _KEY, b"".join(keys))
        self._places = None

    def nearest(self, query: NDArray[np.float32], keys: Sequence[bytes], limit: int) -> list[tuple[int, float]]:
        """Places among `keys` by likeness, the nearest first; those without a vector are left out."""
        rows, known = self.get(keys)
        places = np.flatnonzero(known)
        if not len(places):
            return []
        index = _index(rows[places])
        likeness, order = index.search(query.reshape(1, -1), min(limit, len(places)))
        return [(int(places[n]), float(s)) for n, s in zip(order[0], likeness[0], strict=True) if n >= 0]

    def _known(self) -> dict[bytes, int]:
        if self._places is None:
            count = self._count()
            data = (self._folder / "keys").read_bytes()[: count * _KEY] if count else b""
            self._places = {data[at : at + _KEY]: at // _KEY for at in range(0, len(data), _KEY)}
        return self._places

    def _count(self) -> int:
        """Whole entries: a key without its numbers does not count."""
        try:
            keys = (self._folder / "keys").stat().st_size // _KEY
            return min(keys, (self._folder / "numbers").stat().st_size // (2 * self._dimensions))
        except FileNotFoundError:
            return 0

    def _numbers(self) -> NDArray[np.float16]:
        shape = (self._count(), self._dimensions)
        return np.memmap(self._folder / "numbers", np.float16, "r", shape=shape)


def _write(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b" if path.exists() else "w+b") as file:
        file.seek(offset)
        file.write(data)
        file.truncate()


def _index(rows: NDArray[np.float32]) -> Any:
    import faiss

    index: Any
    if len(rows) < _EXACT:
        index = faiss.IndexFlatIP(rows.shape[1])
    else:
        index = faiss.IndexHNSWFlat(rows.shape[1], _LINKS, faiss.METRIC_INNER_PRODUCT)
    index.add(np.ascontiguousarray(rows))
    return index
