"""The verb: a question in, places out, with how fresh they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bottega.errors import InputError
from bottega.index.analyse.definitions import kind_weight
from bottega.index.classify import RANKED
from bottega.index.decode import decode
from bottega.index.freshness import Freshness, freshness
from bottega.index.knowledge import KnowledgeBase, SymbolRow
from bottega.index.refresh import Progress
from bottega.index.rows import file_key
from bottega.index.segments.container import trusting_arrays
from bottega.index.snapshot import Snapshot
from bottega.index.vectors import open_embedder
from bottega.index.words import identifiers, terms_of
from bottega.index.worker import read
from bottega.retrieve.search.corpus import Corpus
from bottega.retrieve.search.query import Query
from bottega.retrieve.search.rank import Ranked, rank_bm25, rank_hybrid
from bottega.retrieve.search.semantic import Meaning
from bottega.source import language_named
from bottega.source.secrets import mask_secrets

MODES = ("hybrid", "bm25", "semantic", "semantic_rerank")
FUSIONS = ("weighted", "rrf")
_LONGEST_QUERY = 200_000
_WIDER = 8


@dataclass(frozen=True, slots=True)
class Order:
    """What to look for, and where. `kind` is a kind of symbol or a role of files."""

    text: str
    mode: str = "hybrid"
    limit: int = 10
    language: str = ""
    path: str = ""
    kind: str = ""
    fusion: str = "weighted"


@dataclass(frozen=True, slots=True)
class Hit:
    path: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    node: str
    signature: str
    language: str
    score: float
    shares: Mapping[str, float] = field(default_factory=dict)
    purpose: str = ""

    def as_json(self, *, explain: bool) -> dict[str, Any]:
        shown = asdict(self)
        if not explain:
            del shown["shares"]
        return shown


@dataclass(frozen=True, slots=True)
class Found:
    hits: tuple[Hit, ...]
    freshness: Freshness
    mode: str


class Searcher:
    """Opened once for many questions about one state of the index; `by_meaning` is whether hybrid looks at vectors."""

    def __init__(self, snapshot: Snapshot, *, is_current: bool, folder: Path, by_meaning: bool = True) -> None:
        self._snapshot = snapshot
        self._folder = folder
        self._corpus = Corpus(snapshot)
        self._base = KnowledgeBase(snapshot.connection)
        self._is_current = is_current
        self._by_meaning = by_meaning

    def search(self, order: Order) -> Found:
        """Raise `InputError` for a question without words, an unknown mode, language or kind."""
        query = Query(_checked(order))
        if not query.words:
            raise InputError("there are no words in the question", hint="Write a question, a name, or paste an issue.")
        self._check_kind(order.kind)
        allowed = self._allowed(order)
        kind = order.kind if order.kind and order.kind not in RANKED else ""
        limit = order.limit * _WIDER if kind else order.limit
        with trusting_arrays():
            ranked = self._ranker(order)(query, limit, allowed)
            hits = [self._hit(found, query) for found in ranked]
        if kind:
            hits = [inner for hit in hits for inner in self._of_kind(hit, kind, query)]
        fresh = freshness(self._snapshot.connection, is_current=self._is_current)
        return Found(tuple(hits[: order.limit]), fresh, order.mode)

    def _check_kind(self, kind: str) -> None:
        if not kind or kind in RANKED:
            return
        known = sorted({*RANKED, *self._base.get_symbol_kinds()})
        if kind not in known:
            raise InputError(f"nothing here is of the kind {kind!r}", hint=f"Kinds: {', '.join(known)}.")

    def _ranker(self, order: Order) -> Callable[[Query, int, NDArray[np.bool_] | None], list[Ranked]]:
        if order.mode == "hybrid" and order.fusion == "weighted":
            return lambda query, limit, allowed: rank_hybrid(
                query, self._corpus, limit, allowed, self._meaning.likeness(query) if self._by_meaning else None
            )
        if order.mode == "bm25":
            return lambda query, limit, allowed: rank_bm25(query, self._corpus, limit, allowed)
        return {
            "hybrid": self._meaning.fused,
            "semantic": self._meaning.semantic,
            "semantic_rerank": self._meaning.semantic_rerank,
        }[order.mode]

    def embed_all(self, progress: Progress = lambda _stage, _done, _total: None, workers: int = 0) -> int | None:
        """Have a vector for every piece; return how many had none, `None` when another process is at it."""
        return self._meaning.embed_all(progress, workers)

    def lacks_vectors(self) -> bool:
        return bool(self._meaning.missing)

    @cached_property
    def _meaning(self) -> Meaning:
        return Meaning(self._corpus, open_embedder(), self._folder)

    def _hit(self, found: Ranked, query: Query) -> Hit:
        corpus, file = self._corpus, self._snapshot.files[found.file]
        first, last = int(corpus.chunk_first[found.chunk]), int(corpus.chunk_last[found.chunk])
        symbol = self._symbol(file.id, int(corpus.chunk_symbol[found.chunk]), first, last, query)
        return Hit(
            path=file.path,
            start_line=first,
            end_line=last,
            symbol=symbol.qualified if symbol else "",
            kind=symbol.kind if symbol else "file",
            node=symbol.node if symbol else file_key(file.language, file.path),
            signature=symbol.signature if symbol else "",
            language=file.language,
            score=found.score,
            shares=found.shares,
            purpose=corpus.purposes.get(found.file, ""),
        )

    def _symbol(self, file_id: int, ordinal: int, first: int, last: int, query: Query) -> SymbolRow | None:
        """What a piece is called by: a definition in it that the question names, else the one it belongs to."""
        symbols = self._base.get_symbols_for_file(file_id)
        inside = [symbol for symbol in symbols if first <= symbol.first <= last]
        named = [symbol for symbol in inside if symbol.name in query.words]
        spelt = [symbol for symbol in named if "." in symbol.qualified and symbol.qualified in query.text]
        named = spelt or named
        own = symbols[ordinal] if 0 <= ordinal < len(symbols) else None
        if not named and own is not None and kind_weight(own.kind) == 1:  # a value says less than what follows it
            named = [symbol for symbol in inside if kind_weight(symbol.kind) > 1]
        return max(named, key=lambda symbol: kind_weight(symbol.kind), default=own)

    def _of_kind(self, hit: Hit, kind: str, query: Query) -> Sequence[Hit]:
        """Symbols of one kind inside a hit, each as a hit of its own; first those that the question names."""
        file = self._base.get_file_by_path(hit.path)
        if file is None:
            return []
        inside = [
            symbol
            for symbol in self._base.get_symbols_for_file(file.id, kind)
            if hit.start_line <= symbol.first <= hit.end_line
        ]
        return [
            Hit(
                *(hit.path, s.first, s.last, s.qualified, s.kind, s.node, s.signature, hit.language),
                *(hit.score, hit.shares, hit.purpose),
            )
            for s in sorted(inside, key=lambda s: (-_named(s, query), s.first))
        ]

    def _allowed(self, order: Order) -> NDArray[np.bool_] | None:
        files = self._snapshot.files
        if not (order.language or order.path or order.kind in RANKED):
            return None
        language = _language(order.language)
        role = order.kind if order.kind in RANKED else ""
        return np.array(
            [
                (not language or file.language == language)
                and (not role or file.role == role)
                and (not order.path or _is_at(file.path, order.path))
                for file in files
            ],
            bool,
        )


def excerpt(root: Path, hit: Hit, query: str, lines: int = 3) -> list[tuple[int, str]]:
    """The lines of a hit that say most about the question, by their number; secrets are masked."""
    wanted = set(Query(query).terms)
    try:
        content = decode(read(root / hit.path, below=root)) or ""
        text = mask_secrets(content, path=hit.path).split("\n")
    except OSError:
        return []
    scored = []
    for number in range(hit.start_line, min(hit.end_line, len(text)) + 1):
        terms = {term for word in identifiers(text[number - 1]) for term in terms_of(word)}
        if text[number - 1].strip():
            scored.append((-len(terms & wanted), number))
    chosen = sorted(number for _, number in sorted(scored)[:lines])
    return [(number, text[number - 1].rstrip("\r")) for number in chosen]


def _checked(order: Order) -> str:
    text = order.text.strip()
    if not text:
        raise InputError("there is nothing to search for", hint="Write a question, a name, or paste an issue.")
    if len(text) > _LONGEST_QUERY:
        raise InputError(f"the question has {len(text)} characters; at most {_LONGEST_QUERY} are read", hint="Cut it.")
    if order.mode not in MODES:
        raise InputError(f"there is no mode {order.mode!r}", hint=f"Modes: {', '.join(MODES)}.")
    if order.fusion not in FUSIONS:
        raise InputError(f"there is no fusion {order.fusion!r}", hint=f"Fusions: {', '.join(FUSIONS)}.")
    return text


def _named(symbol: SymbolRow, query: Query) -> int:
    """How much of a symbol's name stands in the question; the name itself counts most."""
    shared = len(query.terms.keys() & set(terms_of(symbol.name)))
    return shared + len(terms_of(symbol.name)) if symbol.name in query.words else shared


def _language(name: str) -> str:
    if not name:
        return ""
    language = language_named(name)
    if language is None:
        raise InputError(
            f"{name!r} is not a language known here", hint="`bottega stats` lists those of the repository."
        )
    return language.name


def _is_at(path: str, wanted: str) -> bool:
    """Below a folder, the file itself, or a pattern."""
    wanted = wanted.removeprefix("./").rstrip("/")
    return path == wanted or path.startswith(f"{wanted}/") or fnmatchcase(path, wanted)
