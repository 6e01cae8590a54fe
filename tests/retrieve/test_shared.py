"""One searcher for all threads that read a snapshot."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bottega.index import Knowledge, open_knowledge
from bottega.retrieve import embed_all, get_searcher, search_index
from bottega.retrieve.search import MODES, SearchQuery

from .harbour import build


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[Knowledge]:
    opened = open_knowledge(build(tmp_path / "repo"))
    opened.refresh(workers=1)
    yield opened
    opened.close()


def found(knowledge: Knowledge, mode: str) -> list[tuple[str, float]]:
    with knowledge.reading(refresh=False) as reader:
        return [(str(hit.span), hit.score) for hit in search_index(reader, SearchQuery("moor a ship", mode)).hits]


def test_threads_that_search_at_once_find_what_one_finds(knowledge: Knowledge) -> None:
    embed_all(knowledge, workers=1)
    alone = {mode: found(knowledge, mode) for mode in MODES}
    together: list[tuple[str, list[tuple[str, float]]]] = []
    threads = [
        threading.Thread(target=lambda mode=mode: together.append((mode, found(knowledge, mode)))) for mode in MODES * 3
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(together) == len(threads)
    assert all(hits == alone[mode] for mode, hits in together)


def test_readers_of_a_snapshot_share_a_searcher(knowledge: Knowledge) -> None:
    with knowledge.reading(refresh=False) as one, knowledge.reading(refresh=False) as other:
        assert get_searcher(one) is get_searcher(other)


def test_vectors_that_are_embedded_later_are_used_by_an_open_searcher(knowledge: Knowledge) -> None:
    with knowledge.reading(refresh=False) as reader:
        assert get_searcher(reader).lacks_vectors()
        assert embed_all(knowledge, workers=1)
        assert not get_searcher(reader).lacks_vectors()
    assert embed_all(knowledge, workers=1) == 0


def test_hits_say_how_fresh_they_are(knowledge: Knowledge) -> None:
    with knowledge.reading() as fresh, knowledge.reading(refresh=False) as stale:
        assert search_index(fresh, SearchQuery("ship")).freshness.is_current
        assert not search_index(stale, SearchQuery("ship")).freshness.is_current


def test_embedding_where_nothing_is_indexed_does_nothing(tmp_path: Path) -> None:
    assert embed_all(open_knowledge(tmp_path)) == 0
