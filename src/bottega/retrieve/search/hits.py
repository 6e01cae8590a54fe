"""Search queries and hits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bottega.amounts import plural
from bottega.errors import InputError
from bottega.index import Freshness
from bottega.retrieve.search.query import ParsedQuery
from bottega.source import Span
from bottega.source.secrets import mask_secrets
from bottega.source.text import read_text
from bottega.source.words import identifiers, terms_of

MODES = ("hybrid", "bm25", "semantic", "semantic_rerank")
FUSIONS = ("weighted", "rrf")
_LONGEST_QUERY = 200_000


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What to look for, and where. `kind` is a kind of symbol or a role of files; `by` orders by file or by symbol."""

    text: str
    mode: str = "hybrid"
    limit: int = 10
    language: str = ""
    path: str = ""
    kind: str = ""
    fusion: str = "weighted"
    by: str = "file"

    def parse(self) -> ParsedQuery:
        """Raise `InputError` for a query that is empty, too long or without words, and for an unknown mode."""
        text = self.text.strip()
        if not text:
            raise InputError("there is nothing to search for", hint="Write a question, a name, or paste an issue.")
        if len(text) > _LONGEST_QUERY:
            raise InputError(
                f"the query has {plural(len(text), 'character')}; at most {_LONGEST_QUERY:,} are read", hint="Cut it."
            )
        if self.mode not in MODES:
            raise InputError(f"there is no mode {self.mode!r}", hint=f"Modes: {', '.join(MODES)}.")
        if self.fusion not in FUSIONS:
            raise InputError(f"there is no fusion {self.fusion!r}", hint=f"Fusions: {', '.join(FUSIONS)}.")
        parsed = ParsedQuery(text)
        if not parsed.words:
            raise InputError("there are no words in the query", hint="Write a question, a name, or paste an issue.")
        return parsed


@dataclass(frozen=True, slots=True)
class Hit:
    """A symbol or a chunk that was found. `shares` is what each signal added to the score.

    `file_shares` is what each signal added to the score of its file, `purpose` a model's description of the file.
    """

    span: Span
    symbol: str
    kind: str
    node: str
    signature: str
    language: str
    score: float
    shares: Mapping[str, float] = field(default_factory=dict)
    purpose: str = ""
    file_score: float = 0.0
    file_shares: Mapping[str, float] = field(default_factory=dict)

    def as_json(self, *, explain: bool) -> dict[str, Any]:
        shown: dict[str, Any] = {
            "path": self.span.path,
            "start_line": self.span.first,
            "end_line": self.span.last,
            "symbol": self.symbol,
            "kind": self.kind,
            "node": self.node,
            "signature": self.signature,
            "language": self.language,
            "score": self.score,
        }
        if explain:
            shown["shares"] = dict(self.shares)
        return {**shown, "purpose": self.purpose}


@dataclass(frozen=True, slots=True)
class SearchHits:
    hits: tuple[Hit, ...]
    freshness: Freshness
    mode: str


def find_excerpt(
    root: Path, hit: Hit, query: str, lines: int = 3, *, context: int = 0, full: bool = False
) -> list[tuple[int, str]]:
    """The first line of a hit and those that share most words with the query, with line numbers; secrets are masked.

    `context` adds lines around each, `full` takes all lines of the hit.
    """
    try:
        content = read_text(root / hit.span.path, below=root) or ""
        text = mask_secrets(content, path=hit.span.path).split("\n")
    except OSError:
        return []
    inside = range(hit.span.first, min(hit.span.last, len(text)) + 1)
    chosen = set(inside) if full else _choose_lines(text, inside, query, lines)
    around = {other for number in chosen for other in range(number - context, number + context + 1)}
    return [(number, text[number - 1].rstrip("\r")) for number in sorted(around) if 0 < number <= len(text)]


def _choose_lines(text: Sequence[str], inside: range, query: str, lines: int) -> set[int]:
    wanted = set(ParsedQuery(query).terms)
    scored = []
    for number in inside:
        terms = {term for word in identifiers(text[number - 1]) for term in terms_of(word)}
        if text[number - 1].strip():
            is_first = number == inside.start
            scored.append((not is_first, -len(terms & wanted), number))
    return {number for _, _, number in sorted(scored)[:lines]}
