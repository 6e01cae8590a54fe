"""The second stage of search: rank the symbols of the best files."""

from bottega.retrieve.search.symbols.frames import parse_frames, read_traceback
from bottega.retrieve.search.symbols.grouping import group_by_file
from bottega.retrieve.search.symbols.ranking import RankedSymbol, rank_symbols

__all__ = ["RankedSymbol", "group_by_file", "parse_frames", "rank_symbols", "read_traceback"]
