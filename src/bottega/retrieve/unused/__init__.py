"""Find definitions that nothing uses."""

from bottega.retrieve.unused.find import Confidence, UnusedSymbol, find_unused

__all__ = ["Confidence", "UnusedSymbol", "find_unused"]
