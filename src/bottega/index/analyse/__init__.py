"""Analyse one file's text: a pure function that runs in a worker process."""

from __future__ import annotations

from bottega.index.analyse.values import (
    NOBODY,
    VERSION,
    Analysis,
    Chunk,
    Comment,
    Depth,
    Docstring,
    Grams,
    Import,
    Reference,
    Symbol,
)

__all__ = [
    "NOBODY",
    "VERSION",
    "Analysis",
    "Chunk",
    "Comment",
    "Depth",
    "Docstring",
    "Grams",
    "Import",
    "Reference",
    "Symbol",
]
