"""Ranking by meaning, and by meaning and words together."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bottega.index.refresh import Progress
from bottega.index.vectors import Embedder, VectorStore
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.query import Query
from bottega.retrieve.search.rank import Ranked, rank_bm25, rank_hybrid

# Candidates that are embedded when a question needs them; what was embedded before counts in addition.
_CANDIDATES = 64
_WIDEST, _WIDER = 50, 3
_MEANING, _WORDS = 0.7, 0.3
_RRF = 60
_LONGEST_TEXT = 1200


class Meaning:
    """Pieces by their likeness to the question."""

    def __init__(self, corpus: Corpus, embedder: Embedder, folder: Path) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self._store = VectorStore(folder, embedder.fingerprint, embedder.dimensions)
        self._hash = [file.hash for file in corpus.snapshot.files]

    def semantic(self, query: Query, limit: int, allowed: NDArray[np.bool_] | None = None) -> list[Ranked]:
        chunks = [c for c in range(self._corpus.chunks) if allowed is None or allowed[self._corpus.chunk_file[c]]]
        is_small = len(chunks) <= _CANDIDATES
        self._embed(
            chunks if is_small else [hit.chunk for hit in rank_hybrid(query, self._corpus, _CANDIDATES, allowed)]
        )
        question = self._embedder.embed([query.text[:_LONGEST_TEXT]])[0]
        found = self._store.nearest(question, [self._key(chunk) for chunk in chunks], limit)
        return [self._ranked(chunks[place], score, {"semantic": round(score, 4)}) for place, score in found]

    def semantic_rerank(self, query: Query, limit: int, allowed: NDArray[np.bool_] | None = None) -> list[Ranked]:
        """A wider pool by meaning, ordered by meaning and words together."""
        pool = self.semantic(query, max(_WIDEST, limit * _WIDER), allowed)
        words = self._corpus.chunk.scores(query.terms)
        best = max((float(words[hit.chunk]) for hit in pool), default=0.0) or 1.0
        blended = []
        for hit in pool:
            shares = {
                "semantic": round(_MEANING * hit.score, 4),
                "bm25": round(_WORDS * float(words[hit.chunk]) / best, 4),
            }
            blended.append(self._ranked(hit.chunk, sum(shares.values()), shares))
        return sorted(blended, key=lambda hit: (-hit.score, hit.chunk))[:limit]

    def fused(self, query: Query, limit: int, allowed: NDArray[np.bool_] | None = None) -> list[Ranked]:
        """Reciprocal rank fusion of the two lists."""
        widest = max(_WIDEST, limit * _WIDER)
        lists = {
            "semantic": self.semantic(query, widest, allowed),
            "bm25": rank_bm25(query, self._corpus, widest, allowed),
        }
        shares: dict[int, dict[str, float]] = {}
        for name, hits in lists.items():
            for rank, hit in enumerate(hits, 1):
                shares.setdefault(hit.chunk, {})[name] = round(1 / (_RRF + rank), 6)
        merged = [self._ranked(chunk, sum(parts.values()), parts) for chunk, parts in shares.items()]
        return sorted(merged, key=lambda hit: (-hit.score, hit.chunk))[:limit]

    def embed_all(self, progress: Progress) -> int:
        """Embed every piece that has no vector yet; return how many had none."""
        count = self._embed(range(self._corpus.chunks), progress)
        self._store.settle()
        return count

    def _embed(self, chunks: Sequence[int], progress: Progress = lambda _stage, _done, _total: None) -> int:
        keys = [self._key(chunk) for chunk in chunks]
        _, known = self._store.get(keys)
        missing = [(key, chunk) for key, chunk, has in zip(keys, chunks, known, strict=True) if not has]
        for at in range(0, len(missing), _CANDIDATES):
            some = missing[at : at + _CANDIDATES]
            rows = self._embedder.embed([self._text(chunk) for _, chunk in some])
            self._store.put([key for key, _ in some], rows)
            progress("embedding", at + len(some), len(missing))
        return len(missing)

    def _key(self, chunk: int) -> bytes:
        file = int(self._corpus.chunk_file[chunk])
        span = f"{self._corpus.chunk_first[chunk]}-{self._corpus.chunk_last[chunk]}"
        text = f"{self._corpus.paths[file]}\0{self._hash[file]}\0{span}"
        return blake2b(text.encode(), digest_size=16).digest()

    def _text(self, chunk: int) -> str:
        path = self._corpus.paths[int(self._corpus.chunk_file[chunk])]
        return f"{path}\n{self._corpus.text(chunk)}"[:_LONGEST_TEXT]

    def _ranked(self, chunk: int, score: float, shares: dict[str, float]) -> Ranked:
        return Ranked(chunk, int(self._corpus.chunk_file[chunk]), round(score, 4), shares)
