"""Vectors kept by content: found exactly while they are few, along a graph of neighbours when they are many."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from bottega.home import write_seal
from bottega.index.vectors import NO_VECTOR, VectorStore

SIZE, COUNT, LIMIT = 24, 900, 10
EVERY = np.arange(COUNT)


def rows(count: int, seed: int = 1) -> NDArray[np.float32]:
    made = np.random.default_rng(seed).normal(size=(count, SIZE))
    lengths: NDArray[np.float64] = np.linalg.norm(made, axis=1, keepdims=True)
    return (made / lengths).astype(np.float32)


def keys(*numbers: int) -> NDArray[np.int64]:
    """Keys as hashes are: in no order, negative ones among them."""
    return np.array(numbers, np.int64) * -0x61C8864680B583EB


def find_nearest(vectors: NDArray[np.float32], query: NDArray[np.float32], limit: int = LIMIT) -> list[int]:
    return [int(n) for n in np.argsort(-(vectors.astype(np.float16).astype(np.float32) @ query), kind="stable")[:limit]]


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    write_seal(tmp_path)
    made = VectorStore(tmp_path, "test", SIZE, exact=300)
    vectors = rows(COUNT)
    for start in range(0, COUNT, 300):
        made.put(keys(*range(start, start + 300)), vectors[start : start + 300])
    return made


def kept(tmp_path: Path) -> Path:
    (folder,) = (tmp_path / "vectors").iterdir()
    return folder


def graph_of(tmp_path: Path) -> Path:
    return kept(tmp_path) / "graph"


def test_a_vector_is_found_by_its_key(store: VectorStore, tmp_path: Path) -> None:
    again = VectorStore(tmp_path, "test", SIZE)
    assert again.find(keys(15, 10_000, 0)).tolist() == [15, NO_VECTOR, 0]
    query = rows(1, seed=2)[0]
    expected = rows(COUNT).astype(np.float16).astype(np.float32) @ query
    asked = np.array([15, NO_VECTOR, 0])
    assert again.similarity(query, asked) == pytest.approx([expected[15], 0, expected[0]], abs=1e-5)


def test_a_key_that_is_there_already_is_not_written_again(store: VectorStore) -> None:
    other = rows(4, seed=9)
    store.put(keys(7, 2_000, 2_000, 2_001), other)
    assert store.find(keys(7, 2_000, 2_001)).tolist() == [7, COUNT, COUNT + 1]
    assert store.similarity(other[1], np.array([COUNT])) == pytest.approx([1], abs=1e-3)
    assert store.similarity(other[3], np.array([COUNT + 1])) == pytest.approx([1], abs=1e-3)
    assert store.similarity(other[0], np.array([7]))[0] < 0.99


@pytest.mark.parametrize("name", ["keys", "numbers"])
def test_a_torn_end_is_not_believed(store: VectorStore, tmp_path: Path, name: str) -> None:
    file = kept(tmp_path) / name
    file.write_bytes(file.read_bytes()[:-5])
    again = VectorStore(tmp_path, "test", SIZE)
    assert again.find(keys(COUNT - 1, COUNT - 2)).tolist() == [NO_VECTOR, COUNT - 2]
    fresh = rows(1, seed=8)
    again.put(keys(COUNT - 1), fresh)
    assert again.find(keys(COUNT - 1)).tolist() == [COUNT - 1]
    assert again.similarity(fresh[0], np.array([COUNT - 1])) == pytest.approx([1], abs=1e-3)


def test_few_vectors_are_compared_one_by_one(store: VectorStore, tmp_path: Path) -> None:
    for query in rows(5, seed=2):
        assert [place for place, _ in store.find_nearest(query, EVERY[:200], LIMIT)] == find_nearest(
            rows(COUNT)[:200], query
        )
    assert not graph_of(tmp_path).exists()


def test_many_vectors_are_found_along_a_graph_that_lies_on_the_disk(store: VectorStore, tmp_path: Path) -> None:
    pytest.importorskip("faiss")
    store.build_graph()
    assert graph_of(tmp_path).is_file()
    again = VectorStore(tmp_path, "test", SIZE, exact=300)
    right = 0
    for query in rows(20, seed=3):
        found = again.find_nearest(query, EVERY, LIMIT)
        assert [similarity for _, similarity in found] == sorted((similarity for _, similarity in found), reverse=True)
        right += len({place for place, _ in found} & set(find_nearest(rows(COUNT), query)))
    assert right >= 0.95 * 20 * LIMIT


def test_only_what_is_asked_for_is_found_along_the_graph(store: VectorStore) -> None:
    pytest.importorskip("faiss")
    store.build_graph()
    query = rows(1, seed=4)[0]
    found = store.find_nearest(query, np.where(EVERY % 2, NO_VECTOR, EVERY), LIMIT)
    expected = [2 * place for place in find_nearest(rows(COUNT)[::2], query)]
    assert len({place for place, _ in found} & set(expected)) >= LIMIT - 1
    assert not any(place % 2 for place, _ in found)


def test_chunks_of_equal_text_share_a_vector(store: VectorStore) -> None:
    pytest.importorskip("faiss")
    store.build_graph()
    twice = np.concatenate([EVERY, EVERY[:300]])
    found = store.find_nearest(rows(COUNT)[5], twice, LIMIT)
    assert [place for place, _ in found[:2]] == [5, COUNT + 5]


def test_vectors_younger_than_the_graph_are_found(store: VectorStore, tmp_path: Path) -> None:
    pytest.importorskip("faiss")
    store.build_graph()
    stamp = graph_of(tmp_path).stat().st_mtime_ns
    query = rows(1, seed=5)[0]
    store.put(keys(5_000), query.reshape(1, -1))
    store.build_graph()
    assert graph_of(tmp_path).stat().st_mtime_ns == stamp
    assert store.find_nearest(query, np.arange(COUNT + 1), LIMIT)[0][0] == COUNT


def test_a_graph_that_leaves_out_many_is_made_anew(store: VectorStore, tmp_path: Path) -> None:
    pytest.importorskip("faiss")
    store.build_graph()
    size = graph_of(tmp_path).stat().st_size
    store.put(keys(*range(5_000, 5_400)), rows(400, seed=6))
    store.build_graph()
    assert graph_of(tmp_path).stat().st_size > size


@pytest.mark.parametrize("content", [b"", b"IHNs", b"nonsense" * 100])
def test_a_damaged_graph_costs_time_and_nothing_else(store: VectorStore, tmp_path: Path, content: bytes) -> None:
    graph_of(tmp_path).write_bytes(content)
    query = rows(1, seed=7)[0]
    assert [place for place, _ in store.find_nearest(query, EVERY, LIMIT)] == find_nearest(rows(COUNT), query)
    store.build_graph()
    assert store.find_nearest(query, EVERY, LIMIT)[0][0] == find_nearest(rows(COUNT), query)[0]


def test_without_vectors_nothing_is_found(tmp_path: Path) -> None:
    write_seal(tmp_path)
    store = VectorStore(tmp_path, "test", SIZE)
    assert store.find_nearest(rows(1)[0], np.full(5, NO_VECTOR), LIMIT) == []
    store.build_graph()


def test_what_another_person_left_is_not_read(
    store: VectorStore, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert store.find(keys(0)).tolist() == [0]
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("other")))
    write_seal(tmp_path)
    assert VectorStore(tmp_path, "test", SIZE).find(keys(0)).tolist() == [NO_VECTOR]


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / "vectors").symlink_to(elsewhere)
    write_seal(tmp_path)
    made = VectorStore(tmp_path, "test", SIZE)
    made.put(keys(1, 2), rows(2))
    assert made.find(keys(2)).tolist() == [1]
    assert not list(elsewhere.iterdir())
    assert not (tmp_path / "vectors").is_symlink()
