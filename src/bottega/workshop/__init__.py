"""The workshop: settings in, every verb out. Doors open one, call verbs, follow runs, and know nothing below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bottega.journal import Event
from bottega.source.text import decode as decode_text
from bottega.workshop.handles import RecordedRun, RunHandle
from bottega.workshop.opening import Opening
from bottega.workshop.registry import find_verb, load_kinds, verb_names
from bottega.workshop.workshop import Workshop

if TYPE_CHECKING:
    from bottega.workshop.runs import CollectRequest, RunRequest, RunsRequest

__all__ = [
    "CollectRequest",
    "Event",
    "Opening",
    "RecordedRun",
    "RunHandle",
    "RunRequest",
    "RunsRequest",
    "Workshop",
    "decode_text",
    "find_verb",
    "load_kinds",
    "verb_names",
]


def __getattr__(name: str) -> Any:
    """The verbs about runs are loaded when they are used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bottega.workshop import runs

    return getattr(runs, name)
