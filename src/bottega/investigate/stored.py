"""What earlier runs stored about a target, and whether it still holds."""

from __future__ import annotations

from typing import Any

from bottega.investigate.entries import DirEntry, FileEntry, parse_entry
from bottega.investigate.plans import Plan
from bottega.investigate.state import InvestigateState
from bottega.investigate.units import Unit, hash_key
from bottega.journal import InvestigationStore
from bottega.models import load_prompt

FLAGS = "flags.jsonl"
SURVEY, PLAN, EVALUATION, SYNTHESIS = "survey.json", "plan.json", "plan_evaluation.json", "synthesis.json"


def compute_directory_key(unit: Unit, state: InvestigateState) -> str:
    """The hash of everything a directory's entry depends on: content, prompt, model, options."""
    version = load_prompt("bottega.investigate", "directory").version
    options = f"{state.exclude} {state.everything} {state.hidden}"
    return hash_key(unit.path, unit.content, version, state.model, options, *unit.children)


def load_directories(state: InvestigateState, store: InvestigationStore) -> dict[str, Any]:
    """Entries whose key still holds and that are complete, as are all entries below them."""
    found: dict[str, Any] = {}
    incomplete: set[str] = set()
    for unit in sorted(state.units, key=lambda unit: -unit.path.count("/")):
        entry = parse_entry(DirEntry, store.entry(state.investigation, "dirs", unit.path))
        if entry is None or entry.key != compute_directory_key(unit, state):
            continue
        if entry.partial or incomplete.intersection(unit.children):
            incomplete.add(unit.path)
        else:
            found[unit.path] = entry.model_dump(mode="json")
    return found


def load_files(unit: Unit, state: InvestigateState, store: InvestigationStore) -> list[dict[str, Any]]:
    """Entries of those files of a directory whose content is what it was."""
    found = []
    for file in unit.files:
        path = unit.path_of(file)
        entry = parse_entry(FileEntry, store.entry(state.investigation, "files", path))
        if entry is not None and entry.digest == file.digest and entry.relative_path == path:
            found.append(entry.model_dump(mode="json"))
    return found


def load_plan(investigation: str, store: InvestigationStore) -> tuple[str, Plan | None]:
    """The last plan and the key of what it was made from; `None` when there is none or it is invalid."""
    stored = store.read(investigation, PLAN)
    if not isinstance(stored, dict) or not isinstance(stored.get("key"), str):
        return "", None
    try:
        return stored["key"], Plan.model_validate(stored.get("plan"))
    except ValueError:
        return "", None
