"""Append-only, memory-mapped vectors and their keys."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.cancellation import current_cancellation
from bottega.home import FileLock, seal_of, sign

Rows = NDArray[np.int64]
Keys = NDArray[np.int64]
Stamp = tuple[int, int]

_KEY_SIZE = 8
# From so many vectors on, a graph of neighbours is faster than comparing all of them (docs/benchmarks.md).
EXACT = 50_000
_LINKS, _WIDTH_BUILDING, _WIDTH_SEARCHING = 32, 80, 128
# The graph is rebuilt when it leaves out more than this share of the vectors.
_MOST_OUTSIDE = 0.2
_BLOCK = 20_000
NO_VECTOR = -1


class _Places:
    """Finds the rows of keys; row `n` has key `n`."""

    def __init__(self, keys: Keys) -> None:
        self.size = len(keys)
        self._order = np.argsort(keys, kind="stable")
        self._sorted = keys[self._order]

    def find(self, keys: Keys) -> Rows:
        if not self.size:
            return np.full(len(keys), NO_VECTOR)
        place = np.minimum(np.searchsorted(self._sorted, keys), self.size - 1)
        return np.where(self._sorted[place] == keys, self._order[place], NO_VECTOR)


class VectorStore:
    """Two append-only files: vectors, and the key of each.

    An incomplete end, left by a killed writer, is cut off by the next write. When there are more than `exact` vectors
    and faiss is installed, a third file holds a graph of neighbours over the first of them.
    """

    def __init__(self, folder: Path, fingerprint: str, dimensions: int, *, exact: int = EXACT) -> None:
        # The name depends on the seal: vectors that were not made on this machine are never read.
        self._folder = folder / "vectors" / f"{fingerprint}-{sign('vectors of chunks', seal_of(folder))[:12]}"
        self._dimensions = dimensions
        self._exact = exact
        self._known: tuple[Stamp, _Places] = ((0, 0), _Places(np.zeros(0, np.int64)))

    @property
    def stamp(self) -> Stamp:
        """Changes with every vector that any process adds."""
        try:
            status = (self._folder / "keys").stat()
        except FileNotFoundError:
            return (0, 0)
        return status.st_size, status.st_mtime_ns

    def find(self, keys: Keys) -> Rows:
        """For each key the row of its vector; `NO_VECTOR` for keys without."""
        return self._places().find(keys)

    def put(self, keys: Keys, vectors: NDArray[np.float32]) -> None:
        """Add the vectors of some keys, except those that another process has added meanwhile."""
        self._make_folder()
        with FileLock(self._folder / "lock"):
            known = self._read_keys()
            once, first = np.unique(keys, return_index=True)
            fresh = np.sort(first[_Places(known).find(once) < 0])
            numbers = vectors[fresh].astype(np.float16)
            _write(self._folder / "numbers", len(known) * self._dimensions * 2, numbers.tobytes())
            _write(self._folder / "keys", len(known) * _KEY_SIZE, keys[fresh].astype("<i8").tobytes())

    def claim(self) -> FileLock | None:
        """A lock for embedding everything; `None` while another process holds it."""
        self._make_folder()
        lock = FileLock(self._folder / "embedding.lock")
        if not lock.take():
            return None
        for abandoned in self._folder.glob("graph.*.new"):  # only the holder of the lock builds a graph
            abandoned.unlink(missing_ok=True)
        return lock

    def similarity(self, query: NDArray[np.float32], rows: Rows) -> NDArray[np.float32]:
        """Similarity of the vectors in these rows to the query; 0 for `NO_VECTOR`."""
        found = np.zeros(len(rows), np.float32)
        places = np.flatnonzero(rows >= 0)
        numbers = self._map_vectors() if len(places) else None
        for at in range(0, len(places), _BLOCK):
            assert numbers is not None
            some = places[at : at + _BLOCK]
            found[some] = numbers[rows[some]].astype(np.float32) @ query
        return found

    def find_nearest(self, query: NDArray[np.float32], rows: Rows, limit: int) -> list[tuple[int, float]]:
        """Indexes into `rows` with their similarity, the nearest first; `NO_VECTOR` is left out."""
        places = np.flatnonzero(rows >= 0)
        graph = self._load_graph() if len(places) >= self._exact else None
        if graph is None:
            return _select_best(places, self.similarity(query, rows[places]), limit)
        covered = rows[places] < graph.ntotal
        walked = _search_graph(graph, query, rows[places[covered]], limit)
        inside = places[covered]
        by_row = inside[np.argsort(rows[inside], kind="stable")]
        outside = places[~covered]
        found = [
            (int(place), similarity)
            for row, similarity in walked
            for place in by_row[slice(*np.searchsorted(rows[by_row], [row, row + 1]))]
        ]
        found += _select_best(outside, self.similarity(query, rows[outside]), limit)
        return sorted(found, key=lambda hit: (-hit[1], hit[0]))[:limit]

    def build_graph(self) -> None:
        """Build the graph of neighbours if there are enough vectors that none covers."""
        count = self._count()
        if count < self._exact or (faiss := _import_faiss()) is None:
            return
        graph = self._load_graph()
        covered = graph.ntotal if graph is not None else 0
        if count - covered <= _MOST_OUTSIDE * count:
            return
        made: Any = faiss.IndexHNSWSQ(
            self._dimensions, faiss.ScalarQuantizer.QT_fp16, _LINKS, faiss.METRIC_INNER_PRODUCT
        )
        made.hnsw.efConstruction = _WIDTH_BUILDING
        numbers = self._map_vectors()
        made.train(numbers[:1].astype(np.float32))
        for at in range(0, count, _BLOCK):
            current_cancellation().check()
            made.add(numbers[at : at + _BLOCK].astype(np.float32))
        beside = self._folder / f"graph.{os.getpid()}.new"
        faiss.write_index(made, str(beside))
        beside.replace(self._folder / "graph")

    def _make_folder(self) -> None:
        """Create the folder; never through a symbolic link, which a repository may contain."""
        for place in (self._folder.parent, self._folder):
            if place.is_symlink():
                place.unlink()
            place.mkdir(mode=0o700, exist_ok=True)  # no parents: a `.bottega` that was removed is not created again

    def _load_graph(self) -> Any:
        """The memory-mapped graph of neighbours; `None` where there is none for these vectors."""
        path = self._folder / "graph"
        if not path.is_file() or path.is_symlink() or (faiss := _import_faiss()) is None:
            return None
        try:
            graph = faiss.read_index(str(path), faiss.IO_FLAG_MMAP_IFC)
        except RuntimeError:
            return None
        return graph if graph.d == self._dimensions and graph.ntotal <= self._count() else None

    def _places(self) -> _Places:
        stamp = self.stamp
        known_at, known = self._known  # both at once: another thread may replace them
        if known_at != stamp:
            known = _Places(self._read_keys())
            self._known = (stamp, known)
        return known

    def _read_keys(self) -> Keys:
        """The key of every complete vector."""
        try:
            data = (self._folder / "keys").read_bytes()
        except FileNotFoundError:
            data = b""
        count = min(len(data) // _KEY_SIZE, self._count_vectors())
        return np.frombuffer(data, "<i8", count).astype(np.int64)

    def _count_vectors(self) -> int:
        """The number of complete vectors in the file."""
        try:
            return (self._folder / "numbers").stat().st_size // (2 * self._dimensions)
        except FileNotFoundError:
            return 0

    def _count(self) -> int:
        return self._places().size

    def _map_vectors(self) -> NDArray[np.float16]:
        return np.memmap(self._folder / "numbers", np.float16, "r", shape=(self._count_vectors(), self._dimensions))


def _write(path: Path, offset: int, data: bytes) -> None:
    handle = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    with os.fdopen(handle, "r+b") as file:
        file.seek(offset)
        file.write(data)
        file.truncate()


def _select_best(places: Rows, similarity: NDArray[np.float32], limit: int) -> list[tuple[int, float]]:
    order = np.lexsort((places, -similarity))[:limit]
    return [(int(places[place]), float(similarity[place])) for place in order]


def _import_faiss() -> Any:
    """Import faiss on first use; it is optional: without it every vector is compared."""
    try:
        return import_module("faiss")
    except ImportError:
        return None


def _search_graph(graph: Any, query: NDArray[np.float32], wanted: Rows, limit: int) -> list[tuple[int, float]]:
    """Search the graph; only the wanted vectors are results."""
    faiss = _import_faiss()
    width = max(_WIDTH_SEARCHING, 2 * limit)
    chosen = faiss.SearchParametersHNSW(sel=faiss.IDSelectorBatch(np.sort(wanted)), efSearch=width)
    similarity, order = graph.search(query.reshape(1, -1), limit, params=chosen)
    return [(int(n), float(s)) for n, s in zip(order[0], similarity[0], strict=True) if n >= 0]
