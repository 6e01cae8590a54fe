"""`review`: a panel, a filter for what it invents, a discussion, one verdict."""

from __future__ import annotations

from dataclasses import dataclass

from bottega.errors import InputError
from bottega.pipeline import Engine, Finished, Kind, Pipeline
from bottega.review.actions import ACTIONS
from bottega.review.actions.ending import report_of
from bottega.review.change import Change, Wanted, read_change
from bottega.review.findings import SEVERITIES, Finding, Severity
from bottega.review.report import Report
from bottega.review.state import ReviewSettings, ReviewState
from bottega.review.tools import ReviewTools
from bottega.source import parse_diff

__all__ = [
    "KIND",
    "SEVERITIES",
    "Change",
    "Finding",
    "Order",
    "Report",
    "ReviewSettings",
    "ReviewState",
    "ReviewTools",
    "Severity",
    "Wanted",
    "read_change",
    "review",
    "reviewed",
]

KIND = Kind("review", ReviewState, ACTIONS, ReviewSettings)


@dataclass(frozen=True, slots=True)
class Order:
    """A change, the paths to look at (patterns as in .gitignore; none means all), and the seed of all draws."""

    change: Change
    scope: tuple[str, ...] = ()
    seed: int = 0


def review(order: Order, *, engine: Engine, pipeline: Pipeline) -> Report:
    """Carry a pipeline of this kind out. Bad input is refused before a run is begun."""
    change = order.change
    if not parse_diff(change.text).files:
        raise InputError(
            f"nothing is changed: {change.origin}", hint="`bottega review --help` says what else to review."
        )
    state = ReviewState(
        diff=change.text,
        intent=change.intent,
        origin=change.origin,
        side=change.side,
        scope=order.scope,
        seed=order.seed,
    )
    return reviewed(engine.start(pipeline, state))


def reviewed(finished: Finished) -> Report:
    state = finished.state
    assert isinstance(state, ReviewState)
    return report_of(state, finished.run_id, state.report)
