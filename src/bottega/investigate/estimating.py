"""Forecast an investigation: scan the target and see what earlier runs stored; no model is asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from bottega.investigate.allotting import allot_turns
from bottega.investigate.context import DIRECTORY_STAGE, ROLE
from bottega.investigate.forecast import Forecast, forecast
from bottega.investigate.scan import Options, scan
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.investigate.stored import SYNTHESIS, load_directories, load_plan
from bottega.investigate.units import select_units
from bottega.journal import InvestigationStore
from bottega.models import Roster, Speed


def estimate(
    target: Path,
    options: Options,
    *,
    roster: Roster,
    investigations: InvestigationStore,
    find_speed: Callable[[str], Speed | None],
    fresh: bool = False,
    max_directories: int = 0,
    max_turns: int = 0,
) -> Forecast:
    """What investigating the target would take with the model that is configured."""
    scanned = scan(target, options)
    units, _, _ = select_units(scanned, limit=max_directories or InvestigateSettings().max_directories)
    if not roster.router.list_choices():
        return forecast(
            units, frozenset(), model="", window=8192, chars_per_token=4.0, price=None, most_turns=max_turns
        )
    config = roster.router.resolve(ROLE, DIRECTORY_STAGE)
    price = roster.price(config)
    state = InvestigateState(
        target=str(target),
        exclude=options.exclude,
        everything=options.everything,
        hidden=options.hidden,
        model=config.id,
        units=tuple(units),
    )
    name = "" if fresh else investigations.all().get(str(target), "")
    state.investigation = name
    return forecast(
        units,
        frozenset(_find_settled(state, investigations) if name else ()),
        model=config.id,
        window=config.context_window,
        chars_per_token=roster.ledger.chars_per_token(config.id),
        price=None if price is None else (price.input, price.output),
        speed=find_speed(config.id),
        most_turns=max_turns,
        has_report=bool(name) and investigations.read(name, SYNTHESIS) is not None,
    )


def _find_settled(state: InvestigateState, store: InvestigationStore) -> set[str]:
    """Directories whose stored entry still holds, and those that the stored plan skips."""
    known = set(load_directories(state, store))
    _, plan = load_plan(state.investigation, store)
    if plan is None:
        return known
    paths = [unit.path for unit in state.units]
    return known | {allotment.path for allotment in allot_turns(plan, paths) if allotment.tier == "skip"}
