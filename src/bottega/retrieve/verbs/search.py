"""`search`: find chunks by a name, a question or a whole issue."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from bottega.index import Freshness
from bottega.retrieve.background import embed_in_background
from bottega.retrieve.search import Hit, SearchQuery, find_excerpt
from bottega.retrieve.shared import find_symbols
from bottega.retrieve.verbs.house import KnowledgeHouse, open_reader
from bottega.source import Span, escape_breaks
from bottega.verbs import FrozenValue, Gate, Verb, VerbRequest, VerbResult

_LONGEST_LINE = 120
_TAB = 4


class SearchRequest(VerbRequest):
    """A query with its filters and mode."""

    verb: ClassVar[str] = "search"
    uses_models: ClassVar[bool] = False
    uses_index: ClassVar[bool] = True

    query: str = Field(
        description="a name, a question, or a whole issue with its traceback; at most 200,000 characters"
    )
    mode: Literal["hybrid", "bm25", "semantic", "semantic_rerank"] = Field("hybrid", description="how to rank")
    limit: int = Field(10, ge=1, le=1000, description="how many files, or symbols with `by` symbol")
    language: str = Field("", description="only files in this language")
    path: str = Field("", description="only below this folder, or paths like a pattern")
    kind: str = Field("", description="only symbols of a kind (class, function …) or code, test, docs, config")
    fusion: Literal["weighted", "rrf"] = Field("weighted", description="how hybrid joins its lists")
    by: Literal["file", "symbol"] = Field(
        "file", description="the best files with their best symbols, or symbols alone"
    )
    context: int = Field(0, ge=0, le=1000, description="lines around each line of an excerpt")
    full: bool = Field(False, description="excerpts are whole symbols")
    refresh: bool = Field(True, description="compare the index with the files first")


class ExcerptLine(FrozenValue):
    number: int
    text: str


class SearchHit(FrozenValue):
    """A symbol, or lines of a file outside of any. `signals` say what each signal added to the score.

    `file_signals` are those of the file, `purpose` is a model's description of it.
    """

    span: Span
    symbol: str
    kind: str
    node: str
    signature: str
    language: str
    score: float
    purpose: str = ""
    signals: dict[str, float] = Field(default_factory=dict)
    file_score: float = 0.0
    file_signals: dict[str, float] = Field(default_factory=dict)
    excerpt: tuple[ExcerptLine, ...] = Field((), description="the lines that say most about the query")


class SearchResult(VerbResult):
    hits: tuple[SearchHit, ...]
    freshness: Freshness
    mode: str

    @property
    def gate(self) -> Gate:
        """Failed where nothing was found, as grep tells it."""
        return "passed" if self.hits else "failed"

    @property
    def notes(self) -> tuple[str, ...]:
        if self.hits or self.mode != "hybrid":
            return (f"index: {self.freshness}",)
        return ("no file has a word of the query; `--mode semantic` ranks by meaning alone", f"index: {self.freshness}")

    def render(self, form: str = "text", *, explain: bool = False, is_brief: bool = False) -> str:
        """`is_brief` shows no lines of the further symbols of a file, but for the first file."""
        del form
        first = self.hits[0].span.path if self.hits else ""
        shown: list[str] = []
        path = ""
        for hit in self.hits:
            is_further = hit.span.path == path != first
            shown.append(_render_hit(hit, explain=explain, has_lines=not (is_brief and is_further)))
            path = hit.span.path
        return "".join(shown) or "nothing found\n"


def search(request: SearchRequest, house: KnowledgeHouse) -> SearchResult:
    """Search the repository. Raise `InputError` for a query without words or an unknown filter."""
    with open_reader(house, refresh=request.refresh) as reader:
        query = SearchQuery(
            request.query,
            request.mode,
            request.limit,
            request.language,
            request.path,
            request.kind,
            request.fusion,
            request.by,
        )
        found = find_symbols(reader, query)
        if reader.is_current and request.mode != "bm25":
            embed_in_background(house, reader)
        hits = tuple(_describe(hit, house, request) for hit in found.hits)
    return SearchResult(hits=hits, freshness=found.freshness, mode=found.mode)


def _describe(hit: Hit, house: KnowledgeHouse, request: SearchRequest) -> SearchHit:
    lines = find_excerpt(house.knowledge.root, hit, request.query, context=request.context, full=request.full)
    return SearchHit(
        span=hit.span,
        symbol=hit.symbol,
        kind=hit.kind,
        node=hit.node,
        signature=hit.signature,
        language=hit.language,
        score=hit.score,
        purpose=hit.purpose,
        signals=dict(hit.shares),
        file_score=hit.file_score,
        file_signals=dict(hit.file_shares),
        excerpt=tuple(ExcerptLine(number=number, text=text) for number, text in lines),
    )


def _render_hit(hit: SearchHit, *, explain: bool, has_lines: bool) -> str:
    name = f"  {hit.symbol} ({hit.kind})" if hit.symbol else ""
    lines = [f"{hit.span.path}:{hit.span.first}-{hit.span.last}{name}"]
    if hit.purpose:
        lines.append(f"        {hit.purpose[:_LONGEST_LINE]}")
    lines += [
        f"  {line.number:>5} {line.text.expandtabs(_TAB)[:_LONGEST_LINE]}"
        for line in (hit.excerpt if has_lines else ())
    ]
    if explain:
        lines.append(f"        {hit.score:g} = {_render_signals(hit.signals)}")
        if hit.file_signals:
            lines.append(f"        file {hit.file_score:g} = {_render_signals(hit.file_signals)}")
    return "".join(escape_breaks(line) + "\n" for line in lines)


def _render_signals(signals: Mapping[str, float]) -> str:
    return " ".join(f"{name} {share:+g}" for name, share in sorted(signals.items(), key=lambda item: -abs(item[1])))


SEARCH = Verb(SearchRequest, SearchResult, search)
