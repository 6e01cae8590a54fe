"""The panel: which personas review, and which model speaks for each."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Sequence
from importlib import resources
from pathlib import Path
from random import Random

from bottega.errors import InputError
from bottega.models import PanelPreferences, family_of
from bottega.pipeline import action
from bottega.review.actions.subject import get_settings, open_rules
from bottega.review.state import PERSONAS, Reviewer, ReviewState
from bottega.review.tools import ReviewRun
from bottega.settings import USER_PREFIX, UserFiles
from bottega.source.tree import RepositoryFiles

_LONGEST_PERSONA = 8000


@action("chosen", "no_model")
def choose_panel(state: ReviewState, run: ReviewRun) -> str:
    """Choose models for the personas: by how their earlier findings fared, from different families, by the seed."""
    personas = get_settings(run).personas
    for persona in personas:
        read_persona(persona, open_rules(state, run), run.tools.user_files)
    choice = run.effect("panel", lambda: _choose_models(state, run, len(personas)))
    models = choice["models"]
    if not models:
        run.decide("panel", 0, "no model is configured")
        return "no_model"
    names = name_reviewers(personas)
    state.panel = tuple(Reviewer(name=name, model=models[at % len(models)]) for at, name in enumerate(names))
    state.remarks = tuple(choice["remarks"])
    state.independence = _describe_independence(state.panel)
    run.decide("panel", [f"{reviewer.name}: {reviewer.model}" for reviewer in state.panel], f"seed {state.seed}")
    run.say(f"panel: {state.independence}")
    return "chosen"


def _choose_models(state: ReviewState, run: ReviewRun, count: int) -> dict[str, list[str]]:
    pool = [candidate for candidate in run.tools.pool() if not run.roster.is_circuit_open(candidate.model)]
    if not pool:
        return {"models": [], "remarks": []}
    panel = run.tools.bandit.choose(pool, count, Random(state.seed), PanelPreferences())  # noqa: S311 - a draw, no secret
    return {"models": list(panel.models), "remarks": list(panel.remarks)}


def _describe_independence(panel: Sequence[Reviewer]) -> str:
    """Count reviewers, models and families, and say so when all are one model or one family."""
    models = {reviewer.model for reviewer in panel}
    families = {family_of(model) for model in models}
    counts = ", ".join(
        (_format_count(panel, "reviewer"), _format_count(models, "model"), _format_count(families, "family"))
    )
    if len(models) == 1 and len(panel) > 1:
        return f"{counts}: one model in different roles, whose agreement proves little"
    return counts if len(families) > 1 or len(panel) == 1 else f"{counts}: relatives, who make the same mistakes"


def _format_count(things: Collection[object], name: str) -> str:
    plural = name if len(things) == 1 else f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return f"{len(things)} {plural}"


def read_persona(persona: str, files: RepositoryFiles, own: UserFiles) -> str:
    """The text of a persona: one that comes with the package, a file of the project, or one of the user."""
    if persona in PERSONAS:
        shipped = resources.files("bottega.review") / "personas" / f"{persona}.md"
        return " ".join(shipped.read_text(encoding="utf-8").split())
    text = ""
    with contextlib.suppress(OSError):
        text = (own.read_persona(persona, files) or "").strip()
    if not text:
        raise InputError(
            f"there is no persona {persona!r}",
            hint=f"Known: {', '.join(PERSONAS)}; a file of the repository that was there before the change;"
            f" or {USER_PREFIX}NAME for {own.root}/personas/NAME.md.",
        )
    if len(text) > _LONGEST_PERSONA:
        raise InputError(
            f"the persona {persona!r} has {len(text)} characters", hint=f"At most {_LONGEST_PERSONA} are allowed."
        )
    return text


def name_reviewers(personas: Sequence[str]) -> list[str]:
    """A name for each reviewer, none twice."""
    names: list[str] = []
    for persona in personas:
        plain = persona if persona in PERSONAS else Path(persona.removeprefix(USER_PREFIX)).stem
        free = (f"{plain}-{number}" for number in range(2, len(personas) + 2))
        names.append(plain if plain not in names else next(name for name in free if name not in names))
    return names
