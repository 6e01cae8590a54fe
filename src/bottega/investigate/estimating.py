"""A forecast for a target: scan it, see what is known already, ask no model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bottega.investigate.actions.planning import kept_plan, known_entries
from bottega.investigate.actions.scanning import ROLE, STAGE
from bottega.investigate.actions.synthesizing import FILE as SYNTHESIS
from bottega.investigate.forecast import Forecast, forecast
from bottega.investigate.plans import allot
from bottega.investigate.scan import scan
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.investigate.units import units_of
from bottega.journal import Investigations
from bottega.models import Roster

if TYPE_CHECKING:
    from bottega.investigate import Order


def estimated(order: Order, roster: Roster, investigations: Investigations) -> Forecast:
    found = scan(order.target, order.options)
    units, _, _ = units_of(found, most=order.max_directories or InvestigateSettings().max_directories)
    if not roster.router.chosen():
        return forecast(
            units, frozenset(), model="", window=8192, chars_per_token=4.0, price=None, most_turns=order.max_turns
        )
    config = roster.router.resolve(ROLE, STAGE)
    price = roster.price(config)
    state = InvestigateState(
        target=str(order.target),
        exclude=order.options.exclude,
        everything=order.options.everything,
        hidden=order.options.hidden,
        model=config.id,
        units=tuple(units),
    )
    name = "" if order.fresh else investigations.all().get(str(order.target), "")
    state.investigation = name
    return forecast(
        units,
        frozenset(_settled(state, investigations) if name else ()),
        model=config.id,
        window=config.context_window,
        chars_per_token=roster.ledger.chars_per_token(config.id),
        price=None if price is None else (price.input, price.output),
        most_turns=order.max_turns,
        has_report=bool(name) and investigations.read(name, SYNTHESIS) is not None,
    )


def _settled(state: InvestigateState, store: Investigations) -> set[str]:
    """Directories that are known, and those that the plan in force skips."""
    known = set(known_entries(state, store))
    _, plan = kept_plan(state.investigation, store)
    names = [unit.path for unit in state.units]
    return known | {one.path for one in allot(plan, names) if one.tier == "skip"} if plan else known
