"""What an `investigate` run knows between steps, and what a pipeline may set."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from bottega.investigate.entries import Coverage, DirEntry, FileEntry, Flag
from bottega.investigate.imports import DirectoryImport
from bottega.investigate.plans import Allotment, FrozenModel, Plan, Survey
from bottega.investigate.units import Unit
from bottega.pipeline import KindSettings, State

_SUSPECTS = frozenset({"secrets", "orders"})


class InvestigateSettings(KindSettings):
    """What a pipeline of this kind may set: which passes run, and their limits."""

    survey: bool = Field(True, description="look at the whole before any directory")
    planning: bool = Field(True, description="let a model say where turns are worth spending")
    models: bool = Field(True, description="off: the base scan and what follows from it")
    max_directories: int = Field(400, ge=1, le=20_000, description="directories that are investigated, shallow first")
    max_turns: int = Field(0, ge=0, le=100_000, description="turns of all loops together; 0: ten for each directory")
    reply_tokens: int = Field(1200, ge=100, le=32_000, description="longest reply of one turn")


class LoopUsage(FrozenModel):
    """What one loop used of the turns it was allotted."""

    label: str
    tier: str
    turns_allotted: int
    turns_used: int
    tokens: int
    completeness: float | None = None
    reason: str = ""


class Component(FrozenModel):
    name: str
    path: str
    role: str


class Synthesis(FrozenModel):
    """The text of the report. `made_by` is a model, or "rules" with the reason why no model wrote it."""

    brief: str
    detailed: str
    components: tuple[Component, ...] = ()
    entry_points: tuple[str, ...] = ()
    technologies: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    concerns: tuple[str, ...] = ()
    made_by: str = "rules"
    reason: str = ""
    dropped: int = 0


def _read_scan(value: Any) -> Any:
    """A stored scan; those of version 0.1 hold suspect lines as path and line."""
    if not isinstance(value, dict):
        return value
    return {**value, **{name: [_read_suspect(line) for line in value[name]] for name in _SUSPECTS & value.keys()}}


def _read_suspect(line: dict[str, Any]) -> dict[str, Any]:
    if "span" in line:
        return line
    rest = {key: content for key, content in line.items() if key not in {"path", "line"}}
    return {"span": {"path": line["path"], "first": line["line"], "last": line["line"]}, **rest}


class InvestigateState(State):
    """What the steps of a run hand on to each other. `orders` are the lines of files that give orders to a model."""

    target: str
    exclude: tuple[str, ...] = ()
    everything: bool = False
    hidden: bool = True
    own: tuple[str, ...] = ()
    fresh: bool = False
    fail_on: str = ""
    max_directories: int = 0
    max_turns: int = 0

    investigation: str = ""
    model: str = ""
    mode: str = ""
    window: int = 0
    chars_per_token: float = 4.0
    parallel: int = 1
    price: tuple[float, float] | None = None
    began: str = ""
    scan: Annotated[dict[str, Any], BeforeValidator(_read_scan)] = Field(default_factory=dict)
    tree: str = ""
    introduction: str = ""
    units: tuple[Unit, ...] = ()
    left_directories: int = 0
    orders: dict[str, tuple[int, ...]] = Field(default_factory=dict)
    survey: Survey | None = None
    plan: Plan | None = None
    allotted: tuple[Allotment, ...] = ()
    entries: dict[str, DirEntry] = Field(default_factory=dict)
    files: dict[str, FileEntry] = Field(default_factory=dict)
    imports: tuple[DirectoryImport, ...] = ()
    flags: tuple[Flag, ...] = ()
    dropped_flags: int = 0
    cached: tuple[str, ...] = ()
    used: tuple[LoopUsage, ...] = ()
    coverage: Coverage = Coverage()
    synthesis: Synthesis | None = None
    gaps: tuple[str, ...] = ()
    tokens: int = 0
    turns: int = 0
    cost: float | None = None
    report: str = ""
