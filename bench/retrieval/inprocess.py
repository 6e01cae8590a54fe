"""Adapters for a scorer: `make(repository)` indexes and returns `search(query, k)`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bottega.index import open_keeper
from bottega.index.snapshot import take_snapshot
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.query import Query
from bottega.retrieve.search.rank import rank_hybrid

Search = Callable[[str, int], list[dict[str, Any]]]


def make(repository: Path) -> Search:
    keeper = open_keeper(Path(repository))
    keeper.refresh()
    snapshot = take_snapshot(keeper.root, keeper.place)
    assert snapshot is not None
    corpus = Corpus(snapshot)

    def search(query: str, k: int) -> list[dict[str, Any]]:
        return [
            {
                "path": corpus.paths[hit.file],
                "start_line": int(corpus.chunk_first[hit.chunk]),
                "end_line": int(corpus.chunk_last[hit.chunk]),
                "score": hit.score,
            }
            for hit in rank_hybrid(Query(query), corpus, k)
        ]

    return search
