"""What is said by rule of a directory that holds nothing but directories."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bottega.investigate.entries import DirEntry
from bottega.investigate.units import Unit, named, shortened

_LONGEST_SENTENCE, _LONGEST_SUMMARY = 200, 1800
_LEAD = re.compile(r"^(?:The|This) directory (?:(?:[`'\"][^`'\"]{1,400}[`'\"]|\S*/\S*) )?(?:contains|holds) ")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def what_it_holds(unit: Unit, entries: Mapping[str, DirEntry]) -> tuple[str, str]:
    """A summary, and why it is only a part; "" when it is whole."""
    if unit.problem:
        return "It could not be listed.", unit.problem
    below = [entries[path] for path in unit.children if path in entries]
    reason = "what it holds is only partly investigated" if any(one.partial for one in below) else ""
    if len(unit.children) == 1 and not unit.more_children:
        alone = f"Holds {named(unit.children[0])} alone"
        said = f"{alone}. {below[0].summary}" if below else f"{alone}, which is not investigated."
        return shortened(said, _LONGEST_SUMMARY), reason
    return (_holding(unit, entries) if unit.children or unit.more_children else "No files are here."), reason


def _holding(unit: Unit, entries: Mapping[str, DirEntry]) -> str:
    """Each directory in it by the first thing that is said of it."""
    count = len(unit.children) + unit.more_children
    said = f"Holds {count} directories." if count > 1 else "Holds one directory."
    for at, path in enumerate(unit.children):
        name = named(path.rstrip("/").rpartition("/")[2])
        more = f" {name}: {_first_sentence(entries[path].summary) if path in entries else 'not investigated.'}"
        if len(said) + len(more) > _LONGEST_SUMMARY:
            said += f" … and {len(unit.children) - at} more."
            break
        said += more
    if unit.more_children:
        said += f" {unit.more_children} of them are beyond the limit, and not investigated."
    return said


def _first_sentence(summary: str) -> str:
    """Of what a directory is, not of how it lies."""
    sentences = _SENTENCE_END.split(summary)
    first = _LEAD.sub("", sentences[1] if len(sentences) > 1 and summary.startswith("Holds ") else sentences[0])
    return shortened(first, _LONGEST_SENTENCE)
