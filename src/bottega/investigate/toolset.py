"""Definitions of the tools of each pass, as models see them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bottega.investigate.entries import SEVERITIES
from bottega.models import Tool

_NUMBER = {"type": "number"}
_INTEGER = {"type": "integer"}


def _text(max_chars: int) -> dict[str, Any]:
    """A text field of bounded length: under constrained decoding a small model may otherwise never end a string."""
    return {"type": "string", "maxLength": max_chars}


def _texts(max_items: int, max_chars: int) -> dict[str, Any]:
    return {"type": "array", "items": _text(max_chars), "maxItems": max_items}


def _tool(name: str, description: str, required: dict[str, Any], **optional: Any) -> Tool:
    properties = {**required, **optional}
    return Tool(name, description, {"type": "object", "properties": properties, "required": list(required)})


_PATH, _PHRASE, _SENTENCES = _text(200), _text(160), _text(300)
READ_FILE = _tool("read_file", "Lines of a file, numbered.", {"path": _PATH}, first=_INTEGER, last=_INTEGER)
LIST_DIRECTORY = _tool(
    "list_directory", "Names, sizes and kinds in a directory.", {"path": _PATH}, show_hidden={"type": "boolean"}
)
SEARCH_TEXT = _tool(
    "search_text", "Lines that hold a text, in a file or below a directory.", {"text": _PHRASE}, path=_PATH
)
STAT = _tool("stat", "Size, kind and age of one path.", {"path": _PATH})
PARSE_STRUCTURE = _tool("parse_structure", "What a source file defines and imports.", {"path": _PATH})
WRITE_CACHE = _tool(
    "write_cache",
    "Keep a summary of a file (kind file) or of this directory (kind dir). Never its contents.",
    {"kind": {"enum": ["file", "dir"]}, "path": _PATH, "summary": _SENTENCES, "confidence": _NUMBER},
    confidence_reason=_PHRASE,
    notable_reason=_PHRASE,
)
THINK = _tool(
    "think",
    "Note what you see, what you suppose and what you look at next.",
    {"observation": _SENTENCES},
    hypothesis=_PHRASE,
    next_action=_PHRASE,
)
CHECKPOINT = _tool(
    "checkpoint",
    "Note what is known and what is not.",
    {"learned": _SENTENCES},
    still_unknown=_PHRASE,
    next_phase=_PHRASE,
)
FLAG = _tool(
    "flag",
    "Report at once what the owner should know. For a text file give a line and quote it exactly.",
    {"path": _PATH, "finding": _SENTENCES, "severity": {"enum": list(SEVERITIES)}},
    line=_INTEGER,
    quote=_text(240),
)
SUBMIT_REPORT = _tool(
    "submit_report",
    "End: what this directory is, in 1 to 3 sentences.",
    {"summary": _text(600), "completeness": _NUMBER},
)
DIRECTORY = (
    READ_FILE,
    LIST_DIRECTORY,
    SEARCH_TEXT,
    STAT,
    PARSE_STRUCTURE,
    WRITE_CACHE,
    THINK,
    CHECKPOINT,
    FLAG,
)
EXPLORING = frozenset({"read_file", "list_directory", "search_text", "stat", "parse_structure", "think", "checkpoint"})
NAMES = (*(tool.name for tool in DIRECTORY), SUBMIT_REPORT.name)

SUBMIT_SURVEY = _tool(
    "submit_survey",
    "What this target is, and how to go about it.",
    {
        "description": _SENTENCES,
        "approach": _SENTENCES,
        "relevant_tools": _texts(10, 20),
        "skip_tools": _texts(6, 20),
        "domain_notes": _SENTENCES,
        "confidence": _NUMBER,
    },
)
_REASONED_PATH = {"type": "object", "properties": {"path": _PATH, "reason": _PHRASE}, "required": ["path", "reason"]}
_PRIORITY = {
    "type": "object",
    "properties": {"path": _PATH, "reason": _PHRASE, "suggested_turns": _INTEGER},
    "required": ["path", "reason", "suggested_turns"],
}
SUBMIT_PLAN = _tool(
    "submit_plan",
    "Which directories deserve how much attention; what you do not name gets the usual.",
    {
        "priority_dirs": {"type": "array", "items": _PRIORITY, "maxItems": 10},
        "shallow_dirs": {"type": "array", "items": _REASONED_PATH, "maxItems": 20},
        "skip_dirs": {"type": "array", "items": _REASONED_PATH, "maxItems": 20},
        "investigation_order": {"enum": ["leaf-first", "priority-first"]},
        "notes": _SENTENCES,
    },
)
_COMPONENT = {
    "type": "object",
    "properties": {"name": _text(60), "path": _PATH, "role": _PHRASE},
    "required": ["name", "path", "role"],
}
READ_CACHE = _tool("read_cache", "What is kept about a file or a directory.", {"path": _PATH})
LIST_CACHE = _tool("list_cache", "Paths of files about which something is kept.", {"path": _PATH})
SUBMIT_SYNTHESIS = _tool(
    "submit_report",
    "End: the whole report.",
    {
        "brief": _text(800),
        "detailed": _text(1800),
        "components": {"type": "array", "items": _COMPONENT, "maxItems": 12},
        "entry_points": _texts(12, 160),
        "technologies": _texts(12, 160),
        "datasets": _texts(12, 160),
        "concerns": _texts(12, 160),
    },
)
SYNTHESIS = (READ_CACHE, LIST_CACHE, FLAG)


def select_directory_tools(hidden: Iterable[str], *, slim: bool = False) -> tuple[Tool, ...]:
    """The tools of a directory without those that a survey hides; slim ones have no optional parameters.

    A small model fills every field it may, and text costs it most of its time.
    """
    excluded = frozenset(hidden)
    tools = tuple(tool for tool in DIRECTORY if tool.name not in excluded)
    return tuple(_slim(tool) if slim and tool in (WRITE_CACHE, THINK, CHECKPOINT) else tool for tool in tools)


def _slim(tool: Tool) -> Tool:
    required = {name: tool.parameters["properties"][name] for name in tool.parameters["required"]}
    return _tool(tool.name, tool.description, required)
