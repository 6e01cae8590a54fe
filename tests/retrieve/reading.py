"""Asking an index that a test has made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from bottega.index.snapshot import Snapshot, take_snapshot
from bottega.index.store import IndexStore
from bottega.retrieve.search import Hit, Searcher, SearchHits, SearchQuery


@contextmanager
def snapshot_of(keeper: IndexStore) -> Iterator[Snapshot]:
    found = take_snapshot(keeper.root, keeper.location)
    assert found is not None
    try:
        yield found
    finally:
        found.connection.close()


def find(keeper: IndexStore, order: SearchQuery) -> SearchHits:
    with snapshot_of(keeper) as snapshot:
        return Searcher(snapshot, is_current=True, folder=keeper.location.folder).search(order)


def paths(hits: Iterable[Hit]) -> list[str]:
    return [hit.span.path for hit in hits]
