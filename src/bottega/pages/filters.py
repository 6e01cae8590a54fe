"""Show some of the entries of a page: by severity and by file. The controls appear where scripts run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from bottega.pages.escaping import escape_name
from bottega.pages.parts import render_badge


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """A severity that can be left out: its value in the page, the weight of its badge, its word."""

    value: str
    weight: str
    words: str


def render_filter(noun: str, choices: Sequence[FilterChoice], entries: Sequence[tuple[str, str]]) -> str:
    """The controls for entries that are given as (severity, file); "" when there is nothing to choose from."""
    counts = Counter(severity for severity, _ in entries)
    files = Counter(file for _, file in entries)
    if len(counts) < 2 and len(files) < 2:
        return ""
    boxes = "".join(
        f'<label><input type="checkbox" value="{escape_name(choice.value)}" checked>'
        f"{render_badge(choice.weight, f'{choice.words} ({counts[choice.value]})')}</label>"
        for choice in choices
        if counts[choice.value] and len(counts) > 1
    )
    options = "".join(
        f'<option value="{escape_name(file)}">{escape_name(file)} ({count})</option>'
        for file, count in sorted(files.items())
    )
    return (
        f'<fieldset class="filter" hidden data-noun="{escape_name(noun)}"><legend>Show</legend>{boxes}'
        f'<label>File <select><option value="">all files</option>{options}</select></label>'
        '<output aria-live="polite"></output></fieldset>'
    )


def mark_filtered(severity: str, file: str, *, is_listed: bool = False) -> str:
    """The attributes of an element that the filter shows and hides; those that are listed are counted."""
    counted = " data-listed" if is_listed else ""
    return f' data-severity="{escape_name(severity)}" data-file="{escape_name(file)}"{counted}'
