"""Ranking by meaning, and by meaning and words together."""

from __future__ import annotations

from pathlib import Path

import pytest

from bottega.index.store import IndexStore
from bottega.retrieve.search import SearchQuery
from tests.retrieve.harbour import FILES, ISSUE, write_files
from tests.retrieve.reading import find, paths

SEMANTIC = [("semantic", "weighted"), ("semantic_rerank", "weighted"), ("hybrid", "rrf")]


@pytest.mark.parametrize(("mode", "fusion"), SEMANTIC)
def test_meaning_finds_what_words_do_not(keeper: IndexStore, mode: str, fusion: str) -> None:
    question = "vessel that transports petroleum"
    assert "harbour/ships.py" not in paths(find(keeper, SearchQuery(question, mode="bm25")).hits)
    assert "harbour/ships.py" in paths(find(keeper, SearchQuery(question, mode=mode, fusion=fusion, limit=3)).hits)


@pytest.mark.parametrize(("mode", "fusion"), SEMANTIC)
@pytest.mark.parametrize("question", ["high water", "find_berth", ISSUE], ids=["words", "symbol", "issue"])
def test_every_span_exists_and_the_shares_add_up(keeper: IndexStore, mode: str, fusion: str, question: str) -> None:
    found = find(keeper, SearchQuery(question, mode=mode, fusion=fusion)).hits
    assert found
    for hit in found:
        assert 1 <= hit.span.first <= hit.span.last <= FILES[hit.span.path].count("\n")
        assert sum(hit.shares.values()) == pytest.approx(hit.score, abs=0.0002)
        assert set(hit.shares) <= {"semantic", "bm25"}
    scores = [hit.score for hit in found]
    assert scores == sorted(scores, reverse=True)


def test_rank_fusion_gives_each_list_its_share(keeper: IndexStore) -> None:
    first = find(keeper, SearchQuery("high water", mode="hybrid", fusion="rrf")).hits[0]
    assert first.span.path == "harbour/tides.py"
    assert set(first.shares) == {"semantic", "bm25"}
    assert max(first.shares.values()) <= 1 / 61 + 1e-6


@pytest.mark.parametrize(("mode", "fusion"), SEMANTIC)
def test_filters_hold_for_meaning_too(keeper: IndexStore, mode: str, fusion: str) -> None:
    only = SearchQuery("table of tides", mode=mode, fusion=fusion, language="typescript", path="web")
    assert set(paths(find(keeper, only).hits)) == {"web/table.ts", "web/tide.ts"}
    classes = find(keeper, SearchQuery("boat", mode=mode, fusion=fusion, kind="class")).hits
    assert {hit.kind for hit in classes} == {"class"}
    assert len(find(keeper, SearchQuery("boat", mode=mode, fusion=fusion, limit=2)).hits) == 2


@pytest.mark.parametrize(("mode", "fusion"), SEMANTIC)
def test_the_second_answer_is_the_first(keeper: IndexStore, mode: str, fusion: str) -> None:
    order = SearchQuery("where may a boat lie", mode=mode, fusion=fusion)
    assert find(keeper, order).hits == find(keeper, order).hits


def test_vectors_are_kept_by_content(fresh: IndexStore) -> None:
    order = SearchQuery("where may a boat lie", mode="semantic")
    before = find(fresh, order).hits
    kept = fresh.location.folder / "vectors"
    size = _size(kept)
    fresh.refresh(rebuild=True, workers=1)
    assert find(fresh, order).hits == before
    assert _size(kept) == size
    write_files(fresh.root, {"web/tide.ts": "export const quay = 'a quay where a boat may lie';\n"})
    fresh.refresh(workers=1)
    was, now = (next(h for h in found if h.span.path == "web/tide.ts") for found in (before, find(fresh, order).hits))
    assert now.score > was.score
    assert _size(kept) > size


def test_a_changed_line_makes_one_new_vector(fresh: IndexStore) -> None:
    functions = [f"def load_boat_{n}(quay):\n" + "    quay.take_cargo()\n" * 60 + "\n\n" for n in range(8)]
    write_files(fresh.root, {"web/loading.py": "".join(functions)})
    fresh.refresh(workers=1)
    find(fresh, SearchQuery("load a boat", mode="semantic"))
    before = _count_keys(fresh)
    functions[4] = functions[4].replace("take_cargo", "take_cattle", 1)
    write_files(fresh.root, {"web/loading.py": "".join(functions)})
    fresh.refresh(workers=1)
    find(fresh, SearchQuery("load a boat", mode="semantic"))
    assert _count_keys(fresh) == before + 1


def _count_keys(store: IndexStore) -> int:
    (keys,) = (store.location.folder / "vectors").rglob("keys")
    return keys.stat().st_size // 8


def test_a_torn_store_of_vectors_is_mended(fresh: IndexStore) -> None:
    order = SearchQuery("where may a boat lie", mode="semantic")
    before = find(fresh, order).hits
    for file in (fresh.location.folder / "vectors").rglob("*"):
        if file.name in {"keys", "numbers"}:
            file.write_bytes(file.read_bytes()[:-7])
    assert find(fresh, order).hits == before


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.name in {"keys", "numbers"})
