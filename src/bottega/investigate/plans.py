"""The survey, the plan, and what code makes of them: which directory gets how many turns, in which order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from bottega.investigate.numbers import share, whole

Tier = Literal["priority", "default", "shallow", "skip"]
PRIORITY_TURNS, DEFAULT_TURNS, SHALLOW_TURNS, MOST_TURNS = 15, 10, 5, 25
TRUSTED = 0.5
PROTECTED = frozenset({"read_file", "write_cache", "submit_report"})
_LONGEST = 2000
_MOST_NAMED = 500
_DIVIDERS = re.compile(r"\s*[,;\n]\s*|\s+and\s+")
# What models put around the name of a directory: quotes, a pattern for all that is in it, the word itself.
_DECORATION = re.compile(
    r"^[`'\"\[(]+|[`'\"\])]+$|(?:/\*{1,2}[/*]*)[`'\"]*$|\s+(?:directory|folder|dir)$", re.IGNORECASE
)
_LEAST_SKIPPED, _SKIPPED_SHARE = 3, 4


class Told(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Survey(Told):
    """What the target is, and how to go about it. Tools in neither list are simply there."""

    description: str = ""
    approach: str = ""
    relevant_tools: tuple[str, ...] = ()
    skip_tools: tuple[str, ...] = ()
    domain_notes: str = ""
    confidence: float | None = None

    @property
    def hides(self) -> frozenset[str]:
        """Tools that directories do without: only a sure survey hides any, and none that the loop or itself needs."""
        is_sure = self.confidence is not None and self.confidence >= TRUSTED
        return frozenset(self.skip_tools) - PROTECTED - frozenset(self.relevant_tools) if is_sure else frozenset()


class Named(Told):
    path: str
    reason: str = ""
    turns: int | None = None


class Plan(Told):
    """`unknown` is what the model named and what is no directory to investigate."""

    priority: tuple[Named, ...] = ()
    shallow: tuple[Named, ...] = ()
    skip: tuple[Named, ...] = ()
    order: Literal["leaf-first", "priority-first"] = "leaf-first"
    notes: str = ""
    unknown: tuple[str, ...] = ()


class Allotment(Told):
    """What a directory gets. A skipped one gets no turns, and is told as left out."""

    path: str
    tier: Tier
    turns: int = Field(ge=0, le=MOST_TURNS)
    reason: str = ""


def survey_of(arguments: Any, tools: Iterable[str]) -> Survey | None:
    """A survey from what a model sent; `None` when it says nothing. Tools it invents are left out."""
    if not isinstance(arguments, dict):
        return None
    known = frozenset(tools)
    description, approach = _text(arguments.get("description")), _text(arguments.get("approach"))
    if not description:
        return None
    return Survey(
        description=description,
        approach=approach,
        relevant_tools=tuple(name for name in _texts(arguments.get("relevant_tools")) if name in known),
        skip_tools=tuple(name for name in _texts(arguments.get("skip_tools")) if name in known),
        domain_notes=_text(arguments.get("domain_notes")),
        confidence=share(arguments.get("confidence")),
    )


def plan_of(arguments: Any, directories: Sequence[str], name: str) -> Plan | None:
    """A plan from what a model sent; `None` when it is no plan at all. `name` is the target's own."""
    if not isinstance(arguments, dict):
        return None
    known = frozenset(directories)
    unknown: list[str] = []

    def named(key: str, *, turns: bool = False) -> tuple[Named, ...]:
        found: dict[str, Named] = {}
        entries = arguments.get(key)
        entries = [entries] if isinstance(entries, (str, dict)) else entries
        for entry in entries[:_MOST_NAMED] if isinstance(entries, list) else ():
            said = entry if isinstance(entry, dict) else {"path": entry}
            wanted = whole(said.get("suggested_turns"), least=1, most=MOST_TURNS) if turns else None
            for written in _several(said.get("path"), known, name):
                path = directory_named(written, known, name)
                if path is None:
                    unknown.append(_text(written)[:200])
                else:
                    found.setdefault(path, Named(path=path, reason=_text(said.get("reason")), turns=wanted))
        return tuple(found.values())

    order = arguments.get("investigation_order")
    return Plan(
        priority=named("priority_dirs", turns=True),
        shallow=named("shallow_dirs"),
        skip=named("skip_dirs"),
        order="priority-first" if order == "priority-first" else "leaf-first",
        notes=_text(arguments.get("notes")),
        unknown=tuple(dict.fromkeys(unknown)),
    )


def directory_named(said: Any, known: frozenset[str], name: str) -> str | None:
    """The directory a model means, however it writes it; the target is ".", "" or its own name."""
    if not isinstance(said, str):
        return None
    path = _DECORATION.sub("", said.strip()).replace("\\", "/").removeprefix("./").strip("/")
    if path in {"", "."}:
        return ""
    if f"{path}/" in known:
        return f"{path}/"
    if path == name:
        return ""
    below = path.rpartition(f"{name}/")[2]
    if f"{below}/" in known:
        return f"{below}/"
    ends = [one for one in known if one.lower().endswith(f"/{path.lower()}/") or one.lower() == f"{path.lower()}/"]
    return ends[0] if len(ends) == 1 else None


