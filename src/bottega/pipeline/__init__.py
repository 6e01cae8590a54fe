"""Pipelines: step graphs in YAML, run by one engine that can stop anywhere and go on."""

from bottega.pipeline.draw import as_mermaid, as_text
from bottega.pipeline.engine import Engine, Finished
from bottega.pipeline.fanout import Landed, fan_in, fan_out
from bottega.pipeline.kinds import ALLOW, DONE, Action, Kind, KindSettings, Params, State, action, actions_of
from bottega.pipeline.load import Folder, Library
from bottega.pipeline.run import Event, Run
from bottega.pipeline.spec import Pipeline, Place, StepSpec

__all__ = [
    "ALLOW",
    "DONE",
    "Action",
    "Engine",
    "Event",
    "Finished",
    "Folder",
    "Kind",
    "KindSettings",
    "Landed",
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
    "fan_in",
    "fan_out",
]
