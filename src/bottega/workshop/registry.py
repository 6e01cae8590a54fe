"""Every kind and verb by name. Outside packages join by the entry points `bottega.kinds` and `bottega.verbs`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from bottega.errors import InputError, SettingsError
from bottega.verbs import Verb

if TYPE_CHECKING:
    from bottega.pipeline import Kind

KIND_ENTRY_POINTS, VERB_ENTRY_POINTS = "bottega.kinds", "bottega.verbs"
KINDS = {
    "write": "bottega.write:KIND",
    "enrich": "bottega.enrich:KIND",
    "ask": "bottega.ask:KIND",
    "retrieve": "bottega.judge:KIND",
    "trial": "bottega.judge:TRIAL_KIND",
    "review": "bottega.review:KIND",
    "investigate": "bottega.investigate:KIND",
}
VERBS = {
    "index": "bottega.retrieve:INDEX",
    "verify": "bottega.retrieve:VERIFY",
    "search": "bottega.retrieve:SEARCH",
    "show": "bottega.retrieve:SHOW",
    "graph": "bottega.retrieve:GRAPH",
    "map": "bottega.retrieve:MAP",
    "retrieve": "bottega.judge:RETRIEVE",
    "stats": "bottega.retrieve:STATS",
    "similar": "bottega.retrieve:SIMILAR",
    "unused": "bottega.retrieve:UNUSED",
    "ask": "bottega.ask:ASK",
    "chats": "bottega.ask:CHATS",
    "chats.show": "bottega.ask:CHATS_SHOW",
    "chats.delete": "bottega.ask:CHATS_DELETE",
    "write": "bottega.write:WRITE",
    "review": "bottega.review:REVIEW",
    "review.list": "bottega.review:REVIEW_LIST",
    "review.show": "bottega.review:REVIEW_SHOW",
    "review.explain": "bottega.review:REVIEW_EXPLAIN",
    "review.compare": "bottega.review:REVIEW_COMPARE",
    "review.dismiss": "bottega.review:REVIEW_DISMISS",
    "investigate": "bottega.investigate:INVESTIGATE",
    "investigate.estimate": "bottega.investigate:ESTIMATE",
    "investigate.forget": "bottega.investigate:FORGET",
    "investigate.note_report": "bottega.investigate:NOTE_REPORT",
    "scan": "bottega.investigate:SCAN",
    "enrich": "bottega.enrich:ENRICH",
    "enrich.estimate": "bottega.enrich:ENRICH_ESTIMATE",
    "enrich.promote": "bottega.enrich:ENRICH_PROMOTE",
    "runs": "bottega.workshop.runs:RUNS",
    "runs.show": "bottega.workshop.runs:RUNS_SHOW",
    "runs.collect": "bottega.workshop.runs:RUNS_COLLECT",
    "models": "bottega.workshop.models:MODELS",
    "models.recommend": "bottega.workshop.recommending:RECOMMEND",
    "models.probe": "bottega.workshop.models:PROBE",
    "models.leaderboard": "bottega.workshop.models:LEADERBOARD",
    "models.trial": "bottega.judge:TRIAL",
    "models.pull": "bottega.workshop.models:PULL",
    "models.remove": "bottega.workshop.models:REMOVE",
    "pipelines": "bottega.workshop.pipelines:PIPELINES",
    "pipelines.show": "bottega.workshop.pipelines:PIPELINES_SHOW",
    "pipelines.check": "bottega.workshop.pipelines:PIPELINES_CHECK",
    "config": "bottega.workshop.configuration:CONFIG",
    "config.check": "bottega.workshop.configuration:CONFIG_CHECK",
    "init": "bottega.workshop.configuration:INIT",
    "doctor": "bottega.workshop.doctor:DOCTOR",
    "trust": "bottega.workshop.trusting:TRUST",
    "trust.records": "bottega.workshop.trusting:TRUST_RECORDS",
}


@cache
def load_kinds() -> Mapping[str, Kind]:
    """Every kind of pipeline that can be run here; those of other packages cannot replace ours.

    Raise `SettingsError` for a package whose kind cannot be loaded.
    """
    from bottega.pipeline import Kind

    entries = [entry for entry in entry_points(group=KIND_ENTRY_POINTS) if entry.name not in KINDS]
    outside = {entry.name: _load_outside(entry, Kind) for entry in entries}
    return outside | {name: _load(place) for name, place in KINDS.items()}


def verb_names() -> list[str]:
    return sorted({*VERBS, *(entry.name for entry in entry_points(group=VERB_ENTRY_POINTS))})


def find_verb(name: str) -> Verb[Any, Any]:
    """Raise `InputError` for a verb that there is not, `SettingsError` for one that cannot be loaded."""
    verb: Verb[Any, Any]
    if name in VERBS:
        verb = _load(VERBS[name])
        return verb
    for entry in entry_points(group=VERB_ENTRY_POINTS, name=name):
        verb = _load_outside(entry, Verb)
        return verb
    raise InputError(f"there is no verb {name!r}", hint=f"Verbs: {', '.join(verb_names())}.")


def _load_outside(entry: EntryPoint, expected: type) -> Any:
    package = entry.dist.name if entry.dist else entry.value
    what = f"the {expected.__name__.lower()} {entry.name} of the package {package}"
    try:
        value = entry.load()
    except (ImportError, AttributeError) as error:
        raise SettingsError(
            f"{what} cannot be loaded: {error}", hint=f"Install a version of {package} that fits this one of bottega."
        ) from error
    if not isinstance(value, expected):
        raise SettingsError(f"{what} is not a {expected.__name__}", hint=f"This is a mistake in {package}.")
    return value


def _load(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)
