"""Assemble the report, store it, and hand the summaries to the knowledge base."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bottega.amounts import plural
from bottega.investigate.entries import Coverage
from bottega.investigate.flags import flag_scan, merge_flags
from bottega.investigate.report import InvestigationReport, build_report
from bottega.investigate.state import InvestigateState
from bottega.investigate.stored import FLAGS
from bottega.investigate.synthesis_rules import synthesize_by_rule
from bottega.investigate.tools import InvestigateRun
from bottega.pipeline import DONE, action

_REPORT = "report.json"


@action()
def finish(state: InvestigateState, run: InvestigateRun) -> str:
    """Store the report; delete the entries of directories that no longer exist."""
    if state.synthesis is None:
        state.flags = merge_flags(flag_scan(state.scan))
        state.synthesis = synthesize_by_rule(state, "no model was asked")
    state.coverage = _sum_coverage(state)
    state.cost = run.effect("cost", lambda: run.tools.find_cost(run.id))
    report = build_report(state, run.id)
    run.effect("keep report", lambda: _store(state, run, report))
    if state.files or state.entries:
        described = run.effect(
            "describe",
            lambda: run.tools.describe(run.id, Path(state.target), state.files, state.entries),
        )
        if described:
            run.say(f"{plural(described, 'summary')} added to the knowledge base")
    run.outcome("investigated", "partial" if state.gaps else "complete", "; ".join(state.gaps))
    return DONE


def _sum_coverage(state: InvestigateState) -> Coverage:
    """The coverage of all directories; nothing was read of those without an entry."""
    missing = [unit for unit in state.units if unit.path not in state.entries]
    total = Coverage(files=sum(unit.count for unit in missing), bytes=sum(unit.bytes for unit in missing))
    for entry in state.entries.values():
        total += entry.coverage
    return total


def _store(state: InvestigateState, run: InvestigateRun, report: InvestigationReport) -> None:
    store, name = run.tools.investigations, state.investigation
    store.rewrite(name, FLAGS, [flag.model_dump(mode="json") for flag in state.flags])
    store.write(name, "meta.json", _build_meta(state, run))
    if state.entries and not state.left_directories:
        store.drop(name, "dirs", [unit.path for unit in state.units])
        store.drop(name, "files", list(state.files))
    store.write(name, _REPORT, json.loads(report.model_dump_json()))


def _build_meta(state: InvestigateState, run: InvestigateRun) -> dict[str, Any]:
    return {
        "investigation_id": state.investigation,
        "target": state.target,
        "run": run.id,
        "start_time": state.began,
        "model": state.model,
        "directories_investigated": len(state.entries),
        "directories_known": len(state.cached),
        "total_turns": state.turns,
        "total_tokens": state.tokens,
    }
