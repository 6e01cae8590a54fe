"""Search and rank the chunks of a repository."""

from __future__ import annotations

from bottega.retrieve.search.find import Searcher
from bottega.retrieve.search.hits import MODES, Hit, SearchHits, SearchQuery, find_excerpt
from bottega.retrieve.search.query import ParsedQuery

__all__ = ["MODES", "Hit", "ParsedQuery", "SearchHits", "SearchQuery", "Searcher", "find_excerpt"]
