"""Meaning as numbers: embedders by name, and the vectors they made, kept by content."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from bottega.errors import InputError
from bottega.index.vectors.store import VectorStore

__all__ = ["EMBEDDERS", "Embedder", "VectorStore", "open_embedder"]

EMBEDDERS = {"minilm": "bottega.index.vectors.minilm:MiniLM"}


class Embedder(Protocol):
    """`fingerprint` changes whenever the same text would give other numbers."""

    fingerprint: str
    dimensions: int

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text."""


def open_embedder(name: str) -> Embedder:
    """Raise `InputError` for a name that is not in the table, or whose packages are not installed."""
    if name not in EMBEDDERS:
        raise InputError(f"there is no embedder {name!r}", hint=f"Embedders: {', '.join(EMBEDDERS)}.")
    module, _, attribute = EMBEDDERS[name].partition(":")
    try:
        embedder: Embedder = getattr(import_module(module), attribute)()
    except ImportError as error:
        raise InputError(
            f"the embedder {name} needs {error.name}",
            hint="`pip install 'bottega[vectors]'` brings it; --mode hybrid and bm25 work without.",
        ) from None
    return embedder
