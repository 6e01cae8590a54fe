"""`enrich`: what each file is for, in a model's words, kept for the content it was said about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bottega.enrich.actions import ACTIONS, prompt
from bottega.enrich.state import Description, EnrichState, Entry, Wanted
from bottega.enrich.tools import EnrichTools, Material
from bottega.pipeline import Engine, Kind, Pipeline

__all__ = [
    "KIND",
    "Description",
    "EnrichState",
    "EnrichTools",
    "Enriched",
    "Entry",
    "Material",
    "Wanted",
    "enrich",
    "prompt",
]

KIND = Kind("enrich", EnrichState, ACTIONS)


@dataclass(frozen=True, slots=True)
class Enriched:
    run_id: str
    described: int
    failed: tuple[Entry, ...]


def enrich(paths: Sequence[str] = (), *, limit: int = 0, engine: Engine, pipeline: Pipeline) -> Enriched:
    """Describe files that are not described yet; `limit` 0 is all of them."""
    finished = engine.start(pipeline, EnrichState(paths=tuple(paths), limit=limit))
    state = finished.state
    assert isinstance(state, EnrichState)
    failed = tuple(entry for entry in state.entries if entry.description is None)
    return Enriched(finished.run_id, len(state.entries) - len(failed), failed)
