"""The base scan, and what it gives to the passes that follow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bottega.errors import BottegaError
from bottega.investigate.introduction import introduction
from bottega.investigate.loop import Means, Meter
from bottega.investigate.reports.scanned import scan_json, tree_text
from bottega.investigate.scan import Options, Scan, scan
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.investigate.toolbox import Looking
from bottega.investigate.tools import InvestigateRun
from bottega.investigate.turns import Mode
from bottega.investigate.units import Unit, units_of
from bottega.journal import now
from bottega.pipeline import action

ROLE = "reasoning"
STAGE = "investigate.directory"
_MASK = "«masked:"
_TREE_DEPTH, _TREE_LINES = 6, 400
_NATIVE = frozenset({"anthropic"})
_HOSTED = frozenset({"openai"})


@action("models", "scan_only")
def scan_target(state: InvestigateState, run: InvestigateRun) -> str:
    """Walk over the target once and read what is in it."""
    settings = run.settings_as(InvestigateSettings)
    most = state.max_directories or settings.max_directories
    found = run.effect("scan", lambda: _scanned(state, run, most))
    state.scan, state.tree, state.began = found["scan"], found["tree"], found["at"]
    state.introduction = found["introduction"]
    units = [Unit.model_validate(one) for one in found["units"]]
    state.units = tuple(_nameable(unit) for unit in units if _MASK not in unit.path)
    state.left_directories = found["left"]
    state.orders = {path: tuple(lines) for path, lines in found["orders"].items()}
    state.investigation = found["investigation"]
    if state.scan["remark_count"]:
        state.gaps = (*state.gaps, f"{state.scan['remark_count']} paths could not be read")
    if not settings.models:
        return "scan_only"
    if state.left_directories:
        state.gaps = (*state.gaps, f"{state.left_directories} directories are beyond the limit of {most}")
    if len(state.units) < len(units):
        words = f"{len(units) - len(state.units)} directories have names that look like secrets, and are left out"
        state.gaps = (*state.gaps, words)
    if found["unnamed"]:
        state.gaps = (*state.gaps, f"{found['unnamed']} directories have names that are not text")
    for name, value in run.effect("means", lambda: _means(run)).items():
        setattr(state, name, tuple(value) if isinstance(value, list) else value)
    return "models"


def _scanned(state: InvestigateState, run: InvestigateRun, most: int) -> dict[str, Any]:
    target = Path(state.target)
    found = scan(target, options_of(state))
    run.say(f"{found.files} files in {found.directories} directories, {found.bytes} bytes")
    units, left, unnamed = units_of(found, most=most)
    tools = run.tools
    name = tools.investigations.open(state.target, fresh=state.fresh)
    return {
        "scan": scan_json(found),
        "tree": tree_text(found, depth=_TREE_DEPTH, most=_TREE_LINES, sizes=False),
        "introduction": introduction(looking_of(state, run), found.folders[0].names),
        "units": [unit.model_dump(mode="json") for unit in units],
        "left": left,
        "unnamed": unnamed,
        "orders": _orders(found),
        "investigation": name,
        "at": now(),
    }


def _nameable(unit: Unit) -> Unit:
    """Without what cannot be called by its name: records hold no secrets, so a name that looks like one is lost."""
    children = tuple(path for path in unit.children if _MASK not in path)
    return unit.model_copy(
        update={
            "files": tuple(file for file in unit.files if _MASK not in file.name),
            "children": children,
            "more_children": unit.more_children + len(unit.children) - len(children),
        }
    )


def _orders(found: Scan) -> dict[str, list[int]]:
    orders: dict[str, list[int]] = {}
    for one in found.orders:
        orders.setdefault(one.path, []).append(one.line)
    return orders


def _means(run: InvestigateRun) -> dict[str, Any]:
    """Which model works, how it is given tools, and what it may see; fixed for the run."""
    router = run.roster.router
    config = router.resolve(ROLE, STAGE)
    price = run.roster.price(config)
    return {
        "model": config.id,
        "mode": _mode(run),
        "window": config.context_window,
        "chars_per_token": run.roster.ledger.chars_per_token(config.id),
        "parallel": config.concurrency,
        "price": None if price is None else [price.input, price.output],
    }


def _mode(run: InvestigateRun) -> Mode:
    """Tool calling where the server is known to do it; otherwise the same tools through a JSON contract."""
    config = run.roster.router.resolve(ROLE, STAGE)
    if config.protocol in _NATIVE:
        return "native"
    model = run.roster.model(config)
    ask = getattr(model, "calls_tools", None)
    if ask is None:
        return (
            "native" if config.protocol in _HOSTED and config.base_url.startswith("https://api.openai.com") else "json"
        )
    try:
        return "native" if ask() else "json"
    except BottegaError:
        return "json"


def options_of(state: InvestigateState) -> Options:
    return Options(state.exclude, state.everything, state.hidden, state.own)


def looking_of(state: InvestigateState, run: InvestigateRun) -> Looking:
    return Looking(Path(state.target), options_of(state), run.tools.mask)


def means_of(state: InvestigateState, run: InvestigateRun) -> Means:
    settings = run.settings_as(InvestigateSettings)
    mode: Mode = "native" if state.mode == "native" else "json"
    reply = min(settings.reply_tokens, max(200, state.window // 4))
    return Means(ROLE, mode, state.window, state.chars_per_token, reply)


def meter_of(state: InvestigateState, run: InvestigateRun) -> Meter:
    """The account of the run so far."""
    settings = run.settings_as(InvestigateSettings)
    most = state.max_turns or settings.max_turns or 10 * len(state.units) + 20
    return Meter(most, turns=state.turns, tokens=state.tokens)


def is_tiny(state: InvestigateState) -> bool:
    """Too small for a survey or a plan to help."""
    return state.scan["files"] < 5 and len(state.units) < 2
