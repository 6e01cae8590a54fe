"""The embedder, and a store of its vectors by content."""

from __future__ import annotations

from bottega.index.vectors.embedder import Embedder, open_embedder
from bottega.index.vectors.store import NO_VECTOR, VectorStore

__all__ = ["NO_VECTOR", "Embedder", "VectorStore", "open_embedder"]
