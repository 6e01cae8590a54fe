"""Summaries by rule for directories that hold nothing but directories."""

from __future__ import annotations

import re
from collections.abc import Mapping

from bottega.investigate.entries import DirEntry
from bottega.investigate.units import Unit, fit_words
from bottega.source import quote_name

_MAX_SENTENCE_CHARS, _MAX_SUMMARY_CHARS = 200, 1800
_LEAD = re.compile(r"^(?:The|This) directory (?:(?:[`'\"][^`'\"]{1,400}[`'\"]|\S*/\S*) )?(?:contains|holds) ")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def summarize_container(unit: Unit, entries: Mapping[str, DirEntry]) -> tuple[str, str]:
    """A summary, and why it is partial; "" when it is complete."""
    if unit.problem:
        return "It could not be listed.", unit.problem
    below = [entries[path] for path in unit.children if path in entries]
    reason = "what it holds is only partly investigated" if any(entry.partial for entry in below) else ""
    if len(unit.children) == 1 and not unit.more_children:
        alone = f"Holds {quote_name(unit.children[0])} alone"
        summary = f"{alone}. {below[0].summary}" if below else f"{alone}, which is not investigated."
        return fit_words(summary, _MAX_SUMMARY_CHARS), reason
    has_children = bool(unit.children or unit.more_children)
    return (_list_children(unit, entries) if has_children else "No files are here."), reason


def _list_children(unit: Unit, entries: Mapping[str, DirEntry]) -> str:
    count = len(unit.children) + unit.more_children
    summary = f"Holds {count} directories." if count > 1 else "Holds one directory."
    for at, path in enumerate(unit.children):
        name = quote_name(path.rstrip("/").rpartition("/")[2])
        sentence = (
            f" {name}: {_find_telling_sentence(entries[path].summary) if path in entries else 'not investigated.'}"
        )
        if len(summary) + len(sentence) > _MAX_SUMMARY_CHARS:
            summary += f" … and {len(unit.children) - at} more."
            break
        summary += sentence
    if unit.more_children:
        summary += f" {unit.more_children} of them are beyond the limit, and not investigated."
    return summary


def _find_telling_sentence(summary: str) -> str:
    """The first sentence that says what a directory is; "Holds …" says only what is in it."""
    sentences = _SENTENCE_END.split(summary)
    first = sentences[1] if len(sentences) > 1 and summary.startswith("Holds ") else sentences[0]
    return fit_words(_LEAD.sub("", first), _MAX_SENTENCE_CHARS)
