"""`investigate`: what is this directory, and should anything worry its owner."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from bottega.errors import InputError
from bottega.index.decode import is_text
from bottega.investigate.actions import ACTIONS
from bottega.investigate.entries import SEVERITIES, Coverage, DirEntry, FileEntry, Flag, Severity
from bottega.investigate.forecast import Forecast, forecast
from bottega.investigate.report import Report, report_of
from bottega.investigate.scan import Options, Scan, scan
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.investigate.tools import InvestigateTools
from bottega.pipeline import Engine, Finished, Kind, Pipeline

__all__ = [
    "KIND",
    "SEVERITIES",
    "Coverage",
    "DirEntry",
    "FileEntry",
    "Flag",
    "Forecast",
    "InvestigateSettings",
    "InvestigateState",
    "InvestigateTools",
    "Options",
    "Order",
    "Report",
    "Scan",
    "Severity",
    "forecast",
    "investigate",
    "investigated",
    "scan",
]

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
