"""Turns for every directory under a plan, and the order in which directories are investigated."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bottega.investigate.plans import Allotment, Plan
from bottega.investigate.units import find_parent

PRIORITY_TURNS, DEFAULT_TURNS, SHALLOW_TURNS = 15, 10, 5
_RANKS = {"priority": 0, "default": 1, "shallow": 2, "skip": 3}
# A plan may skip a quarter of the directories, and three in any case.
_MIN_SKIPPED, _SKIPPED_DIVISOR = 3, 4


def allot_turns(plan: Plan | None, directories: Sequence[str], *, ceiling: int = 0) -> list[Allotment]:
    """Turns for every directory, children before parents whatever the plan says.

    Skipping a directory skips everything below it that the plan does not name itself. The target is never skipped, and
    no more than a quarter of all directories is: the rest becomes shallow, because a plan is made before anything was
    read. A ceiling bounds the sum of all turns, but every directory keeps at least one.
    """
    plan = plan or Plan()
    chosen = _collect_chosen_tiers(plan)
    for path in _find_excess_skips(chosen, directories):
        chosen[path] = chosen[path].model_copy(update={"tier": "shallow", "turns": SHALLOW_TURNS})
    allotted = {path: _allot(path, chosen) for path in directories}
    if ceiling:
        allotted = _scale_down(allotted, ceiling)
    return [allotted[path] for path in sort_directories(directories, allotted, plan.order)]


def sort_directories(directories: Iterable[str], allotted: Mapping[str, Allotment], order: str) -> list[str]:
    """Deepest first. `priority-first` moves priority directories, and what is below them, to the front."""
    leaves_first = sorted(directories, key=lambda path: (-path.count("/"), path))
    if order != "priority-first":
        return leaves_first
    ranks = {path: _RANKS[allotted[path].tier] for path in leaves_first}
    for path in leaves_first:
        parent = path
        while parent:
            parent = find_parent(parent)
            if parent in ranks and ranks[parent] < ranks[path]:
                ranks[path] = ranks[parent]
    for path in reversed(leaves_first):  # no parent comes before the last of its children
        below = [ranks[other] for other in leaves_first if other != path and other.startswith(path)]
        ranks[path] = max([ranks[path], *below])
    return sorted(leaves_first, key=lambda path: (ranks[path], -path.count("/"), path))


def _collect_chosen_tiers(plan: Plan) -> dict[str, Allotment]:
    """What the plan says itself; a directory in several lists is in the last of shallow, priority, skip."""
    chosen: dict[str, Allotment] = {}
    for choice in plan.shallow:
        chosen[choice.path] = Allotment(path=choice.path, tier="shallow", turns=SHALLOW_TURNS, reason=choice.reason)
    for choice in plan.priority:
        turns = choice.turns or PRIORITY_TURNS
        chosen[choice.path] = Allotment(path=choice.path, tier="priority", turns=turns, reason=choice.reason)
    for choice in plan.skip:
        if choice.path:
            chosen[choice.path] = Allotment(path=choice.path, tier="skip", turns=0, reason=choice.reason)
    return chosen


def _find_excess_skips(chosen: Mapping[str, Allotment], directories: Sequence[str]) -> list[str]:
    """Skipped directories beyond the share that may be skipped; small ones stay skipped first."""
    left = max(_MIN_SKIPPED, len(directories) // _SKIPPED_DIVISOR)
    skipped = [path for path, allotment in chosen.items() if allotment.tier == "skip"]
    sizes = {path: sum(directory.startswith(path) for directory in directories) for path in skipped}
    excess = []
    for path in sorted(sizes, key=lambda path: (sizes[path], path)):
        left -= sizes[path]
        if left < 0:
            excess.append(path)
    return excess


def _allot(path: str, chosen: Mapping[str, Allotment]) -> Allotment:
    if path in chosen:
        return chosen[path]
    parent = path
    while parent:
        parent = find_parent(parent)
        if parent in chosen and parent:
            if chosen[parent].tier == "skip":
                return chosen[parent].model_copy(update={"path": path})
            break
    return Allotment(path=path, tier="default", turns=DEFAULT_TURNS)


def _scale_down(allotted: Mapping[str, Allotment], ceiling: int) -> dict[str, Allotment]:
    total = sum(allotment.turns for allotment in allotted.values())
    if total <= ceiling:
        return dict(allotted)
    return {
        path: allotment.model_copy(update={"turns": max(1, allotment.turns * ceiling // total)})
        if allotment.turns
        else allotment
        for path, allotment in allotted.items()
    }
