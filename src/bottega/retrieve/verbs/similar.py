"""`similar`: find clones of a symbol or of some lines, and code like it."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from bottega.index import Freshness
from bottega.retrieve.similar import SimilarCode, find_similar
from bottega.retrieve.verbs.house import KnowledgeHouse, open_reader
from bottega.retrieve.verbs.location import find_spans
from bottega.source import Span, escape_breaks
from bottega.verbs import FrozenValue, Gate, Verb, VerbRequest, VerbResult


class SimilarRequest(VerbRequest):
    """Code whose like is wanted."""

    verb: ClassVar[str] = "similar"
    uses_models: ClassVar[bool] = False
    uses_index: ClassVar[bool] = True

    what: str = Field(description="a node key, a name, a path, path:line for the symbol there, or path:first-last")
    limit: int = Field(10, ge=1, le=1000, description="how many at the most for each place")
    clones: bool = Field(False, description="only clones and code of the same shape")
    refresh: bool = Field(True, description="compare the index with the files first")


class SimilarHit(FrozenValue):
    """A symbol; `lines` is the share of lines that are the same, `shape` that of lines the same but for names."""

    span: Span
    symbol: str
    kind: str
    node: str
    language: str
    kinship: Literal["clone", "same shape", "like"]
    lines: float
    shape: float
    words: float


class SimilarTo(FrozenValue):
    """A place that was asked for, with what is like it, the nearest first."""

    span: Span
    hits: tuple[SimilarHit, ...]


class SimilarResult(VerbResult):
    places: tuple[SimilarTo, ...]
    freshness: Freshness

    @property
    def gate(self) -> Gate:
        """Failed where nothing was found, as that of `search`."""
        return "passed" if any(place.hits for place in self.places) else "failed"

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"index: {self.freshness}",)

    def render(self, form: str = "text") -> str:
        del form
        parts = []
        for place in self.places:
            parts.append(f"{place.span}\n")
            parts += [escape_breaks(_render_hit(hit)) + "\n" for hit in place.hits] or ["  nothing like it\n"]
        return "".join(parts)


def search_similar(request: SimilarRequest, house: KnowledgeHouse) -> SimilarResult:
    """Raise `InputError` when nothing is at the place."""
    with open_reader(house, refresh=request.refresh) as reader:
        places = []
        for span in find_spans(request.what, reader):
            found = find_similar(span, reader, request.limit)
            hits = tuple(map(_describe, found))
            wanted = tuple(hit for hit in hits if hit.kinship != "like" or not request.clones)
            places.append(SimilarTo(span=span, hits=wanted))
        return SimilarResult(places=tuple(places), freshness=reader.freshness)


def _describe(found: SimilarCode) -> SimilarHit:
    return SimilarHit(
        span=found.symbol.span,
        symbol=found.symbol.qualified,
        kind=found.symbol.kind,
        node=found.symbol.node,
        language=found.language,
        kinship=found.kinship,
        lines=found.resemblance.lines,
        shape=found.resemblance.shape,
        words=found.words,
    )


def _render_hit(hit: SimilarHit) -> str:
    shares = f"{hit.lines:.0%} of the lines, {hit.shape:.0%} of the shape, {hit.words:.0%} of the words"
    return f"  {hit.span}  {hit.symbol} ({hit.kind})  {hit.kinship}: {shares}"


SIMILAR = Verb(SimilarRequest, SimilarResult, search_similar)
