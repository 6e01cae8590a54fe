"""Search through the handle of an index, with one searcher for all readers of a snapshot."""

from __future__ import annotations

from bottega.index import Knowledge, KnowledgeReader, Progress
from bottega.retrieve.search import Searcher, SearchHits, SearchQuery


def get_searcher(reader: KnowledgeReader) -> Searcher:
    return reader.memo(Searcher, lambda: Searcher(reader.snapshot, folder=reader.folder))


def search_index(reader: KnowledgeReader, query: SearchQuery) -> SearchHits:
    """Raise `InputError` for a query without words, an unknown mode, language or kind."""
    return SearchHits(get_searcher(reader).hits(query), reader.freshness, query.mode)


def find_symbols(reader: KnowledgeReader, query: SearchQuery) -> SearchHits:
    """Raise as `search_index` does."""
    return SearchHits(get_searcher(reader).find_symbols(query), reader.freshness, query.mode)


def embed_all(
    knowledge: Knowledge, progress: Progress = lambda _stage, _done, _total: None, workers: int = 0
) -> int | None:
    """Embed every indexed chunk; return how many had no vector, `None` when another process is embedding.

    The snapshot is held only while it is opened: embedding takes minutes and needs only its arrays, which stay mapped.
    A held snapshot would make every refresh meanwhile write a copy.
    """
    if not knowledge.exists:
        return 0
    with knowledge.reading(refresh=False) as reader:
        searcher = Searcher(reader.snapshot, folder=reader.folder)
    return searcher.embed_all(progress, workers)
