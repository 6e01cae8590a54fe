"""What is shown of a directory before anything is asked for."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from bottega.errors import InputError
from bottega.investigate.desk import Desk, Effect
from bottega.investigate.units import Seen, named, within
from bottega.models import fenced

_WORTH_SHOWING = (
    "readme",
    "package.json",
    "pyproject.toml",
    "cargo.toml",
    "go.mod",
    "setup.py",
    "__init__.py",
    "main.",
)
_MOST_OUTLINED = 12
_LARGEST_SHOWN = 200_000


def show_first(desk: Desk, effect: Effect, room: int) -> str:
    """What is worth a look in any case, so that no turn is spent on asking for it: a readme, outlines, beginnings."""
    unit = desk.unit
    wanted = [file for file in unit.files if f"{unit.path}{file.name}" not in desk.files]
    texts = [file for file in wanted if 0 < file.size <= _LARGEST_SHOWN and file.category not in {"media", "archive"}]
    found = effect(f"{unit.shown}: first look", lambda: _first_look(desk, sorted(texts, key=_worth), room))
    for told_read in found["read"]:
        desk.note_read(told_read)
    return found["text"] or "(nothing)"


def _first_look(desk: Desk, files: list[Seen], room: int) -> dict[str, Any]:
    unit, looking = desk.unit, desk.looking
    code = [f"{unit.path}{file.name}" for file in files if file.language and file.category == "source"]
    outlines = looking.structures(code[:_MOST_OUTLINED]) if code else {}
    parts: list[str] = []
    reads: list[dict[str, Any]] = []
    left = room
    for file in files:
        path = f"{unit.path}{file.name}"
        share = max(400, min(left, room // max(1, min(len(files), 6))))
        if left < 200:
            break
        outline = outlines.get(path, "")
        if outline and len(outline) > 40 and _is_plain(file):
            text = fenced(f"{named(path)}, outline:\n{within(looking.masked(outline), share)}")
            reads.append({"path": path})
        else:
            try:
                extract = looking.extract(path, 1, 0, share)
            except InputError:
                continue
            reads.append({**asdict(extract), "text": ""})
            text = fenced(f"{named(path)}, lines 1-{extract.last} of {extract.lines}:\n{extract.text}")
        parts.append(text)
        left -= len(text)
    return {"text": "\n".join(parts), "read": reads}


def _is_plain(file: Seen) -> bool:
    """Whether an outline says more than its beginning: not for what is short."""
    return file.size > 1200


def _worth(file: Seen) -> tuple[bool, bool, str]:
    low = file.name.lower()
    is_first = low.startswith(_WORTH_SHOWING)
    return (not is_first, file.category not in {"source", "document", "config"}, file.name)
