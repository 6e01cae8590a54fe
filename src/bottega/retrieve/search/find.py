"""Search one snapshot of the index: a query in, the best chunks out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bottega.errors import InputError
from bottega.index import (
    Progress,
    Snapshot,
    SymbolRow,
    file_key,
    guard_arrays,
    kind_weight,
    open_embedder,
)
from bottega.retrieve.paths import check_path, is_at
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.hits import Hit, SearchHits, SearchQuery
from bottega.retrieve.search.query import ParsedQuery
from bottega.retrieve.search.rank import (
    RankedChunk,
    ScoredFiles,
    has_words,
    rank_bm25,
    rank_hybrid,
    score_files,
    select_files,
)
from bottega.retrieve.search.semantic import SemanticSearch
from bottega.retrieve.search.symbols import RankedSymbol, group_by_file, rank_symbols, read_traceback
from bottega.source import Span, language_named
from bottega.source.roles import RANKED
from bottega.source.words import terms_of

# With a kind of symbol, so many times more chunks are ranked: few contain one.
_WIDER = 8
# Files whose symbols are ranked.
_RANKED_FILES = 12
# Further files, with what the failing lines of a traceback call.
_CALLED_FILES = 3
# The vector of a sentence is near to what it means; that of a word or two that nobody has written is near to anything.
_WORDS_OF_A_SENTENCE = 3

Ranker = Callable[[ParsedQuery, int, NDArray[np.bool_] | None], list[RankedChunk]]


class Searcher:
    """Opened once for many queries of one snapshot; threads may share it. With `by_meaning`, hybrid uses vectors."""

    def __init__(self, snapshot: Snapshot, *, is_current: bool = False, folder: Path, by_meaning: bool = True) -> None:
        self._snapshot = snapshot
        self._folder = folder
        self._corpus = Corpus(snapshot)
        self._base = snapshot.base
        self._is_current = is_current
        self._by_meaning = by_meaning

    def search(self, query: SearchQuery) -> SearchHits:
        hits = self.hits(query)
        return SearchHits(hits, self._snapshot.freshness(is_current=self._is_current), query.mode)

    def hits(self, query: SearchQuery) -> tuple[Hit, ...]:
        """Raise `InputError` for a query without words, an unknown mode, language or kind."""
        parsed = query.parse()
        self._check_kind(query.kind)
        allowed = self._filter_files(query)
        kind = query.kind if query.kind and query.kind not in RANKED else ""
        limit = query.limit * _WIDER if kind else query.limit
        with guard_arrays(self._snapshot):
            ranked = self._choose_ranker(query)(parsed, limit, allowed)
            hits = [self._build_hit(chunk, parsed) for chunk in ranked]
        if kind:
            hits = [inner for hit in hits for inner in self._expand_to_kind(hit, kind, parsed)]
        return tuple(hits[: query.limit])

    def find_symbols(self, query: SearchQuery) -> tuple[Hit, ...]:
        """Symbols of the best files: `limit` files with the best symbols of each, or the `limit` best symbols.

        Modes other than the weighted hybrid rank chunks. Raise as `hits` does.
        """
        if (query.mode, query.fusion) != ("hybrid", "weighted"):
            return self.hits(query)
        parsed = query.parse()
        self._check_kind(query.kind)
        kind = query.kind if query.kind not in RANKED else ""
        with guard_arrays(self._snapshot):
            scored = self.score_files(parsed)
            if is_unknown(parsed, scored):
                return ()
            most = max(_RANKED_FILES, query.limit if query.by == "file" else 0) * (_WIDER if kind else 1)
            allowed = self._filter_files(query)
            files = select_files(scored, self._corpus, most, allowed)
            traceback = read_traceback(parsed, self._corpus)
            called = [file for file in traceback.called_files if allowed is None or allowed[file]]
            files = list(dict.fromkeys([*files, *called[:_CALLED_FILES]]))
            ranked = rank_symbols(parsed, self._corpus, scored, files, traceback)
            if kind:
                ranked = [unit for unit in ranked if unit.symbol is not None and unit.symbol.kind == kind]
            if kind and not ranked:
                return self.hits(query)  # fields and other small definitions are no units
            if query.by == "file":
                with_units = {unit.file for unit in ranked}
                ranked = group_by_file(ranked, [file for file in files if file in with_units][: query.limit])
            else:
                ranked = ranked[: query.limit]
            return tuple(self._build_symbol_hit(unit, scored) for unit in ranked)

    @property
    def corpus(self) -> Corpus:
        return self._corpus

    def score_files(self, parsed: ParsedQuery) -> ScoredFiles:
        """Score every file by all signals; similarity of meaning is one of them unless `by_meaning` is off."""
        similarity = self._semantic.similarity(parsed) if self._by_meaning else None
        return score_files(parsed, self._corpus, similarity)

    def _build_symbol_hit(self, unit: RankedSymbol, scored: ScoredFiles) -> Hit:
        file = self._snapshot.files[unit.file]
        symbol = unit.symbol or (self._base.get_symbol_at(file.path, unit.line) if unit.line else None)
        return Hit(
            span=symbol.span if symbol else self._find_best_chunk(unit.file, scored),
            symbol=symbol.qualified if symbol else "",
            kind=symbol.kind if symbol else "file",
            node=symbol.node if symbol else file_key(file.language, file.path),
            signature=symbol.signature if symbol else "",
            language=file.language,
            score=unit.score,
            shares=unit.explain(),
            purpose=self._corpus.purposes.get(unit.file, ""),
            file_score=round(float(scored.total[unit.file]), 4),
            file_shares=scored.shares(unit.file),
        )

    def _find_best_chunk(self, file: int, scored: ScoredFiles) -> Span:
        """The chunk to show of the lines that belong to no symbol."""
        corpus = self._corpus
        low, high = np.searchsorted(corpus.chunk_file, [file, file + 1])
        if high == low:
            return Span(corpus.paths[file], 1, max(1, self._snapshot.files[file].lines))
        best = int(low) + int(np.argmax(scored.signals.mix[low:high]))
        return Span(corpus.paths[file], int(corpus.chunk_first[best]), int(corpus.chunk_last[best]))

    def embed_all(self, progress: Progress = lambda _stage, _done, _total: None, workers: int = 0) -> int | None:
        """Embed every chunk without a vector; return how many had none, `None` when another process is embedding."""
        return self._semantic.embed_all(progress, workers)

    def lacks_vectors(self) -> bool:
        return bool(self._semantic.missing)

    def _check_kind(self, kind: str) -> None:
        if not kind or kind in RANKED:
            return
        known = sorted({*RANKED, *self._base.get_symbol_kinds()})
        if kind not in known:
            raise InputError(f"nothing here is of the kind {kind!r}", hint=f"Kinds: {', '.join(known)}.")

    def _choose_ranker(self, query: SearchQuery) -> Ranker:
        if query.mode == "hybrid" and query.fusion == "weighted":
            return lambda parsed, limit, allowed: rank_hybrid(
                parsed, self._corpus, limit, allowed, self._semantic.similarity(parsed) if self._by_meaning else None
            )
        if query.mode == "bm25":
            return lambda parsed, limit, allowed: rank_bm25(parsed, self._corpus, limit, allowed)
        return {
            "hybrid": self._semantic.rank_fused,
            "semantic": self._semantic.rank,
            "semantic_rerank": self._semantic.rerank,
        }[query.mode]

    @cached_property
    def _semantic(self) -> SemanticSearch:
        return SemanticSearch(self._corpus, open_embedder(), self._folder)

    def _build_hit(self, ranked: RankedChunk, query: ParsedQuery) -> Hit:
        corpus, file = self._corpus, self._snapshot.files[ranked.file]
        first, last = int(corpus.chunk_first[ranked.chunk]), int(corpus.chunk_last[ranked.chunk])
        symbol = self._choose_symbol(file.id, int(corpus.chunk_symbol[ranked.chunk]), first, last, query)
        return Hit(
            span=Span(file.path, first, last),
            symbol=symbol.qualified if symbol else "",
            kind=symbol.kind if symbol else "file",
            node=symbol.node if symbol else file_key(file.language, file.path),
            signature=symbol.signature if symbol else "",
            language=file.language,
            score=ranked.score,
            shares=ranked.shares,
            purpose=corpus.purposes.get(ranked.file, ""),
        )

    def _choose_symbol(self, file_id: int, ordinal: int, first: int, last: int, query: ParsedQuery) -> SymbolRow | None:
        """The symbol of a hit: a definition in the chunk that the query names, else that which the chunk belongs to."""
        symbols = self._base.get_symbols_for_file(file_id)
        inside = [symbol for symbol in symbols if first <= symbol.first <= last]
        named = [symbol for symbol in inside if symbol.name in query.words]
        spelt = [symbol for symbol in named if "." in symbol.qualified and symbol.qualified in query.text]
        named = spelt or named
        own = symbols[ordinal] if 0 <= ordinal < len(symbols) else None
        if not named and own is not None and kind_weight(own.kind) == 1:  # prefer functions and types to values
            named = [symbol for symbol in inside if kind_weight(symbol.kind) > 1]
        return max(named, key=lambda symbol: kind_weight(symbol.kind), default=own)

    def _expand_to_kind(self, hit: Hit, kind: str, query: ParsedQuery) -> Sequence[Hit]:
        """Replace a hit by its symbols of one kind, first those that the query names."""
        file = self._base.get_file_by_path(hit.span.path)
        if file is None:
            return []
        inside = [
            symbol
            for symbol in self._base.get_symbols_for_file(file.id, kind)
            if hit.span.first <= symbol.first <= hit.span.last
        ]
        return [
            replace(hit, span=s.span, symbol=s.qualified, kind=s.kind, node=s.node, signature=s.signature)
            for s in sorted(inside, key=lambda s: (-_count_shared_words(s, query), s.first))
        ]

    def _filter_files(self, query: SearchQuery) -> NDArray[np.bool_] | None:
        """Which files pass the filters; `None` without filters. Raise `InputError` for a path that matches no file."""
        if not (query.language or query.path or query.kind in RANKED):
            return None
        language = _find_language(query.language)
        check_path(query.path, self._corpus.paths)
        role = query.kind if query.kind in RANKED else ""
        return np.array(
            [
                (not language or file.language == language)
                and (not role or file.role == role)
                and (not query.path or is_at(file.path, query.path))
                for file in self._snapshot.files
            ],
            bool,
        )


def is_unknown(query: ParsedQuery, scored: ScoredFiles) -> bool:
    """Whether a query of one or two words has none that any file has: its meaning alone says nothing."""
    return len(query.telling_words) < _WORDS_OF_A_SENTENCE and not has_words(scored)


def _count_shared_words(symbol: SymbolRow, query: ParsedQuery) -> int:
    """How many words a symbol's name shares with the query; more if the query contains the name itself."""
    shared = len(query.terms.keys() & set(terms_of(symbol.name)))
    return shared + len(terms_of(symbol.name)) if symbol.name in query.words else shared


def _find_language(name: str) -> str:
    if not name:
        return ""
    language = language_named(name)
    if language is None:
        raise InputError(
            f"{name!r} is not a language known here", hint="`bottega stats` lists those of the repository."
        )
    return language.name
