"""`unused`: list definitions that nothing uses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from bottega.amounts import plural
from bottega.index import Freshness
from bottega.retrieve.paths import check_path, is_at
from bottega.retrieve.unused import UnusedSymbol, find_unused
from bottega.retrieve.verbs.house import KnowledgeHouse, open_reader
from bottega.source import Span, escape_breaks
from bottega.verbs import FrozenValue, Gate, Verb, VerbRequest, VerbResult

# Names of a group of values; JSON holds all of them.
_MOST_NAMED = 5
_RANKS = {"high": 0, "medium": 1, "low": 2}
LOOKED_FOR = (
    "calls",
    "values passed",
    "decorators",
    "overrides",
    "traits and bases from outside",
    "interfaces",
    "settings that tools read",
    "names in any file",
    "names built from a prefix",
    "names that the language calls",
)


class UnusedRequest(VerbRequest):
    """Which definitions to list, and from which confidence on."""

    verb: ClassVar[str] = "unused"
    uses_models: ClassVar[bool] = False
    uses_index: ClassVar[bool] = True

    path: str = Field("", description="only below this folder, or paths like a pattern")
    confidence: Literal["high", "medium", "low"] = Field("medium", description="list from this confidence on")
    limit: int = Field(200, ge=1, le=100_000, description="how many at the most")
    check: bool = Field(False, description="fail the gate where something is listed")
    refresh: bool = Field(True, description="compare the index with the files first")


class UnusedDefinition(FrozenValue):
    """A definition without a use. `reasons` say what speaks for it and what could still reach it."""

    node: str
    symbol: str
    kind: str
    language: str
    span: Span
    confidence: Literal["high", "medium", "low"]
    reasons: tuple[str, ...]


class UnusedResult(VerbResult):
    """`total` counts all of the confidence asked for, `below` those of less confidence."""

    definitions: tuple[UnusedDefinition, ...]
    total: int
    below: int
    looked_for: tuple[str, ...]
    is_checked: bool
    freshness: Freshness

    @property
    def gate(self) -> Gate:
        return "failed" if self.is_checked and self.definitions else "passed"

    @property
    def notes(self) -> tuple[str, ...]:
        left = f"; {self.below} of less confidence (`--confidence low` lists them)" if self.below else ""
        looked = f"looked for {', '.join(self.looked_for)}; not for other names built at run time"
        return (f"{self.total} found{left}", looked, f"index: {self.freshness}")

    def render(self, form: str = "text") -> str:
        del form
        lines = list(map(_render_group, _group_values(self.definitions)))
        if self.total > len(self.definitions):
            lines.append(f"… and {self.total - len(self.definitions)} more: raise --limit, or narrow --path")
        return "".join(escape_breaks(line) + "\n" for line in lines) or "nothing found\n"


def _group_values(definitions: Sequence[UnusedDefinition]) -> list[list[UnusedDefinition]]:
    """Constants and variables of one file with the same reasons form a group; all else stands alone."""
    groups: dict[tuple[object, ...], list[UnusedDefinition]] = {}
    for found in definitions:
        is_value = found.kind in {"constant", "variable"}
        key = (found.span.path, found.kind, found.confidence, found.reasons) if is_value else (found.span, found.node)
        groups.setdefault(key, []).append(found)
    return list(groups.values())


def _render_group(group: Sequence[UnusedDefinition]) -> str:
    first = group[0]
    rated = f"{first.confidence}: {'; '.join(first.reasons)}"
    if len(group) == 1:
        return f"{first.span}  {first.symbol} ({first.kind})  {rated}"
    more = f" and {len(group) - _MOST_NAMED} more" if len(group) > _MOST_NAMED else ""
    names = f"{', '.join(found.symbol for found in group[:_MOST_NAMED])}{more}"
    span = Span(first.span.path, first.span.first, max(found.span.last for found in group))
    return f"{span}  {plural(len(group), first.kind)}: {names}  {rated}"


def list_unused(request: UnusedRequest, house: KnowledgeHouse) -> UnusedResult:
    """List definitions without a use, the surest first. Raise `InputError` for a path that matches no file."""
    with open_reader(house, refresh=request.refresh) as reader:
        check_path(request.path, (file.path for file in reader.base.get_files()))
        found = find_unused(reader, lambda done, total: house.progress("reading", done, total))
        below_path = [entry for entry in found if not request.path or is_at(entry.symbol.path, request.path)]
        counts = Counter(entry.confidence for entry in below_path)
        least = _RANKS[request.confidence]
        listed = [entry for entry in below_path if _RANKS[entry.confidence] <= least]
        listed.sort(key=lambda entry: (_RANKS[entry.confidence], entry.symbol.path, entry.symbol.first))
        return UnusedResult(
            definitions=tuple(_describe(entry) for entry in listed[: request.limit]),
            total=len(listed),
            below=counts.total() - len(listed),
            looked_for=LOOKED_FOR,
            is_checked=request.check,
            freshness=reader.freshness,
        )


def _describe(found: UnusedSymbol) -> UnusedDefinition:
    symbol = found.symbol
    return UnusedDefinition(
        node=symbol.node,
        symbol=symbol.qualified,
        kind=symbol.kind,
        language=found.language,
        span=symbol.span,
        confidence=found.confidence,
        reasons=found.reasons,
    )


UNUSED = Verb(UnusedRequest, UnusedResult, list_unused)
