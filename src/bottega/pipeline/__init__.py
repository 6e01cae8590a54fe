"""Pipelines: graphs of steps in YAML, executed by one engine that can resume after any interruption."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bottega.pipeline.draw import as_mermaid, as_text
    from bottega.pipeline.engine import Engine
    from bottega.pipeline.events import EventLog, current_events, event_scope
    from bottega.pipeline.fanout import ItemResult, fan_in, fan_out
    from bottega.pipeline.house import House, choose_pipeline
    from bottega.pipeline.kinds import (
        ALLOW,
        DONE,
        Action,
        Finished,
        Kind,
        KindSettings,
        Params,
        State,
        action,
        actions_of,
    )
    from bottega.pipeline.load import Folder, Library
    from bottega.pipeline.run import Run
    from bottega.pipeline.spec import Pipeline, Place, StepSpec

__all__ = [
    "ALLOW",
    "DONE",
    "Action",
    "Engine",
    "EventLog",
    "Finished",
    "Folder",
    "House",
    "ItemResult",
    "Kind",
    "KindSettings",
    "Library",
    "Params",
    "Pipeline",
    "Place",
    "Run",
    "State",
    "StepSpec",
    "action",
    "actions_of",
    "as_mermaid",
    "as_text",
    "choose_pipeline",
    "current_events",
    "event_scope",
    "fan_in",
    "fan_out",
]

_MODULES = {
    "draw": "as_mermaid as_text",
    "engine": "Engine",
    "events": "EventLog current_events event_scope",
    "fanout": "ItemResult fan_in fan_out",
    "house": "House choose_pipeline",
    "kinds": "ALLOW DONE Action Finished Kind KindSettings Params State action actions_of",
    "load": "Folder Library",
    "run": "Run",
    "spec": "Pipeline Place StepSpec",
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    """Import on first use: a search needs the events and nothing else."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF[name]}"), name)
