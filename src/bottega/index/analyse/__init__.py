"""One file's text into what the knowledge base keeps of it: a pure function, run in a worker process."""

from __future__ import annotations

from bottega.index.analyse.file import VERSION, analyse
from bottega.index.analyse.values import (
    NOBODY,
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
    "analyse",
]
