"""Meaning as numbers: the embedder, and the vectors it made, kept by content."""

from __future__ import annotations

from bottega.index.vectors.embedder import Embedder, open_embedder
from bottega.index.vectors.store import UNKNOWN, VectorStore

__all__ = ["UNKNOWN", "Embedder", "VectorStore", "open_embedder"]
