"""The report from what is known of all directories; by rule when no model writes it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bottega.errors import InputError
from bottega.investigate import toolset
from bottega.investigate.context import create_turn_budget, get_model_profile, open_files
from bottega.investigate.entries import Flag
from bottega.investigate.flagging import FlagCollector, count_refused, keep_flag
from bottega.investigate.flags import flag_scan, merge_flags
from bottega.investigate.imports import DirectoryImport
from bottega.investigate.lookups import Lookups
from bottega.investigate.state import InvestigateState, LoopUsage, Synthesis
from bottega.investigate.stored import SYNTHESIS
from bottega.investigate.synthesis_prompt import build_synthesis_request, compute_synthesis_key
from bottega.investigate.synthesis_reply import SynthesisReader
from bottega.investigate.synthesis_rules import synthesize_by_rule
from bottega.investigate.tools import InvestigateRun
from bottega.models import Request, fenced
from bottega.pipeline import DONE, action
from bottega.pipeline.toolloop import LoopResult, SchemaSubmit, SchemaTool, ToolLoop

_MAX_TURNS = 5


@action(DONE)
def synthesize(state: InvestigateState, run: InvestigateRun) -> str:
    """Say what the target is as a whole; there is always a report, if need be by rule."""
    flags = [flag for entry in state.entries.values() for flag in entry.flags]
    state.dropped_flags = sum(entry.dropped_flags for entry in state.entries.values())
    state.flags = merge_flags([*flag_scan(state.scan), *flags])
    if not state.entries:
        state.synthesis = synthesize_by_rule(state, "no directory was investigated")
        return DONE
    paths = [unit.path for unit in state.units]
    edges = run.effect("imports", lambda: run.tools.list_imports(Path(state.target), paths, state.scan["files"]))
    state.imports = tuple(DirectoryImport.model_validate(edge) for edge in edges)
    request = build_synthesis_request(state, get_model_profile(state, run))
    key = compute_synthesis_key(request.prompt_version, state)
    store = run.tools.investigations
    stored = run.effect("known synthesis", lambda: store.read(state.investigation, SYNTHESIS))
    known = _parse_stored(stored, key)
    if known is not None:
        state.synthesis, extra = known
        state.flags = merge_flags([*state.flags, *extra])
        run.decide("synthesis", "kept", "every summary is as it was")
        return DONE
    lookups = Lookups(state.units[0], open_files(state, run), run.effect)
    injections = {path: frozenset(lines) for path, lines in state.orders.items()}
    flagging = FlagCollector(lookups, injections, lambda flag: keep_flag(flag, state, run))
    result = _hold_loop(state, run, request, lookups, flagging)
    _take_over(state, result, flagging)
    if result.submitted is not None:
        value = {
            "key": key,
            "synthesis": result.submitted.model_dump(mode="json"),
            "flags": [flag.model_dump(mode="json") for flag in flagging.flags],
        }
        run.effect("keep synthesis", lambda: store.write(state.investigation, SYNTHESIS, value))
    return DONE


def _hold_loop(
    state: InvestigateState, run: InvestigateRun, request: Request, lookups: Lookups, flagging: FlagCollector
) -> LoopResult[Synthesis]:
    budget = create_turn_budget(state, run)
    loop = ToolLoop(
        tools=[
            SchemaTool(toolset.READ_CACHE, lambda arguments, room: _read_cache(state, arguments, room)),
            SchemaTool(toolset.LIST_CACHE, lambda arguments, room: _list_cache(state, arguments, room)),
            SchemaTool(toolset.FLAG, flagging.flag, reports=True),
        ],
        submit=SchemaSubmit(toolset.SUBMIT_SYNTHESIS, SynthesisReader(lookups, state).read),
        model=get_model_profile(state, run),
        max_turns=_MAX_TURNS,
        budget=budget,
    )
    result = loop.run(run, request, label="synthesis")
    state.turns, state.tokens = budget.turns, budget.tokens
    return result


def _take_over(state: InvestigateState, result: LoopResult[Synthesis], flagging: FlagCollector) -> None:
    usage = LoopUsage(
        label="(synthesis)",
        tier="synthesis",
        turns_allotted=_MAX_TURNS,
        turns_used=result.turns,
        tokens=result.tokens,
        reason=result.reason,
    )
    state.used = (*state.used, usage)
    state.flags = merge_flags([*state.flags, *flagging.flags])
    state.dropped_flags += count_refused(result.calls)
    if result.submitted is None:
        state.synthesis = synthesize_by_rule(state, result.reason)
        state.gaps = (*state.gaps, f"the report is put together by rule: {result.reason}")
    else:
        state.synthesis = result.submitted


def _parse_stored(stored: Any, key: str) -> tuple[Synthesis, list[Flag]] | None:
    """The report of an earlier run and its flags, if it was made from the same facts."""
    if not isinstance(stored, dict) or stored.get("key") != key:
        return None
    try:
        flags = [Flag.model_validate(flag) for flag in stored.get("flags", [])]
        return Synthesis.model_validate(stored.get("synthesis")), flags
    except (ValueError, TypeError):
        return None


def _read_cache(state: InvestigateState, arguments: Mapping[str, Any], room: int) -> str:
    path = _parse_path(arguments)
    entry = state.files.get(path) or state.entries.get(f"{path}/" if path else "")
    if entry is None:
        raise InputError(f"nothing is kept about {path or '.'}")
    return fenced(entry.summary[:room])


def _list_cache(state: InvestigateState, arguments: Mapping[str, Any], room: int) -> str:
    path = _parse_path(arguments)
    return fenced("\n".join(file for file in state.files if file.startswith(path))[:room] or "(nothing)")


def _parse_path(arguments: Mapping[str, Any]) -> str:
    written = arguments.get("path")
    path = written.strip().strip("/") if isinstance(written, str) else ""
    return "" if path == "." else path
