"""Doubles that behave: what a test needs in the place of a model, a server or a journal."""

from bottega.models.providers.scripted import ScriptedModel
from bottega.testing.answer import Answer
from bottega.testing.memory import MemoryRecords, memory_journal
from bottega.testing.mishaps import CutStream, Delay, Fail, Garbage, Hang, Redirect, Stall, TruncatedJson
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
    "MemoryRecords",
    "Prose",
    "Received",
    "Redirect",
    "Say",
    "ScriptedModel",
    "ScriptedServer",
    "ServedModel",
    "Stall",
    "Step",
    "ToolCall",
    "TruncatedJson",
    "Wire",
    "memory_journal",
    "scripted_workshop",
]
