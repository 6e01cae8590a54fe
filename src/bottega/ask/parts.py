"""Split an answer into blocks, sentences and code spans."""

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
# A sign that begins a quotation, as in `followed by ". Then"`, ends no sentence.
_OPENING_QUOTE = re.compile(r"\s[\"']$")
_BLANK = re.compile(r"\s*")
_ABBREVIATION = re.compile(r"(?:\b(?:e\.g|i\.e|cf|vs|etc|resp|approx|No|Fig)|\b[A-Z]|^\s*\d{1,3})\.$")
_CITED_AFTER = re.compile(r"\s*\[[^\[\]\n]{1,400}\](?!\()[.]?")


@dataclass(frozen=True, slots=True)
class AnswerBlock:
    """A paragraph, a heading, an item of a list, or code. `lead` is the bullet or heading mark before its text."""

    text: str
    lead: str = ""
    is_code: bool = False

    @property
    def is_heading(self) -> bool:
        return _HEADING.match(self.lead) is not None


def split_blocks(answer: str) -> Iterator[AnswerBlock]:
    """Split an answer into blocks that joined give the answer again. A code fence that is never closed is text."""
    lines = answer.splitlines(keepends=True)
    prose: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        end = _find_fence_end(lines, at)
        if end:
            yield from _build_paragraph(prose)
            yield AnswerBlock("".join(lines[at:end]), is_code=True)
            at = end
            continue
        heading = _HEADING.match(line)
        if heading or not line.strip() or _ITEM.match(line) or line.lstrip().startswith("|"):
            yield from _build_paragraph(prose)
        if heading:
            yield AnswerBlock(line[heading.end() :], heading[0])
        elif not line.strip():
            yield AnswerBlock("", line)
        else:
            prose.append(line)
        at += 1
    yield from _build_paragraph(prose)


def _build_paragraph(prose: list[str]) -> Iterator[AnswerBlock]:
    if prose:
        text = "".join(prose)
        item = _ITEM.match(text)
        lead = item[0] if item else ""
        prose.clear()
        yield AnswerBlock(text[len(lead) :], lead)


def _find_fence_end(lines: Sequence[str], at: int) -> int:
    """Index of the line after the fenced block that begins at line `at`; 0 when none begins there."""
    opening = _FENCE.match(lines[at])
    if opening is None:
        return 0
    fence = opening[1] or opening[2]
    for number in range(at + 1, len(lines)):
        bare = lines[number].strip()
        if bare.startswith(fence) and not bare.strip(fence[0]):
            return number + 1
    return 0


def split_sentences(text: str) -> list[str]:
    """Split text into sentences that joined give the text again; a citation belongs to the sentence before it."""
    code = [(start, end) for start, end, _ in find_code_spans(text)]
    code_starts = [start for start, _ in code]
    sentences, start = [], 0
    for mark in _SENTENCE_END.finditer(text):
        end = mark.end()
        nearest = bisect_right(code_starts, mark.start()) - 1
        is_code = nearest >= 0 and mark.start() < code[nearest][1]
        is_quoted = _OPENING_QUOTE.search(text[max(start, mark.start() - 2) : mark.start()]) is not None
        if (
            end <= start
            or is_code
            or is_quoted
            or _ABBREVIATION.search(text[max(start, mark.start() - 12) : mark.start() + 1])
        ):
            continue
        while citation := _CITED_AFTER.match(text, end):
            end = citation.end()
        blank = _BLANK.match(text, end)
        end = blank.end() if blank else end
        sentences.append(text[start:end])
        start = end
    if start < len(text):
        sentences.append(text[start:])
    return sentences


def find_code_spans(text: str) -> list[tuple[int, int, str]]:
    """Start, end and text of what is between runs of backticks of equal length."""
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(text)]
    by_length: dict[int, list[int]] = {}
    for index, (start, end) in enumerate(runs):
        by_length.setdefault(end - start, []).append(index)
    spans, at = [], 0
    while at < len(runs):
        start, end = runs[at]
        same_length = by_length[end - start]
        following = bisect_right(same_length, at)
        if following < len(same_length):
            closing = runs[same_length[following]]
            spans.append((start, closing[1], text[end : closing[0]]))
            at = same_length[following]
        at += 1
    return spans
