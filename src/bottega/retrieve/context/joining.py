"""Join what several searches found: a later one adds, and the weakest of all are dropped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest

from bottega.retrieve.context.values import ContextUnit


def join_units(
    known: Sequence[ContextUnit], new: Sequence[ContextUnit], tokens: int, cost: Callable[[ContextUnit], int]
) -> list[ContextUnit]:
    """The best units of both, in turns by rank, as many as fit; a unit inside of another one is left out.

    Each side keeps its best units, so that no search replaces what an earlier one ranked first.
    """
    taken: list[ContextUnit] = []
    spent = 0
    pairs = zip_longest(_by_rank(known), _by_rank(new))
    for unit in (unit for pair in pairs for unit in pair if unit is not None):
        if spent + cost(unit) <= tokens and not any(_contains(other, unit) for other in taken):
            taken.append(unit)
            spent += cost(unit)
    return [replace(unit, rank=rank) for rank, unit in enumerate(taken)]


def _by_rank(units: Sequence[ContextUnit]) -> list[ContextUnit]:
    return sorted(units, key=lambda unit: unit.rank)


def _contains(outer: ContextUnit, inner: ContextUnit) -> bool:
    """Whether every line that `inner` shows is shown by `outer`."""
    return outer.path == inner.path and all(
        any(span.first <= part.first and part.last <= span.last for span in outer.spans) for part in inner.spans
    )
