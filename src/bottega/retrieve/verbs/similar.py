"""`similar`: find clones of a symbol or of some lines and code like it, or all clones of the repository."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from bottega.amounts import plural
from bottega.index import Freshness, KnowledgeReader
from bottega.retrieve.paths import check_path, is_at
from bottega.retrieve.similar import CloneGroup, SimilarCode, find_clone_groups, find_similar
from bottega.retrieve.verbs.house import KnowledgeHouse, open_reader
from bottega.retrieve.verbs.location import find_spans
from bottega.source import Span, escape_breaks
from bottega.verbs import FrozenValue, Gate, Verb, VerbRequest, VerbResult

# Parts of a group in the text; JSON holds all of them.
_MOST_PARTS = 10


class SimilarRequest(VerbRequest):
    """Code whose like is wanted; without it, the groups of clones of the whole repository."""

    verb: ClassVar[str] = "similar"
    uses_models: ClassVar[bool] = False
    uses_index: ClassVar[bool] = True

    what: str = Field("", description="a node key, a name, a path, path:line for the symbol there, or path:first-last")
    limit: int = Field(10, ge=1, le=1000, description="how many at the most for each place, or how many groups")
    path: str = Field("", description="only what is below this folder, and groups with a part there")
    lines: int = Field(6, ge=2, le=600, description="groups of at least so many lines, without comments and blank ones")
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


class ClonePart(FrozenValue):
    """A symbol of a group of clones."""

    span: Span
    symbol: str
    kind: str
    node: str


class ClonesGroup(FrozenValue):
    """Clones of each other. `lines` are those of the longest without comments; `is_test` says that all are tests."""

    kinship: Literal["exact", "same shape", "near"]
    lines: int
    is_test: bool
    parts: tuple[ClonePart, ...]


class SimilarResult(VerbResult):
    """`places` answers a question for some code, `groups` the one without; `group_count` counts those left out, too."""

    places: tuple[SimilarTo, ...]
    groups: tuple[ClonesGroup, ...] = ()
    group_count: int = 0
    freshness: Freshness

    @property
    def gate(self) -> Gate:
        """Failed where nothing was found, as that of `search`."""
        return "passed" if self.groups or any(place.hits for place in self.places) else "failed"

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"index: {self.freshness}",)

    def render(self, form: str = "text") -> str:
        del form
        if not self.places:
            return self._render_groups()
        parts = []
        for place in self.places:
            parts.append(f"{place.span}\n")
            parts += [escape_breaks(_render_hit(hit)) + "\n" for hit in place.hits] or ["  nothing like it\n"]
        return "".join(parts)

    def _render_groups(self) -> str:
        texts = [_render_group(group) for group in self.groups]
        if self.group_count > len(self.groups):
            more = plural(self.group_count - len(self.groups), "more group")
            texts.append(f"… and {more}: raise --limit, or narrow --path\n")
        return "\n".join(texts) or "no clones found\n"


def search_similar(request: SimilarRequest, house: KnowledgeHouse) -> SimilarResult:
    """Raise `InputError` when nothing is at the place, or no file at the path."""
    with open_reader(house, refresh=request.refresh) as reader:
        check_path(request.path, (file.path for file in reader.base.get_files()))
        if not request.what:
            return _list_groups(request, house, reader)
        places = []
        for span in find_spans(request.what, reader):
            hits = tuple(_describe(found) for found in find_similar(span, reader) if _is_wanted(found, request))
            places.append(SimilarTo(span=span, hits=hits[: request.limit]))
        return SimilarResult(places=tuple(places), freshness=reader.freshness)


def _is_wanted(found: SimilarCode, request: SimilarRequest) -> bool:
    if request.path and not is_at(found.symbol.path, request.path):
        return False
    return found.kinship != "like" or not request.clones


def _list_groups(request: SimilarRequest, house: KnowledgeHouse, reader: KnowledgeReader) -> SimilarResult:
    found = find_clone_groups(reader, request.lines, lambda done, total: house.progress("reading", done, total))
    wanted = [
        group for group in found if not request.path or any(is_at(part.path, request.path) for part in group.members)
    ]
    groups = tuple(map(_describe_group, wanted[: request.limit]))
    return SimilarResult(places=(), groups=groups, group_count=len(wanted), freshness=reader.freshness)


def _describe_group(group: CloneGroup) -> ClonesGroup:
    parts = tuple(
        ClonePart(span=part.span, symbol=part.qualified, kind=part.kind, node=part.node) for part in group.members
    )
    return ClonesGroup(kinship=group.kinship, lines=group.lines, is_test=group.is_test, parts=parts)


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


def _render_group(group: ClonesGroup) -> str:
    tests = ", tests" if group.is_test else ""
    lines = [f"{group.kinship}: {len(group.parts)} times {plural(group.lines, 'line')}{tests}"]
    lines += [f"  {part.span}  {part.symbol} ({part.kind})" for part in group.parts[:_MOST_PARTS]]
    if len(group.parts) > _MOST_PARTS:
        lines.append(f"  … and {len(group.parts) - _MOST_PARTS} more")
    return "".join(escape_breaks(line) + "\n" for line in lines)


SIMILAR = Verb(SimilarRequest, SimilarResult, search_similar)
