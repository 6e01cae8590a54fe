"""Search, show, graph, map, retrieve, stats, similar and unused: the verbs that read the index."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bottega.retrieve.background import embed_in_background
    from bottega.retrieve.shared import embed_all, get_searcher, search_index
    from bottega.retrieve.verbs.context import RetrieveRequest, RetrieveResult, RetrieveSession, open_retrieval
    from bottega.retrieve.verbs.graph import GRAPH, GraphRequest, GraphResult
    from bottega.retrieve.verbs.index import INDEX, VERIFY, IndexRequest, IndexResult, VerifyRequest, VerifyResult
    from bottega.retrieve.verbs.overview import MAP, MapRequest, MapResult
    from bottega.retrieve.verbs.search import SEARCH, SearchHit, SearchRequest, SearchResult
    from bottega.retrieve.verbs.show import SHOW, ShowRequest, ShowResult
    from bottega.retrieve.verbs.similar import SIMILAR, SimilarRequest, SimilarResult
    from bottega.retrieve.verbs.stats import STATS, StatsRequest, StatsResult
    from bottega.retrieve.verbs.unused import UNUSED, UnusedRequest, UnusedResult

__all__ = [
    "GRAPH",
    "INDEX",
    "MAP",
    "SEARCH",
    "SHOW",
    "SIMILAR",
    "STATS",
    "UNUSED",
    "VERIFY",
    "GraphRequest",
    "GraphResult",
    "IndexRequest",
    "IndexResult",
    "MapRequest",
    "MapResult",
    "RetrieveRequest",
    "RetrieveResult",
    "RetrieveSession",
    "SearchHit",
    "SearchRequest",
    "SearchResult",
    "ShowRequest",
    "ShowResult",
    "SimilarRequest",
    "SimilarResult",
    "StatsRequest",
    "StatsResult",
    "UnusedRequest",
    "UnusedResult",
    "VerifyRequest",
    "VerifyResult",
    "embed_all",
    "embed_in_background",
    "get_searcher",
    "open_retrieval",
    "search_index",
]
_MODULES = {
    **dict.fromkeys(("GRAPH", "GraphRequest", "GraphResult"), "verbs.graph"),
    **dict.fromkeys(("INDEX", "VERIFY", "IndexRequest", "IndexResult", "VerifyRequest", "VerifyResult"), "verbs.index"),
    **dict.fromkeys(("MAP", "MapRequest", "MapResult"), "verbs.overview"),
    **dict.fromkeys(("RetrieveRequest", "RetrieveResult", "RetrieveSession", "open_retrieval"), "verbs.context"),
    **dict.fromkeys(("SEARCH", "SearchHit", "SearchRequest", "SearchResult"), "verbs.search"),
    **dict.fromkeys(("SHOW", "ShowRequest", "ShowResult"), "verbs.show"),
    **dict.fromkeys(("SIMILAR", "SimilarRequest", "SimilarResult"), "verbs.similar"),
    **dict.fromkeys(("UNUSED", "UnusedRequest", "UnusedResult"), "verbs.unused"),
    **dict.fromkeys(("STATS", "StatsRequest", "StatsResult"), "verbs.stats"),
    **dict.fromkeys(("embed_all", "search_index", "get_searcher"), "shared"),
    "embed_in_background": "background",
}


def __getattr__(name: str) -> Any:
    """Modules are imported when first used: each verb loads only what it needs."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
