"""Finding the right place in a repository."""

from __future__ import annotations

from bottega.retrieve.search.find import MODES, Found, Hit, Order, Searcher, excerpt

__all__ = ["MODES", "Found", "Hit", "Order", "Searcher", "excerpt"]
