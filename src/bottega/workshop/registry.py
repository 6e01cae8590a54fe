"""Every kind and verb by name. Outside packages join by the entry points `bottega.kinds` and `bottega.verbs`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from bottega.errors import InputError
from bottega.verbs import Verb

if TYPE_CHECKING:
    from bottega.pipeline import Kind

KINDS = {
    "write": "bottega.write:KIND",
    "enrich": "bottega.enrich:KIND",
    "ask": "bottega.ask:KIND",
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
    "stats": "bottega.retrieve:STATS",
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
    "models.probe": "bottega.workshop.models:PROBE",
    "models.leaderboard": "bottega.workshop.models:LEADERBOARD",
    "models.pull": "bottega.workshop.models:PULL",
    "models.remove": "bottega.workshop.models:REMOVE",
    "pipelines": "bottega.workshop.pipelines:PIPELINES",
    "pipelines.show": "bottega.workshop.pipelines:PIPELINES_SHOW",
    "pipelines.check": "bottega.workshop.pipelines:PIPELINES_CHECK",
    "config": "bottega.workshop.configuration:CONFIG",
    "config.check": "bottega.workshop.configuration:CONFIG_CHECK",
    "init": "bottega.workshop.configuration:INIT",
    "trust": "bottega.workshop.trusting:TRUST",
    "trust.records": "bottega.workshop.trusting:TRUST_RECORDS",
}


@cache
def load_kinds() -> Mapping[str, Kind]:
    """Every kind of pipeline that can be run here."""
    from bottega.pipeline import Kind

    kinds = {name: _load(place) for name, place in KINDS.items()}
    kinds |= {entry.name: entry.load() for entry in entry_points(group="bottega.kinds")}
    for name, kind in kinds.items():
        assert isinstance(kind, Kind), f"{name} is not a Kind"
    return kinds


def verb_names() -> list[str]:
    return sorted({*VERBS, *(entry.name for entry in entry_points(group="bottega.verbs"))})


def find_verb(name: str) -> Verb[Any, Any]:
    """Raise `InputError` for a verb that there is not."""
    found = _load(VERBS[name]) if name in VERBS else None
    for entry in () if found else entry_points(group="bottega.verbs", name=name):
        found = entry.load()
    if not isinstance(found, Verb):
        raise InputError(f"there is no verb {name!r}", hint=f"Verbs: {', '.join(verb_names())}.")
    return found


def _load(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(module), attribute)
