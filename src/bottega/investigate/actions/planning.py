"""The plan: which directories get how many turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bottega.investigate import toolset
from bottega.investigate.actions.submitting import ask_to_submit
from bottega.investigate.allotting import DEFAULT_TURNS, allot_turns
from bottega.investigate.context import get_model_profile, is_tiny
from bottega.investigate.entries import DirEntry
from bottega.investigate.numbers import parse_share
from bottega.investigate.plans import Plan, parse_plan
from bottega.investigate.prompt_text import describe_signals, describe_survey
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.investigate.stored import EVALUATION, PLAN, load_directories, load_plan
from bottega.investigate.tools import InvestigateRun
from bottega.investigate.units import fit_lines, format_path, hash_key
from bottega.models import Request, fenced, load_prompt
from bottega.pipeline import DONE, action
from bottega.pipeline.toolloop import describe_call_format
from bottega.source import quote_name

STAGE = "investigate.plan"
_TREE_SHARE = 0.35
_MAX_LISTED = 40


@action(DONE)
def plan_turns(state: InvestigateState, run: InvestigateRun) -> str:
    """Give every directory its turns, children before parents; what is known already needs none."""
    store, settings = run.tools.investigations, run.settings_as(InvestigateSettings)
    known = run.effect("known directories", lambda: load_directories(state, store))
    state.entries = {path: DirEntry.model_validate(value) for path, value in known.items()}
    state.cached = tuple(state.entries)
    paths = [unit.path for unit in state.units]
    if len(known) < len(paths) and settings.planning and not is_tiny(state):
        state.plan = _make_plan(state, run, paths)
    allotted = allot_turns(state.plan, paths, ceiling=state.max_turns or settings.max_turns)
    state.allotted = tuple(allotment for allotment in allotted if allotment.path not in known)
    if state.plan is not None:
        _report_plan(state, state.plan, run)
    return DONE


def _report_plan(state: InvestigateState, plan: Plan, run: InvestigateRun) -> None:
    tiers = [allotment.tier for allotment in state.allotted]
    run.say(
        f"plan: {tiers.count('priority')} priority, {tiers.count('default')} usual, {tiers.count('shallow')}"
        f" shallow, {tiers.count('skip')} skipped"
    )
    if plan.unknown:
        run.say(f"the plan names what is no directory to investigate here: {', '.join(plan.unknown[:5])}")


def _make_plan(state: InvestigateState, run: InvestigateRun, paths: list[str]) -> Plan | None:
    """The stored plan if it was made from the same facts, otherwise a model's; `None` when it submits none."""
    stored = run.effect("known plan", lambda: _load_stored(state, run))
    version = load_prompt("bottega.investigate", "plan").version
    facts = _collect_facts(state, paths)
    key = hash_key(version, state.model, *facts.values())
    if stored["key"] == key:
        run.decide("plan", "kept", "the same names as at the last time")
        return Plan.model_validate(stored["plan"])
    plan, reason = ask_to_submit(
        state,
        run,
        _build_request(state, run, facts, stored["evaluation"]),
        toolset.SUBMIT_PLAN,
        label="plan",
        parse=lambda arguments: parse_plan(arguments, paths, Path(state.target).name),
        reminder="call submit_plan",
    )
    if plan is None:
        state.gaps = (*state.gaps, f"no plan: {reason}")
        return None
    value = {"key": key, "plan": plan.model_dump(mode="json")}
    run.effect("keep plan", lambda: run.tools.investigations.write(state.investigation, PLAN, value))
    return plan


def _collect_facts(state: InvestigateState, paths: list[str]) -> dict[str, str]:
    """What a plan is made from; the tree in full, because how much of it is shown depends on the window."""
    return {
        "survey": fenced(describe_survey(state.survey)),
        "signals": fenced(describe_signals(state)),
        "tree": state.tree,
        "directories": str(len(paths)),
        "usual": str(DEFAULT_TURNS),
        "budget": str(DEFAULT_TURNS * len(paths)),
    }


def _build_request(
    state: InvestigateState, run: InvestigateRun, facts: dict[str, str], evaluation: dict[str, Any]
) -> Request:
    prompt = load_prompt("bottega.investigate", "plan")
    model = get_model_profile(state, run)
    known = ", ".join(format_path(path) for path in sorted(state.entries)[:_MAX_LISTED])
    tree = fenced(fit_lines(state.tree, int(model.window_chars * _TREE_SHARE)))
    return Request.of(
        prompt.fill(
            **(facts | {"tree": tree}), known=fenced(known or "(none)"), evaluation=_describe_evaluation(evaluation)
        ),
        system=prompt.fill_system(contract=describe_call_format(model.mode)),
        stage=STAGE,
        prompt_version=prompt.version,
    )


def _load_stored(state: InvestigateState, run: InvestigateRun) -> dict[str, Any]:
    """The last plan, if it is valid, and how it turned out."""
    store = run.tools.investigations
    evaluation = store.read(state.investigation, EVALUATION)
    key, plan = load_plan(state.investigation, store)
    return {
        "key": key,
        "plan": {} if plan is None else plan.model_dump(mode="json"),
        "evaluation": evaluation if isinstance(evaluation, dict) else {},
    }


def _describe_evaluation(evaluation: dict[str, Any]) -> str:
    """How the last plan turned out, for the model that makes the next."""
    rows = evaluation.get("per_directory")
    if not isinstance(rows, list) or not rows:
        return "(there was none)"
    lines = [f"used {evaluation.get('total_turns_used')} of {evaluation.get('total_turns_allocated')} turns"]
    readable = [row for row in rows if isinstance(row, dict)]
    readable.sort(key=lambda row: -(parse_share(row.get("utilization")) or 0.0))
    for row in readable[:_MAX_LISTED]:
        rated = f", completeness {row['completeness']}" if row.get("completeness") is not None else ""
        reason = f", {row['reason']}" if row.get("reason") else ""
        lines.append(
            f"{quote_name(str(row.get('dir')))}: {row.get('planned_tier')}, {row.get('turns_used')} of"
            f" {row.get('turns_allocated')} turns{rated}{reason}"
        )
    return fenced("\n".join(line[:200] for line in lines))
