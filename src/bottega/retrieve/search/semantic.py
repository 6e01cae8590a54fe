"""Rank by vectors, and by vectors and words together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bottega.index import (
    NO_VECTOR,
    Embedder,
    FileChunks,
    Progress,
    VectorStore,
    embed_files,
    embed_in_workers,
    path_names,
)
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.postings import Floats
from bottega.retrieve.search.query import ParsedQuery
from bottega.retrieve.search.rank import RankedChunk, rank_bm25, rank_hybrid

# Chunks that are embedded during a query, in addition to those that have a vector.
_CANDIDATES = 64
_WIDEST, _WIDER = 50, 3
_MEANING, _WORDS = 0.7, 0.3
_RRF = 60
# With more chunks than this, only those that contain words of the query are compared.
_MOST_COMPARED = 200_000


class SemanticSearch:
    """Ranks chunks by the similarity of their vectors to the query."""

    def __init__(self, corpus: Corpus, embedder: Embedder, folder: Path) -> None:
        self._corpus = corpus
        self._embedder = embedder
        self._store = VectorStore(folder, embedder.fingerprint, embedder.dimensions)
        self._rows_at: tuple[tuple[int, int], NDArray[np.int64]] | None = None

    def similarity(self, query: ParsedQuery) -> Floats | None:
        """The similarity of every chunk to the query, 0 without a vector; `None` when no chunk has one."""
        rows = self._rows
        if self._corpus.chunks > _MOST_COMPARED:
            rows = np.where(self._corpus.chunk.scores(query.terms) > 0, rows, NO_VECTOR)
        if not (rows >= 0).any():
            return None
        return self._store.similarity(self._embed_query(query), rows)

    def rank(self, query: ParsedQuery, limit: int, allowed: NDArray[np.bool_] | None = None) -> list[RankedChunk]:
        self._embed_candidates(query, allowed)
        rows = self._rows if allowed is None else np.where(allowed[self._corpus.chunk_file], self._rows, NO_VECTOR)
        found = self._store.find_nearest(self._embed_query(query), rows, limit)
        return [self._build_ranked(chunk, score, {"semantic": round(score, 4)}) for chunk, score in found]

    def rerank(self, query: ParsedQuery, limit: int, allowed: NDArray[np.bool_] | None = None) -> list[RankedChunk]:
        """Take more candidates by similarity and order them by similarity and BM25."""
        pool = self.rank(query, max(_WIDEST, limit * _WIDER), allowed)
        words = self._corpus.chunk.scores(query.terms)
        best = max((float(words[hit.chunk]) for hit in pool), default=0.0) or 1.0
        blended = []
        for hit in pool:
            shares = {
                "semantic": round(_MEANING * hit.score, 4),
                "bm25": round(_WORDS * float(words[hit.chunk]) / best, 4),
            }
            blended.append(self._build_ranked(hit.chunk, sum(shares.values()), shares))
        return sorted(blended, key=lambda hit: (-hit.score, hit.chunk))[:limit]

    def rank_fused(self, query: ParsedQuery, limit: int, allowed: NDArray[np.bool_] | None = None) -> list[RankedChunk]:
        """Reciprocal rank fusion of both rankings."""
        widest = max(_WIDEST, limit * _WIDER)
        lists = {
            "semantic": self.rank(query, widest, allowed),
            "bm25": rank_bm25(query, self._corpus, widest, allowed),
        }
        shares: dict[int, dict[str, float]] = {}
        for name, hits in lists.items():
            for rank, hit in enumerate(hits, 1):
                shares.setdefault(hit.chunk, {})[name] = round(1 / (_RRF + rank), 6)
        merged = [self._build_ranked(chunk, sum(parts.values()), parts) for chunk, parts in shares.items()]
        return sorted(merged, key=lambda hit: (-hit.score, hit.chunk))[:limit]

    @property
    def missing(self) -> list[int]:
        """Files with chunks without a vector."""
        without = np.zeros(self._corpus.size, bool)
        without[self._corpus.chunk_file[self._rows < 0]] = True
        return [int(file) for file in np.flatnonzero(without)]

    def embed_all(self, progress: Progress, workers: int = 0) -> int | None:
        """Embed every chunk without a vector; return how many had none, `None` when another process is embedding."""
        lock = self._store.claim()
        if lock is None:
            return None
        try:
            files = [self._build_file_chunks(file) for file in self.missing]
            total = sum(len(file.spans) for file in files)
            done = 0
            for batch in embed_in_workers(self._corpus.snapshot.root, files, workers) if files else ():
                self._put(batch)
                done += sum(len(file.spans) for file, _ in batch)
                progress("embedding", done, total)
            self._store.build_graph()
            return total
        finally:
            lock.release()

    def _embed_query(self, query: ParsedQuery) -> NDArray[np.float32]:
        """The query as a vector; the title of a long one counts as much as all of it."""
        whole = self._embedder.embed_query(query.text)
        if not query.is_long:
            return whole
        both = whole + self._embedder.embed_query(query.title)
        return both / np.float32(max(float(np.linalg.norm(both)), 1e-6))

    def _embed_candidates(self, query: ParsedQuery, allowed: NDArray[np.bool_] | None) -> None:
        """Embed the best candidates of BM25 and names while some chunks have no vector."""
        without = set(self.missing)
        if not without:
            return
        if self._corpus.chunks <= _CANDIDATES:
            chosen: Sequence[int] = sorted(without)
        else:
            hits = rank_hybrid(query, self._corpus, _CANDIDATES, allowed)
            chosen = list(dict.fromkeys(hit.file for hit in hits if hit.file in without))
        files: list[FileChunks] = []
        for file in chosen:
            if sum(len(each.spans) for each in files) >= _CANDIDATES:
                break
            files.append(self._build_file_chunks(file))
        rows = embed_files(self._corpus.snapshot.root, files, self._embedder)
        self._put(list(zip(files, rows, strict=True)))

    def _put(self, embedded: Sequence[tuple[FileChunks, NDArray[np.float32] | None]]) -> None:
        """Keep vectors, except those of files that have changed meanwhile."""
        known = [(file.keys, vectors) for file, vectors in embedded if vectors is not None]
        keys = np.array([key for some, _ in known for key in some], np.int64)
        if len(keys):
            self._store.put(keys, np.concatenate([vectors for _, vectors in known]))

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        """The key of each chunk's vector: a hash of its text and of the path names that are embedded with it."""
        paths = [path_names(path).encode("utf-8", "surrogateescape") for path in self._corpus.paths]
        named = np.frombuffer(b"".join(blake2b(path, digest_size=8).digest() for path in paths), "<i8")
        keys: NDArray[np.int64] = self._corpus.chunk_hash ^ named[self._corpus.chunk_file]
        return keys

    @property
    def _rows(self) -> NDArray[np.int64]:
        """The row of every chunk's vector; read again when another process has added vectors."""
        stamp = self._store.stamp
        known = self._rows_at
        if known is None or known[0] != stamp:
            known = self._rows_at = stamp, self._store.find(self._keys)
        return known[1]

    def _build_file_chunks(self, file: int) -> FileChunks:
        """The chunks of a file that have no vector."""
        corpus = self._corpus
        low, high = np.searchsorted(corpus.chunk_file, [file, file + 1])
        chunks = low + np.flatnonzero(self._rows[low:high] < 0)
        spans = zip(corpus.chunk_first[chunks].tolist(), corpus.chunk_last[chunks].tolist(), strict=True)
        entry = corpus.snapshot.files[file]
        return FileChunks(entry.path, entry.hash, tuple(self._keys[chunks].tolist()), tuple(spans))

    def _build_ranked(self, chunk: int, score: float, shares: dict[str, float]) -> RankedChunk:
        return RankedChunk(chunk, int(self._corpus.chunk_file[chunk]), round(score, 4), shares)
