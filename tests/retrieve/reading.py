"""Asking an index that a test has made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from bottega.index import Keeper
from bottega.index.snapshot import Snapshot, take_snapshot
from bottega.retrieve.search import Found, Hit, Order, Searcher


@contextmanager
def snapshot_of(keeper: Keeper) -> Iterator[Snapshot]:
    found = take_snapshot(keeper.root, keeper.place)
    assert found is not None
    try:
        yield found
    finally:
        found.connection.close()


def find(keeper: Keeper, order: Order) -> Found:
    with snapshot_of(keeper) as snapshot:
        return Searcher(snapshot, is_current=True, folder=keeper.place.folder).search(order)


def paths(hits: Iterable[Hit]) -> list[str]:
    return [hit.path for hit in hits]
