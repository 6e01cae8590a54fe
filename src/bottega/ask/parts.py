"""The parts of an answer: blocks, sentences, and code between backticks. Joined, they are the answer."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_FENCE = re.compile(r"^[ \t]*(?:(`{3,})[^`\n]*$|(~{3,}))")
_HEADING = re.compile(r"^[ \t]*#{1,6}[ \t]")
_ITEM = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+")
_TICKS = re.compile(r"`+")
_SENTENCE_END = re.compile(r"[.!?][\"')\]*_]{0,5}(?=\s|$)|\](?=\n)")
_NO_END = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|resp|approx|No|Fig)|\b[A-Z]|^\s*\d{1,3})\.$")
_CITED_AFTER = re.compile(r"\s*\[[^\[\]\n]{1,400}\](?!\()[.]?")


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a heading, an item of a list, or code. `lead` is what stands before its sentences."""

    text: str
    lead: str = ""
    is_code: bool = False

    @property
    def is_heading(self) -> bool:
        return _HEADING.match(self.lead) is not None


def blocks(answer: str) -> Iterator[Block]:
    """The parts of an answer; joined, they are the answer. A fence that is never closed is text."""
    lines = answer.splitlines(keepends=True)
    prose: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        end = _fence_end(lines, at)
        if end:
            yield from _paragraph(prose)
            yield Block("".join(lines[at:end]), is_code=True)
            at = end
            continue
        heading = _HEADING.match(line)
        if heading or not line.strip() or _ITEM.match(line) or line.lstrip().startswith("|"):
            yield from _paragraph(prose)
        if heading:
            yield Block(line[heading.end() :], heading[0])
        elif not line.strip():
            yield Block("", line)
        else:
            prose.append(line)
        at += 1
    yield from _paragraph(prose)


def _paragraph(prose: list[str]) -> Iterator[Block]:
    if prose:
        text = "".join(prose)
        item = _ITEM.match(text)
        lead = item[0] if item else ""
        prose.clear()
        yield Block(text[len(lead) :], lead)


def _fence_end(lines: Sequence[str], at: int) -> int:
    """The line after a fenced block that begins here, 0 when none does."""
    opened = _FENCE.match(lines[at])
    if opened is None:
        return 0
    fence = opened[1] or opened[2]
    for number in range(at + 1, len(lines)):
        bare = lines[number].strip()
        if bare.startswith(fence) and not bare.strip(fence[0]):
            return number + 1
    return 0


def sentences(text: str) -> list[str]:
    """Joined, they are the text. Citations after the full stop belong to the sentence before it."""
    hidden = [(start, end) for start, end, _ in code_spans(text)]
    starts = [start for start, _ in hidden]
    found, start = [], 0
    for end in _SENTENCE_END.finditer(text):
        place = end.end()
        inside = bisect_right(starts, end.start()) - 1
        is_code = inside >= 0 and end.start() < hidden[inside][1]
        if place <= start or is_code or _NO_END.search(text[max(start, end.start() - 12) : end.start() + 1]):
            continue
        while follows := _CITED_AFTER.match(text, place):
            place = follows.end()
        blank = re.compile(r"\s*").match(text, place)
        place = blank.end() if blank else place
        found.append(text[start:place])
        start = place
    if start < len(text):
        found.append(text[start:])
    return found


def code_spans(text: str) -> list[tuple[int, int, str]]:
    """Text between equally long runs of backticks: where it begins and ends, and what it is."""
    runs = [(found.start(), found.end()) for found in _TICKS.finditer(text)]
    places: dict[int, list[int]] = {}
    for place, (start, end) in enumerate(runs):
        places.setdefault(end - start, []).append(place)
    found, at = [], 0
    while at < len(runs):
        start, end = runs[at]
        same = places[end - start]
        following = bisect_right(same, at)
        if following < len(same):
            closing = runs[same[following]]
            found.append((start, closing[1], text[end : closing[0]]))
            at = same[following]
        at += 1
    return found
