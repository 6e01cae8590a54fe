"""What a model is shown of a directory before it asks for anything."""

from __future__ import annotations

import re
from dataclasses import asdict
from typing import Any

from bottega.errors import InputError
from bottega.investigate.exploration import Exploration
from bottega.investigate.files import TargetFiles
from bottega.investigate.outlines import outline_files
from bottega.investigate.units import ScannedFile, Unit, fit_lines
from bottega.models import fenced
from bottega.source import quote_name

# Names, without their endings, of files that say what a directory is, and of those where its programs begin.
_INTRODUCTIONS = frozenset({"readme"})
_MANIFESTS = frozenset(
    {"package.json", "pyproject.toml", "cargo.toml", "go.mod", "setup.py", "pom.xml", "composer.json"}
)
_ENTRY_POINTS = frozenset(
    {"main", "__main__", "__init__", "index", "app", "cli", "server", "lib", "mod", "program", "application"}
)
# Files that every project has alike: they say little about this one.
_BOILERPLATE = re.compile(
    r"(?:licen[cs]e|copying|notice|change(?:log|s)|history|news|authors|contribut|code[_-]of[_-]conduct|security|codeowners)"
    r"|.*(?:\.lock|-lock\.(?:json|yaml))$",
    re.IGNORECASE,
)
_CATEGORIES = {"source": 3, "config": 4, "document": 5}
_LATER, _LAST = 6, 7
_MAX_OUTLINED = 12
_MAX_FILE_BYTES = 200_000
# A shorter file is shown itself: an outline says more only about a long one.
_MIN_OUTLINED_BYTES, _MIN_OUTLINE_CHARS = 1200, 40
_MIN_CHARS, _MIN_SHARE, _MOST_SHARES = 200, 400, 6


def show_first_look(exploration: Exploration, room: int) -> str:
    """Beginnings and outlines of the files that are worth showing in any case, so that no turn is spent on them."""
    unit = exploration.unit
    files = [file for file in unit.files if unit.path_of(file) not in exploration.files and _is_showable(file)]
    files.sort(key=_rank_file)
    lookups = exploration.lookups
    look = lookups.effect(f"{unit.label}: first look", lambda: _render_file(unit, lookups.files, files, room))
    for result in look["read"]:
        exploration.reads.record(result)
    return look["text"] or "(nothing)"


def _render_file(unit: Unit, target: TargetFiles, files: list[ScannedFile], room: int) -> dict[str, Any]:
    code = [unit.path_of(file) for file in files if file.language and file.category == "source"]
    outlines = outline_files(target, code[:_MAX_OUTLINED]) if code else {}
    parts: list[str] = []
    reads: list[dict[str, Any]] = []
    left = room
    for file in files:
        if left < _MIN_CHARS:
            break
        path = unit.path_of(file)
        share = max(_MIN_SHARE, min(left, room // max(1, min(len(files), _MOST_SHARES))))
        outline = outlines.get(path, "")
        if len(outline) > _MIN_OUTLINE_CHARS and file.size > _MIN_OUTLINED_BYTES:
            text = f"{quote_name(path)}, outline:\n{fit_lines(target.mask(outline), share)}"
            reads.append({"path": path})
        else:
            try:
                excerpt = target.read_excerpt(path, 1, 0, share)
            except InputError:
                continue
            text = f"{quote_name(path)}, lines 1-{excerpt.last} of {excerpt.lines}:\n{excerpt.text}"
            reads.append({**asdict(excerpt), "text": ""})
        parts.append(fenced(text))
        left -= len(parts[-1])
    return {"text": "\n".join(parts), "read": reads}


def _is_showable(file: ScannedFile) -> bool:
    return 0 < file.size <= _MAX_FILE_BYTES and file.category not in {"media", "archive"}


def _rank_file(file: ScannedFile) -> tuple[int, int, str]:
    """By what a file tells of its directory: introduction, manifest, entry points, then the largest source."""
    name = file.name.lower()
    stem = name.split(".", 1)[0]
    size = -file.size if file.category == "source" else 0
    if stem in _INTRODUCTIONS:
        return 0, 0, name
    if name in _MANIFESTS:
        return 1, 0, name
    if _BOILERPLATE.match(name):
        return _LAST, 0, name
    if file.category == "source" and stem in _ENTRY_POINTS:
        return 2, size, name
    return _CATEGORIES.get(file.category, _LATER), size, name
