"""The base scan, and what it gives to the passes that follow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bottega.amounts import plural
from bottega.investigate.context import DIRECTORY_STAGE, ROLE, get_scan_options, open_files
from bottega.investigate.introduction import introduce, read_readme
from bottega.investigate.reports.scanned import build_scan_json, render_tree
from bottega.investigate.scan import Scan, scan
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.investigate.tools import InvestigateRun
from bottega.investigate.units import Unit, select_units
from bottega.journal import now
from bottega.pipeline import action
from bottega.pipeline.toolloop import tool_mode

_MASK = "«masked:"
_TREE_DEPTH, _TREE_LINES = 6, 400


@action("models", "scan_only")
def scan_target(state: InvestigateState, run: InvestigateRun) -> str:
    """Walk over the target once and read what is in it."""
    settings = run.settings_as(InvestigateSettings)
    limit = state.max_directories or settings.max_directories
    scanned = run.effect("scan", lambda: _scan(state, run, limit))
    _take_over(state, scanned)
    if state.scan["remark_count"]:
        state.gaps = (
            *state.gaps,
            f"{plural(state.scan['remark_count'], 'path')} could not be read",
        )
    if not settings.models:
        return "scan_only"
    state.gaps = (*state.gaps, *_find_gaps(state, scanned, limit))
    for name, value in run.effect("means", lambda: _resolve_model(run)).items():
        setattr(state, name, tuple(value) if isinstance(value, list) else value)
    return "models"


def _scan(state: InvestigateState, run: InvestigateRun, limit: int) -> dict[str, Any]:
    scanned = scan(Path(state.target), get_scan_options(state))
    counted, directories = plural(scanned.files, "file"), plural(scanned.directories, "directory")
    run.say(f"{counted} in {directories}, {plural(scanned.bytes, 'byte')}")
    units, beyond, unreadable = select_units(scanned, limit=limit)
    files, names = open_files(state, run), scanned.folders[0].names
    return {
        "scan": build_scan_json(scanned, read_readme(files, names)),
        "tree": render_tree(scanned, depth=_TREE_DEPTH, most=_TREE_LINES, sizes=False),
        "introduction": introduce(files, names),
        "units": [unit.model_dump(mode="json") for unit in units],
        "left": beyond,
        "unnamed": unreadable,
        "orders": _group_injections(scanned),
        "investigation": run.tools.investigations.open(state.target, fresh=state.fresh),
        "at": now(),
    }


def _take_over(state: InvestigateState, scanned: dict[str, Any]) -> None:
    state.scan, state.tree, state.began = scanned["scan"], scanned["tree"], scanned["at"]
    state.introduction = scanned["introduction"]
    units = (Unit.model_validate(unit) for unit in scanned["units"])
    state.units = tuple(_without_masked_names(unit) for unit in units if _MASK not in unit.path)
    state.left_directories = scanned["left"]
    state.orders = {path: tuple(lines) for path, lines in scanned["orders"].items()}
    state.investigation = scanned["investigation"]


def _find_gaps(state: InvestigateState, scanned: dict[str, Any], limit: int) -> list[str]:
    gaps = []
    if state.left_directories:
        gaps.append(f"{plural(state.left_directories, 'directory')} beyond the limit of {limit}")
    masked = len(scanned["units"]) - len(state.units)
    if masked:
        gaps.append(f"{plural(masked, 'directory')} left out for a name that looks like a secret")
    if scanned["unnamed"]:
        gaps.append(f"{plural(scanned['unnamed'], 'directory')} with a name that is not text")
    return gaps


def _without_masked_names(unit: Unit) -> Unit:
    """Without files and directories whose names look like secrets: records hold them masked, so they cannot be read."""
    children = tuple(path for path in unit.children if _MASK not in path)
    return unit.model_copy(
        update={
            "files": tuple(file for file in unit.files if _MASK not in file.name),
            "children": children,
            "more_children": unit.more_children + len(unit.children) - len(children),
        }
    )


def _group_injections(scanned: Scan) -> dict[str, list[int]]:
    """The lines of each file that give orders to a model."""
    lines: dict[str, list[int]] = {}
    for injection in scanned.orders:
        lines.setdefault(injection.span.path, []).append(injection.span.first)
    return lines


def _resolve_model(run: InvestigateRun) -> dict[str, Any]:
    """The model of this run, how it is given tools, and the size of its window: fields of the state."""
    config = run.roster.router.resolve(ROLE, DIRECTORY_STAGE)
    price = run.roster.price(config)
    return {
        "model": config.id,
        "mode": tool_mode(run.roster, config),
        "window": config.context_window,
        "chars_per_token": run.roster.ledger.chars_per_token(config.id),
        "parallel": config.concurrency,
        "price": None if price is None else [price.input, price.output],
    }
