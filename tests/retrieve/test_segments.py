"""The same files give the same answers, however many refreshes it took to read them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from bottega.index import open_store
from bottega.index.store import IndexStore
from bottega.retrieve.search import Hit, SearchQuery
from tests.retrieve.harbour import FILES, ISSUE, write_files
from tests.retrieve.reading import find, snapshot_of

QUESTIONS = ["water", "ship berth", "find_berth", "tide table", "Berth.admit", ISSUE]
# Eight places that answer "buoy" equally well, each in words of its own.
TOLD_APART = ("amber", "bronze", "copper", "denim", "ebony", "fawn", "green", "hazel")
ROUNDS = 3


def _buoys(colour: str) -> dict[str, str]:
    return {f"buoys/{colour}.py": f"def paint():\n    return buoy.{colour}()\n"}


def _answers(keeper: IndexStore, mode: str, questions: Sequence[str]) -> list[tuple[Hit, ...]]:
    return [find(keeper, SearchQuery(question, mode=mode, limit=30)).hits for question in questions]


def _segments(keeper: IndexStore) -> int:
    with snapshot_of(keeper) as snapshot:
        return len(snapshot.parts)


def test_a_harbour_built_file_by_file_answers_like_one_read_at_once(tmp_path: Path) -> None:
    keeper = open_store(tmp_path)
    for path, text in FILES.items():
        write_files(tmp_path, {path: text})
        keeper.refresh(workers=1)
    assert _segments(keeper) > 1
    grown = [_answers(keeper, mode, QUESTIONS) for mode in ("hybrid", "bm25")]
    keeper.refresh(rebuild=True, workers=1)
    assert _segments(keeper) == 1
    assert grown == [_answers(keeper, mode, QUESTIONS) for mode in ("hybrid", "bm25")]


@pytest.mark.parametrize("mode", ["hybrid", "bm25"])
def test_equal_places_keep_their_order_whatever_segment_they_lie_in(tmp_path: Path, mode: str) -> None:
    keeper = open_store(tmp_path)
    for colour in TOLD_APART:
        write_files(tmp_path, _buoys(colour))
    keeper.refresh(workers=1)
    at_once = _answers(keeper, mode, ["buoy"])
    for _ in range(ROUNDS):
        for colour in TOLD_APART:
            (path,) = _buoys(colour)
            (tmp_path / path).unlink()
            keeper.refresh(workers=1)
            write_files(tmp_path, _buoys(colour))
            keeper.refresh(workers=1)
        assert _answers(keeper, mode, ["buoy"]) == at_once


def test_a_change_and_its_undoing_leave_no_trace(fresh: IndexStore) -> None:
    before = _answers(fresh, "hybrid", QUESTIONS)
    for path in FILES:
        (fresh.root / path).write_text("gone = True\n")
        fresh.refresh(workers=1)
    assert _answers(fresh, "hybrid", QUESTIONS) != before
    write_files(fresh.root, FILES)
    fresh.refresh(workers=1)
    assert _answers(fresh, "hybrid", QUESTIONS) == before
