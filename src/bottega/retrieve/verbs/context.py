"""`retrieve`: what a model should read for a task, within a token budget."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any, ClassVar, Literal

from pydantic import Field

from bottega.amounts import plural
from bottega.index import Freshness, KnowledgeReader
from bottega.models import fenced
from bottega.retrieve.background import embed_in_background
from bottega.retrieve.context import (
    BudgetConfig,
    ContextPackage,
    ContextTask,
    ContextUnit,
    Decision,
    TaskSignals,
    assemble_context,
    outline_candidates,
    read_task,
)
from bottega.retrieve.verbs.house import KnowledgeHouse, open_reader
from bottega.source import Span, escape_breaks
from bottega.verbs import FrozenValue, Gate, VerbRequest, VerbResult

_LONGEST_LINE = 160
_TAB = 4


class RetrieveRequest(VerbRequest):
    """A task, and the budget of what is retrieved for it."""

    verb: ClassVar[str] = "retrieve"
    uses_index: ClassVar[bool] = True

    task: str = Field(description="a question, a request, or a whole issue with its traceback")
    files: tuple[str, ...] = Field((), description="paths that belong to the task, beside those that it names")
    symbols: tuple[str, ...] = Field((), description="symbols that belong to the task, beside those that it names")
    tokens: int = Field(0, ge=0, le=10_000_000, description="the token budget; 0 is window minus reserved tokens")
    window: int = Field(0, ge=0, description="context window of the reading model; 0 is budget.context_window")
    reserved: int | None = Field(None, ge=0, description="tokens that are not for context; budget.reserved_tokens")
    rerank: bool = Field(False, description="have the classifier role vote on the order of the first files")
    judge: bool = Field(False, description="have the classifier role judge the first symbols yes or no")
    refresh: bool = Field(True, description="compare the index with the files first")

    @property
    def looks_for_models(self) -> bool:
        return self.rerank or self.judge


class RetrievedUnit(FrozenValue):
    """A symbol, or lines outside of any. `left_out` of its lines are not in `text`, which marks the gaps."""

    span: Span
    symbol: str
    kind: str
    node: str
    level: Literal["primary", "supporting", "type_context"]
    tier: int = Field(description="0 named by the task, 1 found by search, 2 dependency, 3 co-change, 4 description")
    origin: str
    left_out: int
    text: str


class RetrieveDecision(FrozenValue):
    """Why a symbol or a file is in the package, or is not."""

    what: str
    level: str
    tier: int
    is_included: bool
    reason: str
    tokens: int


class RetrieveResult(VerbResult):
    """The package, with every decision about it; `signals` is what the task names."""

    formats: ClassVar[tuple[str, ...]] = ("text", "json", "markdown")

    task: str
    units: tuple[RetrievedUnit, ...]
    decisions: tuple[RetrieveDecision, ...]
    tokens: int
    budget: int
    files_considered: int
    judged_by: str = Field("rank", description="what decided: the ranks of the search, or these and a model")
    run: str = Field("", description="the run that recorded the model's calls, if any")
    task_type: str
    paths: tuple[str, ...]
    symbols: tuple[str, ...]
    errors: tuple[str, ...]
    frames: tuple[str, ...]
    keywords: tuple[str, ...]
    freshness: Freshness

    @property
    def gate(self) -> Gate:
        return "passed" if self.units else "failed"

    @property
    def notes(self) -> tuple[str, ...]:
        files = len({unit.span.path for unit in self.units})
        amount = f"{plural(len(self.units), 'unit')} of {plural(files, 'file')}"
        size = f"about {self.tokens:,} of {self.budget:,} tokens"
        chosen = f"chosen by {self.judged_by} among {plural(self.files_considered, 'file')}"
        return (f"{amount}, {size}; {chosen}", f"index: {self.freshness}")

    def render(self, form: str = "text", *, explain: bool = False) -> str:
        if form == "markdown":
            return self._render_markdown()
        shown = "".join(map(_render_unit, self.units)) or "nothing found\n"
        return shown + ("".join(map(_render_decision, self.decisions)) if explain else "")

    def _render_markdown(self) -> str:
        """To paste into a chat: the task, then every unit under its own heading."""
        parts = [f"# Task\n\n{self.task.strip()}\n\n# Context\n"]
        for unit in self.units:
            name = f" {unit.kind} `{unit.symbol}`" if unit.symbol else ""
            heading = escape_breaks(f"## {unit.span}{name} ({unit.level.replace('_', ' ')})")
            parts.append(f"{heading}\n\n{fenced(unit.text)}\n")
        return "\n".join(parts)


class RetrieveSession:
    """One snapshot of the index, for the candidates and the package of one request."""

    def __init__(self, reader: KnowledgeReader, house: KnowledgeHouse) -> None:
        self._reader = reader
        self._house = house

    def read_task(self, request: RetrieveRequest) -> ContextTask:
        return ContextTask(request.task, request.files, request.symbols)

    def list_candidates(self, request: RetrieveRequest) -> dict[str, list[dict[str, Any]]]:
        """The first files as outlines, and the first symbols with their texts, for a model to judge."""
        files, symbols = outline_candidates(self.read_task(request), self._reader)
        return {"files": list(map(asdict, files)), "symbols": list(map(asdict, symbols))}

    def assemble(self, request: RetrieveRequest, task: ContextTask, judged_by: str = "rank") -> RetrieveResult:
        """The package of a task. Raise `InputError` for a task without words."""
        budget = self._house.settings.budget
        config = BudgetConfig(
            request.window or budget.context_window,
            budget.reserved_tokens if request.reserved is None else request.reserved,
        )
        package = assemble_context(task, self._reader, request.tokens or config.effective_budget)
        if self._reader.is_current:
            embed_in_background(self._house, self._reader)
        return _build_result(package, read_task(request.task), self._reader.freshness, judged_by)


@contextmanager
def open_retrieval(house: KnowledgeHouse, *, refresh: bool) -> Iterator[RetrieveSession]:
    """Open a snapshot of the index, refreshed unless `refresh` is off."""
    with open_reader(house, refresh=refresh) as reader:
        yield RetrieveSession(reader, house)


def _build_result(
    package: ContextPackage, signals: TaskSignals, freshness: Freshness, judged_by: str
) -> RetrieveResult:
    return RetrieveResult(
        task=package.task,
        units=tuple(map(_build_unit, package.units)),
        decisions=tuple(map(_build_decision, package.decisions)),
        tokens=package.tokens,
        budget=package.budget,
        files_considered=package.files_considered,
        judged_by=judged_by,
        task_type=signals.task_type,
        paths=signals.paths,
        symbols=signals.symbols,
        errors=signals.errors,
        frames=signals.frames,
        keywords=signals.keywords,
        freshness=freshness,
    )


def _build_unit(unit: ContextUnit) -> RetrievedUnit:
    return RetrievedUnit(
        span=unit.span,
        symbol=unit.symbol,
        kind=unit.kind,
        node=unit.node,
        level=unit.level.value,
        tier=unit.tier,
        origin=unit.origin,
        left_out=unit.left_out,
        text=unit.text,
    )


def _build_decision(decision: Decision) -> RetrieveDecision:
    return RetrieveDecision(
        what=decision.what,
        level=decision.level.value,
        tier=decision.tier,
        is_included=decision.is_included,
        reason=decision.reason,
        tokens=decision.tokens,
    )


def _render_unit(unit: RetrievedUnit) -> str:
    name = f"  {unit.symbol} ({unit.kind})" if unit.symbol else ""
    why = f"  {unit.origin}" if unit.origin not in {"search", "signatures"} else ""
    lines = [f"{unit.span}{name}  {unit.level.replace('_', ' ')}{why}"]
    lines += [f"      {line.expandtabs(_TAB)[:_LONGEST_LINE]}" for line in unit.text.split("\n") if unit.text]
    return "".join(escape_breaks(line) + "\n" for line in lines)


def _render_decision(decision: RetrieveDecision) -> str:
    sign = "+" if decision.is_included else "-"
    tokens = f", {plural(decision.tokens, 'token')}" if decision.tokens else ""
    line = f"{sign} {decision.level} tier {decision.tier}  {decision.what}: {decision.reason}{tokens}"
    return escape_breaks(line) + "\n"
