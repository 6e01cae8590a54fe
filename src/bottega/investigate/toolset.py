"""The tools as models see them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from bottega.investigate.entries import SEVERITIES
from bottega.models import Tool

_TEXT = {"type": "string"}
_SHARE = {"type": "number"}
_LINE = {"type": "integer"}
_TEXTS = {"type": "array", "items": _TEXT}


def _tool(name: str, description: str, needed: dict[str, Any], **more: Any) -> Tool:
    return Tool(name, description, {"type": "object", "properties": {**needed, **more}, "required": list(needed)})


READ_FILE = _tool("read_file", "Lines of a file, numbered.", {"path": _TEXT}, first=_LINE, last=_LINE)
LIST_DIRECTORY = _tool(
    "list_directory", "Names, sizes and kinds in a directory.", {"path": _TEXT}, show_hidden={"type": "boolean"}
)
SEARCH_TEXT = _tool(
    "search_text", "Lines that hold a text, in a file or below a directory.", {"text": _TEXT}, path=_TEXT
)
STAT = _tool("stat", "Size, kind and age of one path.", {"path": _TEXT})
PARSE_STRUCTURE = _tool("parse_structure", "What a source file defines and imports.", {"path": _TEXT})
WRITE_CACHE = _tool(
    "write_cache",
    "Keep a summary of a file (kind file) or of this directory (kind dir). Never its contents.",
    {"kind": {"enum": ["file", "dir"]}, "path": _TEXT, "summary": _TEXT, "confidence": _SHARE},
    confidence_reason=_TEXT,
    notable_reason=_TEXT,
)
THINK = _tool(
    "think", "Note what you see, what you suppose and what you look at next.", {"observation": _TEXT}, next_action=_TEXT
)
CHECKPOINT = _tool("checkpoint", "Note what is known and what is not.", {"learned": _TEXT}, still_unknown=_TEXT)
FLAG = _tool(
    "flag",
    "Report at once what the owner should know. For a text file give a line and quote it exactly.",
    {"path": _TEXT, "finding": _TEXT, "severity": {"enum": list(SEVERITIES)}},
    line=_LINE,
    quote=_TEXT,
)
SUBMIT_REPORT = _tool(
    "submit_report", "End: what this directory is, in 1 to 3 sentences.", {"summary": _TEXT, "completeness": _SHARE}
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
NAMES = tuple(tool.name for tool in DIRECTORY)

SUBMIT_SURVEY = _tool(
    "submit_survey",
    "What this target is, and how to go about it.",
    {
        "description": _TEXT,
        "approach": _TEXT,
        "relevant_tools": _TEXTS,
        "skip_tools": _TEXTS,
        "domain_notes": _TEXT,
        "confidence": _SHARE,
    },
)
_WHY = {"type": "object", "properties": {"path": _TEXT, "reason": _TEXT}, "required": ["path", "reason"]}
_WORTH = {
    "type": "object",
    "properties": {"path": _TEXT, "reason": _TEXT, "suggested_turns": _LINE},
    "required": ["path", "reason", "suggested_turns"],
}
SUBMIT_PLAN = _tool(
    "submit_plan",
    "Which directories deserve how much attention; what you do not name gets the usual.",
    {
        "priority_dirs": {"type": "array", "items": _WORTH, "maxItems": 20},
        "shallow_dirs": {"type": "array", "items": _WHY, "maxItems": 40},
        "skip_dirs": {"type": "array", "items": _WHY, "maxItems": 40},
        "investigation_order": {"enum": ["leaf-first", "priority-first"]},
        "notes": _TEXT,
    },
)
_PART = {
    "type": "object",
    "properties": {"name": _TEXT, "path": _TEXT, "role": _TEXT},
    "required": ["name", "path", "role"],
}
READ_CACHE = _tool("read_cache", "What is kept about a file or a directory.", {"path": _TEXT})
LIST_CACHE = _tool("list_cache", "Paths of files about which something is kept.", {"path": _TEXT})
SUBMIT_SYNTHESIS = _tool(
    "submit_report",
    "End: the whole report.",
    {
        "brief": _TEXT,
        "detailed": _TEXT,
        "components": {"type": "array", "items": _PART, "maxItems": 12},
        "entry_points": {**_TEXTS, "maxItems": 12},
        "technologies": {**_TEXTS, "maxItems": 12},
        "datasets": {**_TEXTS, "maxItems": 12},
        "concerns": {**_TEXTS, "maxItems": 12},
    },
)
SYNTHESIS = (READ_CACHE, LIST_CACHE, FLAG, SUBMIT_SYNTHESIS)


def without(hidden: Iterable[str]) -> tuple[Tool, ...]:
    """The tools of a directory without those that a survey hides."""
    away = frozenset(hidden)
    return tuple(tool for tool in DIRECTORY if tool.name not in away)
