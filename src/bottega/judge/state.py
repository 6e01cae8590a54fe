"""The state of a `retrieve` run, and its tools."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from bottega.journal import FactStore
from bottega.pipeline import Run, State
from bottega.retrieve import RetrieveRequest, RetrieveResult
from bottega.retrieve.context import ContextTask


class RetrieveState(State):
    """`votes` are those for files by path, `verdicts` those on symbols by key, `found` the result as JSON."""

    task: str
    request: RetrieveRequest
    files: tuple[dict[str, Any], ...] = Field((), description="outlines of the first files")
    symbols: tuple[dict[str, Any], ...] = Field((), description="the first symbols with their texts")
    votes: dict[str, float] = Field(default_factory=dict)
    verdicts: dict[str, str] = Field(default_factory=dict)
    found: dict[str, Any] | None = None

    def build_task(self) -> ContextTask:
        refused = frozenset(node for node, verdict in self.verdicts.items() if verdict == "no")
        request = self.request
        return ContextTask(request.task, request.files, request.symbols, votes=self.votes, refused=refused)


@dataclass(frozen=True, slots=True)
class RetrieveTools:
    """`list_candidates` gives the first files and symbols of a request, `assemble` its package."""

    list_candidates: Callable[[RetrieveRequest], Mapping[str, Any]]
    assemble: Callable[[RetrieveRequest, ContextTask, str], RetrieveResult]
    facts: FactStore
    parallel: int = 1


RetrieveRun = Run[RetrieveTools]
