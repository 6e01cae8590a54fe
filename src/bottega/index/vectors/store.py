"""Vectors by the content they were made from: written once, shared by every state of the repository."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.journal.locks import FileLock

_KEY = 16
# From here on a graph of neighbours answers faster than looking at every vector (docs/benchmarks.md).
EXACT = 50_000
_LINKS, _WIDTH_BUILDING, _WIDTH_SEARCHING = 32, 80, 128
# The graph is made anew when it leaves out more than this share of the vectors.
_MOST_OUTSIDE = 0.2
_BLOCK = 20_000


class VectorStore:
    """Two files that only grow, keys and numbers, mapped and not read; a torn end is cut off when they are opened.

    A third one, made when there are more than `exact` vectors, holds a graph of neighbours over the first of them.
    """

    def __init__(self, folder: Path, fingerprint: str, dimensions: int, *, exact: int = EXACT) -> None:
        self._folder = folder / "vectors" / fingerprint
        self._dimensions = dimensions
        self._exact = exact
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
        known = self._known()
        asked = {known[key]: place for place, key in enumerate(keys) if key in known}
        wanted = np.fromiter(sorted(asked), np.int64, len(asked))
        graph = self._graph() if len(wanted) >= self._exact else None
        if graph is None:
            found = self._compared(query, wanted, limit)
        else:
            covered = int(np.searchsorted(wanted, graph.ntotal))
            found = _walked(graph, query, wanted[:covered], limit) + self._compared(query, wanted[covered:], limit)
        best = sorted(found, key=lambda hit: (-hit[1], asked[hit[0]]))[:limit]
        return [(asked[number], likeness) for number, likeness in best]

    def settle(self) -> None:
        """Make the graph of neighbours where there are enough vectors and none covers them."""
        faiss = _faiss()
        count = self._count()
        graph = self._graph()
        covered = graph.ntotal if graph is not None else 0
        if count < self._exact or count - covered <= _MOST_OUTSIDE * count:
            return
        made: Any = faiss.IndexHNSWSQ(
            self._dimensions, faiss.ScalarQuantizer.QT_fp16, _LINKS, faiss.METRIC_INNER_PRODUCT
        )
        made.hnsw.efConstruction = _WIDTH_BUILDING
        numbers = self._numbers()
        made.train(numbers[:1].astype(np.float32))
        for at in range(0, count, _BLOCK):
            made.add(numbers[at : at + _BLOCK].astype(np.float32))
        beside = self._folder / f"graph.{os.getpid()}.new"
        faiss.write_index(made, str(beside))
        beside.replace(self._folder / "graph")

    def _compared(self, query: NDArray[np.float32], wanted: NDArray[np.int64], limit: int) -> list[tuple[int, float]]:
        """Every vector looked at."""
        if not len(wanted):
            return []
        faiss = _faiss()
        numbers = self._numbers()
        found: list[tuple[int, float]] = []
        for at in range(0, len(wanted), _BLOCK):
            some = wanted[at : at + _BLOCK]
            rows = numbers[some].astype(np.float32)
            likeness, order = faiss.knn(
                query.reshape(1, -1), rows, min(limit, len(some)), metric=faiss.METRIC_INNER_PRODUCT
            )
            found += [(int(some[n]), float(s)) for n, s in zip(order[0], likeness[0], strict=True) if n >= 0]
        return found

    def _graph(self) -> Any:
        """The graph of neighbours, mapped; `None` where there is none that fits these vectors."""
        faiss = _faiss()
        path = self._folder / "graph"
        if not path.is_file() or path.is_symlink():
            return None
        try:
            graph = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
        except RuntimeError:
            return None
        return graph if graph.d == self._dimensions and graph.ntotal <= self._count() else None

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


def _faiss() -> Any:
    """Heavy, and imported only when used; its types do not know all of it."""
    return import_module("faiss")


def _walked(graph: Any, query: NDArray[np.float32], wanted: NDArray[np.int64], limit: int) -> list[tuple[int, float]]:
    """Along the graph, stopping at none but the wanted."""
    faiss = _faiss()
    width = max(_WIDTH_SEARCHING, 2 * limit)
    chosen = faiss.SearchParametersHNSW(sel=faiss.IDSelectorBatch(wanted), efSearch=width)
    likeness, order = graph.search(query.reshape(1, -1), limit, params=chosen)
    return [(int(n), float(s)) for n, s in zip(order[0], likeness[0], strict=True) if n >= 0]
