"""Where turns are worth spending."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bottega.investigate import toolset
from bottega.investigate.actions.scanning import is_tiny, means_of
from bottega.investigate.actions.submitting import submitted
from bottega.investigate.actions.surveying import contract_text, signals_text, survey_text
from bottega.investigate.entries import DirEntry, entry_of
from bottega.investigate.numbers import share
from bottega.investigate.plans import DEFAULT_TURNS, Plan, allot, plan_of
from bottega.investigate.state import InvestigateSettings, InvestigateState
from bottega.investigate.tools import InvestigateRun
from bottega.investigate.units import Unit, key_of, named, within
from bottega.journal import Investigations
from bottega.models import Request, fenced, load_prompt
from bottega.pipeline import DONE, action

STAGE = "investigate.plan"
FILE, EVALUATION = "plan.json", "plan_evaluation.json"
_MOST_TOLD = 40


@action(DONE)
def plan_turns(state: InvestigateState, run: InvestigateRun) -> str:
    """Give every directory its turns, children before parents; what is known already needs none."""
    store = run.tools.investigations
    known = run.effect("known directories", lambda: known_entries(state, store))
    entries = {path: DirEntry.model_validate(value) for path, value in known.items()}
    state.entries = entries
    state.cached = tuple(entries)
    names = [unit.path for unit in state.units]
    open_ones = [path for path in names if path not in entries]
    if open_ones and run.settings_as(InvestigateSettings).planning and not is_tiny(state):
        state.plan = _planned(state, run, open_ones)
    ceiling = state.max_turns or run.settings_as(InvestigateSettings).max_turns
    state.allotted = tuple(one for one in allot(state.plan, names, ceiling=ceiling) if one.path not in entries)
    if state.plan is not None:
        tiers = [one.tier for one in state.allotted]
        run.say(
            f"plan: {tiers.count('priority')} priority, {tiers.count('default')} usual, {tiers.count('shallow')}"
            f" shallow, {tiers.count('skip')} skipped"
        )
        if state.plan.unknown:
            run.say(f"the plan names what is no directory to investigate here: {', '.join(state.plan.unknown[:5])}")
    return DONE


def directory_key(unit: Unit, state: InvestigateState) -> str:
    """What an entry depends on: content, prompt, model, options."""
    version = load_prompt("bottega.investigate", "directory").version
    options = f"{state.exclude} {state.everything} {state.hidden}"
    return key_of(unit.path, unit.content, version, state.model, options, *unit.children)


def known_entries(state: InvestigateState, store: Investigations) -> dict[str, Any]:
    """Entries of directories whose content, prompt, model and options are as they were; a partial one is not done."""
    found: dict[str, Any] = {}
    undone: set[str] = set()
    for unit in sorted(state.units, key=lambda one: -one.path.count("/")):
        entry = entry_of(DirEntry, store.entry(state.investigation, "dirs", unit.path))
        if entry is None or entry.key != directory_key(unit, state):
            continue
        if entry.partial or undone.intersection(unit.children):
            undone.add(unit.path)  # what stands above it was said without it
        else:
            found[unit.path] = entry.model_dump(mode="json")
    return found


def _planned(state: InvestigateState, run: InvestigateRun, open_ones: list[str]) -> Plan | None:
    prompt = load_prompt("bottega.investigate", "plan")
    means = means_of(state, run)
    store = run.tools.investigations
    kept = run.effect("known plan", lambda: _kept(state, run))
    room = int(means.window * means.chars_per_token * 0.35)
    names = [unit.path for unit in state.units]
    told = {
        "survey": fenced(survey_text(state.survey)),
        "signals": fenced(signals_text(state)),
        "tree": fenced(within(state.tree, room)),
        "directories": str(len(names)),
        "usual": str(DEFAULT_TURNS),
        "budget": str(DEFAULT_TURNS * len(names)),
    }
    key = key_of(prompt.version, state.model, *(told | {"tree": state.tree}).values())
    if kept["key"] == key:
        run.decide("plan", "kept", "the same names as at the last time")
        return Plan.model_validate(kept["plan"])
    done = sorted(set(names) - set(open_ones))
    request = Request.of(
        prompt.fill(
            **told,
            known=fenced(", ".join(named(path) or "." for path in done[:_MOST_TOLD]) or "(none)"),
            evaluation=_evaluated(kept["evaluation"]),
        ),
        system=prompt.fill_system(contract=contract_text(means.mode)),
        stage=STAGE,
        prompt_version=prompt.version,
    )
    plan, why_not = submitted(
        state,
        run,
        request,
        toolset.SUBMIT_PLAN,
        label="plan",
        read=lambda call: plan_of(call.arguments, names, Path(state.target).name),
        wanted="call submit_plan",
    )
    if plan is None:
        state.gaps = (*state.gaps, f"no plan: {why_not}")
        return None
    value = {"key": key, "plan": plan.model_dump(mode="json")}
    run.effect("keep plan", lambda: store.write(state.investigation, FILE, value))
    return plan


def _kept(state: InvestigateState, run: InvestigateRun) -> dict[str, Any]:
    """The last plan, if it can still be read, and how it turned out."""
    store = run.tools.investigations
    evaluation = store.read(state.investigation, EVALUATION)
    found = {"key": "", "plan": {}, "evaluation": evaluation if isinstance(evaluation, dict) else {}}
    key, plan = kept_plan(state.investigation, store)
    return found if plan is None else found | {"key": key, "plan": plan.model_dump(mode="json")}


def kept_plan(investigation: str, store: Investigations) -> tuple[str, Plan | None]:
    """The last plan, if it can still be read, and the key of what it was made from."""
    kept = store.read(investigation, FILE)
    if not isinstance(kept, dict) or not isinstance(kept.get("key"), str):
        return "", None
    try:
        return kept["key"], Plan.model_validate(kept.get("plan"))
    except ValueError:
        return "", None


def _evaluated(evaluation: dict[str, Any]) -> str:
    """How the last plan turned out, for the one who plans next."""
    rows = evaluation.get("per_directory")
    if not isinstance(rows, list) or not rows:
        return "(there was none)"
    lines = [f"used {evaluation.get('total_turns_used')} of {evaluation.get('total_turns_allocated')} turns"]
    told = [row for row in rows if isinstance(row, dict)]
    told.sort(key=lambda row: -_number(row.get("utilization")))
    for row in told[:_MOST_TOLD]:
        rated = f", completeness {row['completeness']}" if row.get("completeness") is not None else ""
        why = f", {row['reason']}" if row.get("reason") else ""
        lines.append(
            f"{named(str(row.get('dir')))}: {row.get('planned_tier')}, {row.get('turns_used')} of"
            f" {row.get('turns_allocated')} turns{rated}{why}"
        )
    return fenced("\n".join(line[:200] for line in lines))


def _number(value: Any) -> float:
    return share(value) or 0.0