def _several(said: Any, known: frozenset[str], name: str) -> list[Any]:
    """Directories that a model wrote into one text, as in "doc, src"; a name that is known whole is not divided."""
    if not isinstance(said, str) or directory_named(said, known, name) is not None:
        return [said]
    return [part for part in _DIVIDERS.split(said) if part.strip()] or [said]


def allot(plan: Plan | None, directories: Sequence[str], *, ceiling: int = 0) -> list[Allotment]:
    """Turns for every directory, children before parents whatever the plan says.

    A directory that is skipped takes along what is below it, unless the plan names that for itself. The target is never
    skipped, and no more than a quarter of all directories is: what a plan skips beyond that gets a glance, since a plan
    is made before anything was read. With a ceiling the turns of all together stay under it, each directory keeping at
    least one.
    """
    plan = plan or Plan()
    chosen = _tiers(plan)
    for path in _too_many(chosen, directories):
        chosen[path] = chosen[path].model_copy(update={"tier": "shallow", "turns": SHALLOW_TURNS})
    allotted = {path: _allotted(path, chosen) for path in directories}
    if ceiling:
        allotted = _under(allotted, ceiling)
    return [allotted[path] for path in ordered(directories, allotted, plan.order)]


def ordered(directories: Iterable[str], allotted: dict[str, Allotment], order: str) -> list[str]:
    """Deepest first. With `priority-first` what a priority directory needs comes first, itself right behind it."""
    leaves_first = sorted(directories, key=lambda path: (-path.count("/"), path))
    if order != "priority-first":
        return leaves_first
    bands: dict[str, int] = {}
    for path in leaves_first:
        rank = {"priority": 0, "default": 1, "shallow": 2, "skip": 3}[allotted[path].tier]
        bands[path] = rank
    for path in leaves_first:
        above = path
        while above:
            above = _parent(above)
            if above in bands and bands[above] < bands[path]:
                bands[path] = bands[above]
    for path in reversed(leaves_first):  # no parent comes before the last of its children
        below = [bands[other] for other in leaves_first if other != path and other.startswith(path)]
        bands[path] = max([bands[path], *below])
    return sorted(leaves_first, key=lambda path: (bands[path], -path.count("/"), path))


def _parent(path: str) -> str:
    return path.rstrip("/").rpartition("/")[0] + "/" if "/" in path.rstrip("/") else ""


def _tiers(plan: Plan) -> dict[str, Allotment]:
    found: dict[str, Allotment] = {}
    for one in plan.shallow:
        found[one.path] = Allotment(path=one.path, tier="shallow", turns=SHALLOW_TURNS, reason=one.reason)
    for one in plan.priority:
        found[one.path] = Allotment(
            path=one.path, tier="priority", turns=one.turns or PRIORITY_TURNS, reason=one.reason
        )
    for one in plan.skip:
        if one.path:
            found[one.path] = Allotment(path=one.path, tier="skip", turns=0, reason=one.reason)
    return found


def _too_many(chosen: dict[str, Allotment], directories: Sequence[str]) -> list[str]:
    """Skipped directories beyond the share that may be skipped; the small ones stay skipped first."""
    left = max(_LEAST_SKIPPED, len(directories) // _SKIPPED_SHARE)
    sizes = {
        path: sum(one.startswith(path) for one in directories) for path, one in chosen.items() if one.tier == "skip"
    }
    found = []
    for path in sorted(sizes, key=lambda one: (sizes[one], one)):
        left -= sizes[path]
        if left < 0:
            found.append(path)
    return found


def _allotted(path: str, chosen: dict[str, Allotment]) -> Allotment:
    if path in chosen:
        return chosen[path]
    above = path
    while above:
        above = _parent(above)
        if above in chosen and above:
            if chosen[above].tier == "skip":
                return chosen[above].model_copy(update={"path": path})
            break
    return Allotment(path=path, tier="default", turns=DEFAULT_TURNS)


def _under(allotted: dict[str, Allotment], ceiling: int) -> dict[str, Allotment]:
    total = sum(one.turns for one in allotted.values())
    if total <= ceiling:
        return allotted
    return {
        path: one.model_copy(update={"turns": max(1, one.turns * ceiling // total)}) if one.turns else one
        for path, one in allotted.items()
    }


def _text(value: Any) -> str:
    return value.strip()[:_LONGEST] if isinstance(value, str) else ""


def _texts(value: Any) -> list[str]:
    return [_text(one) for one in value[:50] if isinstance(one, str)] if isinstance(value, list) else []
