"""An order to investigate a directory, carried out."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from bottega.errors import InputError
from bottega.index.decode import is_text
from bottega.investigate.actions import ACTIONS
from bottega.investigate.entries import Severity
from bottega.investigate.report import Report, report_of
from bottega.investigate.scan import Options
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.pipeline import Engine, Finished, Kind, Pipeline

KIND = Kind("investigate", InvestigateState, ACTIONS, InvestigateSettings)


@dataclass(frozen=True, slots=True)
class Order:
    """A directory to investigate. `fresh` starts over; 0 takes the pipeline's own bounds."""

    target: Path
    options: Options = field(default_factory=Options)
    fresh: bool = False
    fail_on: Severity | None = None
    max_directories: int = 0
    max_turns: int = 0


def investigate(order: Order, *, engine: Engine, pipeline: Pipeline) -> Report:
    """Carry a pipeline of this kind out. Whatever fails on the way, there is a report that says so."""
    if not order.target.is_dir():
        raise InputError(f"{order.target} is not a directory", hint="Name a directory.")
    if not is_text(str(order.target)):
        raise InputError("the path of the target is not text", hint="`bottega scan` takes it; or give it another name.")
    state = InvestigateState(
        target=str(order.target),
        exclude=order.options.exclude,
        everything=order.options.everything,
        hidden=order.options.hidden,
        own=order.options.own,
        fresh=order.fresh,
        fail_on=order.fail_on or "",
        max_directories=order.max_directories,
        max_turns=order.max_turns,
    )
    return investigated(engine.start(pipeline, state))


def investigated(finished: Finished) -> Report:
    state = finished.state
    assert isinstance(state, InvestigateState)
    return report_of(state, finished.run_id)
