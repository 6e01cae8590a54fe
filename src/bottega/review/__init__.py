"""`review`: a panel, a filter for what it invents, a discussion, one verdict."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from pathspec import GitIgnoreSpec

from bottega.errors import InputError
from bottega.pipeline import Engine, Finished, Kind, Pipeline
from bottega.review.actions import ACTIONS
from bottega.review.actions.ending import report_of
from bottega.review.before import files_before_change
from bottega.review.change import Change, Wanted, mask_change, read_change, read_raw_change
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
    "files_before_change",
    "mask_change",
    "read_change",
    "read_raw_change",
    "review",
    "reviewed",
]

KIND = Kind("review", ReviewState, ACTIONS, ReviewSettings)


@dataclass(frozen=True, slots=True)
class Order:
    """A change, the paths to look at (patterns as in .gitignore; none means all), the seed of all draws, a gate."""

    change: Change
    scope: tuple[str, ...] = ()
    seed: int = 0
    fail_on: Severity | None = None


def review(order: Order, *, engine: Engine, pipeline: Pipeline) -> Report:
    """Carry a pipeline of this kind out. Bad input is refused before a run is begun."""
    change = order.change
    _refuse(change, order.scope)
    state = ReviewState(
        diff=change.text,
        intent=change.intent,
        origin=change.origin,
        side=change.side,
        base=change.base,
        touched=change.touched,
        scope=order.scope,
        seed=order.seed,
        fail_on=order.fail_on or "",
        secrets=change.secrets,
        secret_note=change.secret_note,
    )
    return reviewed(engine.start(pipeline, state))


def _refuse(change: Change, scope: tuple[str, ...]) -> None:
    paths = [file.path for file in parse_diff(change.text).files]
    if not paths:
        raise InputError(
            f"nothing is changed: {change.origin}", hint="`bottega review run --help` says what else to review."
        )
    twice = next((path for path, count in Counter(paths).items() if count > 1), None)
    if twice is not None:
        raise InputError(
            f"the diff changes {twice} more than once: a series of patches is not one change",
            hint="Apply it and review the commits, or make one diff of it.",
        )
    try:
        spec = GitIgnoreSpec.from_lines(scope)
    except ValueError as error:
        raise InputError(f"--path: {error}") from None
    if scope and not any(spec.match_file(path) for path in paths):
        raise InputError(
            f"nothing that changed matches --path {' '.join(scope)}", hint=f"Changed: {', '.join(paths[:5])}."
        )


def reviewed(finished: Finished) -> Report:
    state = finished.state
    assert isinstance(state, ReviewState)
    return report_of(state, finished.run_id, state.report)
