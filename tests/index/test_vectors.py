"""Vectors kept by content: found exactly while they are few, along a graph of neighbours when they are many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bottega.index.vectors import VectorStore

SIZE, COUNT, LIMIT = 24, 900, 10


def rows(count: int, seed: int = 1) -> NDArray[np.float32]:
    made = np.random.default_rng(seed).normal(size=(count, SIZE))
    lengths: NDArray[np.float64] = np.linalg.norm(made, axis=1, keepdims=True)
    return (made / lengths).astype(np.float32)


def keys(count: int, start: int = 0) -> list[bytes]:
    return [number.to_bytes(16, "little") for number in range(start, start + count)]


def nearest(vectors: NDArray[np.float32], query: NDArray[np.float32], limit: int = LIMIT) -> list[int]:
    return [int(n) for n in np.argsort(-(vectors.astype(np.float16).astype(np.float32) @ query), kind="stable")[:limit]]


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    made = VectorStore(tmp_path, "test", SIZE, exact=300)
    made.put(keys(COUNT), rows(COUNT))
    return made


def graph_of(tmp_path: Path) -> Path:
    return tmp_path / "vectors" / "test" / "graph"


def test_few_vectors_are_compared_one_by_one(store: VectorStore, tmp_path: Path) -> None:
    some = keys(COUNT)[:200]
    for query in rows(5, seed=2):
        assert [place for place, _ in store.nearest(query, some, LIMIT)] == nearest(rows(COUNT)[:200], query)
    assert not graph_of(tmp_path).exists()


def test_many_vectors_are_found_along_a_graph_that_lies_on_the_disk(store: VectorStore, tmp_path: Path) -> None:
    store.settle()
    assert graph_of(tmp_path).is_file()
    again = VectorStore(tmp_path, "test", SIZE, exact=300)
    right = 0
    for query in rows(20, seed=3):
        found = again.nearest(query, keys(COUNT), LIMIT)
        assert [likeness for _, likeness in found] == sorted((likeness for _, likeness in found), reverse=True)
        right += len({place for place, _ in found} & set(nearest(rows(COUNT), query)))
    assert right >= 0.95 * 20 * LIMIT


def test_only_what_is_asked_for_is_found_along_the_graph(store: VectorStore) -> None:
    store.settle()
    asked = keys(COUNT)[::2]
    query = rows(1, seed=4)[0]
    found = store.nearest(query, asked, LIMIT)
    expected = nearest(rows(COUNT)[::2], query)
    assert len({place for place, _ in found} & set(expected)) >= LIMIT - 1


def test_vectors_younger_than_the_graph_are_found(store: VectorStore, tmp_path: Path) -> None:
    store.settle()
    stamp = graph_of(tmp_path).stat().st_mtime_ns
    query = rows(1, seed=5)[0]
    store.put(keys(1, COUNT), query.reshape(1, -1))
    store.settle()
    assert graph_of(tmp_path).stat().st_mtime_ns == stamp
    assert store.nearest(query, keys(COUNT + 1), LIMIT)[0][0] == COUNT


def test_a_graph_that_leaves_out_many_is_made_anew(store: VectorStore, tmp_path: Path) -> None:
    store.settle()
    size = graph_of(tmp_path).stat().st_size
    store.put(keys(400, COUNT), rows(400, seed=6))
    store.settle()
    assert graph_of(tmp_path).stat().st_size > size


@pytest.mark.parametrize("content", [b"", b"IHNs", b"nonsense" * 100])
def test_a_damaged_graph_costs_time_and_nothing_else(store: VectorStore, tmp_path: Path, content: bytes) -> None:
    graph_of(tmp_path).write_bytes(content)
    query = rows(1, seed=7)[0]
    assert [place for place, _ in store.nearest(query, keys(COUNT), LIMIT)] == nearest(rows(COUNT), query)
    store.settle()
    assert store.nearest(query, keys(COUNT), LIMIT)[0][0] == nearest(rows(COUNT), query)[0]


def test_without_vectors_nothing_is_found(tmp_path: Path) -> None:
    store = VectorStore(tmp_path, "test", SIZE)
    assert store.nearest(rows(1)[0], keys(5), LIMIT) == []
    store.settle()
