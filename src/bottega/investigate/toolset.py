"""The tools as models see them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bottega.investigate.entries import SEVERITIES
from bottega.models import Tool

_SHARE = {"type": "number"}
_LINE = {"type": "integer"}


def _text(most: int) -> dict[str, Any]:
    """Bounded, so that a small model under constrained decoding comes to an end."""
    return {"type": "string", "maxLength": most}


def _texts(most: int, each: int) -> dict[str, Any]:
    return {"type": "array", "items": _text(each), "maxItems": most}


def _tool(name: str, description: str, needed: dict[str, Any], **more: Any) -> Tool:
    return Tool(name, description, {"type": "object", "properties": {**needed, **more}, "required": list(needed)})


_PATH, _WORDS, _SENTENCES = _text(200), _text(160), _text(300)
READ_FILE = _tool("read_file", "Lines of a file, numbered.", {"path": _PATH}, first=_LINE, last=_LINE)
LIST_DIRECTORY = _tool(
    "list_directory", "Names, sizes and kinds in a directory.", {"path": _PATH}, show_hidden={"type": "boolean"}
)
SEARCH_TEXT = _tool(
    "search_text", "Lines that hold a text, in a file or below a directory.", {"text": _WORDS}, path=_PATH
)
STAT = _tool("stat", "Size, kind and age of one path.", {"path": _PATH})
PARSE_STRUCTURE = _tool("parse_structure", "What a source file defines and imports.", {"path": _PATH})
WRITE_CACHE = _tool(
    "write_cache",
    "Keep a summary of a file (kind file) or of this directory (kind dir). Never its contents.",
    {"kind": {"enum": ["file", "dir"]}, "path": _PATH, "summary": _SENTENCES, "confidence": _SHARE},
    confidence_reason=_WORDS,
    notable_reason=_WORDS,
)
THINK = _tool(
    "think",
    "Note what you see, what you suppose and what you look at next.",
    {"observation": _SENTENCES},
    hypothesis=_WORDS,
    next_action=_WORDS,
)
CHECKPOINT = _tool(
    "checkpoint",
    "Note what is known and what is not.",
    {"learned": _SENTENCES},
    still_unknown=_WORDS,
    next_phase=_WORDS,
)
FLAG = _tool(
    "flag",
    "Report at once what the owner should know. For a text file give a line and quote it exactly.",
    {"path": _PATH, "finding": _SENTENCES, "severity": {"enum": list(SEVERITIES)}},
    line=_LINE,
    quote=_text(240),
)
SUBMIT_REPORT = _tool(
    "submit_report",
    "End: what this directory is, in 1 to 3 sentences.",
    {"summary": _text(600), "completeness": _SHARE},
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
    SUBMIT_REPORT,
)
LOOKS = frozenset({"read_file", "list_directory", "search_text", "stat", "parse_structure", "think", "checkpoint"})
NAMES = tuple(tool.name for tool in DIRECTORY)

SUBMIT_SURVEY = _tool(
    "submit_survey",
    "What this target is, and how to go about it.",
    {
        "description": _SENTENCES,
        "approach": _SENTENCES,
        "relevant_tools": _texts(10, 20),
        "skip_tools": _texts(6, 20),
        "domain_notes": _SENTENCES,
        "confidence": _SHARE,
    },
)
_WHY = {"type": "object", "properties": {"path": _PATH, "reason": _WORDS}, "required": ["path", "reason"]}
_WORTH = {
    "type": "object",
    "properties": {"path": _PATH, "reason": _WORDS, "suggested_turns": _LINE},
    "required": ["path", "reason", "suggested_turns"],
}
SUBMIT_PLAN = _tool(
    "submit_plan",
    "Which directories deserve how much attention; what you do not name gets the usual.",
    {
        "priority_dirs": {"type": "array", "items": _WORTH, "maxItems": 10},
        "shallow_dirs": {"type": "array", "items": _WHY, "maxItems": 20},
        "skip_dirs": {"type": "array", "items": _WHY, "maxItems": 20},
        "investigation_order": {"enum": ["leaf-first", "priority-first"]},
        "notes": _SENTENCES,
    },
)
_PART = {
    "type": "object",
    "properties": {"name": _text(60), "path": _PATH, "role": _WORDS},
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
        "components": {"type": "array", "items": _PART, "maxItems": 12},
        "entry_points": _texts(12, 160),
        "technologies": _texts(12, 160),
        "datasets": _texts(12, 160),
        "concerns": _texts(12, 160),
    },
)
SYNTHESIS = (READ_CACHE, LIST_CACHE, FLAG, SUBMIT_SYNTHESIS)


def without(hidden: Iterable[str], *, slim: bool = False) -> tuple[Tool, ...]:
    """The tools of a directory without those that a survey hides; slim ones ask for no reasons.

    A small model fills every field it may, and words cost it most of its time.
    """
    away = frozenset(hidden)
    tools = tuple(tool for tool in DIRECTORY if tool.name not in away)
    return tuple(_slimmed(tool) if slim and tool in (WRITE_CACHE, THINK, CHECKPOINT) else tool for tool in tools)


def _slimmed(tool: Tool) -> Tool:
    needed = {name: tool.parameters["properties"][name] for name in tool.parameters["required"]}
    return _tool(tool.name, tool.description, needed)
