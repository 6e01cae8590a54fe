"""Doubles that behave: what a test needs to stand where a model or a server would."""

from bottega.models.providers.scripted import ScriptedModel
from bottega.testing.answer import Answer
from bottega.testing.mishaps import CutStream, Delay, Fail, Garbage, Hang, Redirect, TruncatedJson
from bottega.testing.server import ScriptedServer
from bottega.testing.shelf import ServedModel
from bottega.testing.shop import scripted_workshop
from bottega.testing.steps import CutPrompt, Loop, Prose, Say, Step
from bottega.testing.wire import Received, ToolCall, Wire

__all__ = [
    "Answer",
    "CutPrompt",
    "CutStream",
    "Delay",
    "Fail",
    "Garbage",
    "Hang",
    "Loop",
    "Prose",
    "Received",
    "Redirect",
    "Say",
    "ScriptedModel",
    "ScriptedServer",
    "ServedModel",
    "Step",
    "ToolCall",
    "TruncatedJson",
    "Wire",
    "scripted_workshop",
]
