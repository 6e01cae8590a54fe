"""Separate the reasoning of a model (`<think>` blocks) from its answer."""

from __future__ import annotations

import re

_NAMES = r"(think|thinking|reasoning)"
_OPEN = re.compile(rf"\s*+<{_NAMES}>", re.I)
_TAG = re.compile(rf"<(/?){_NAMES}>", re.I)
_LINE_END = re.compile(r"[ \t]*+$", re.M)


def split_thinking(text: str) -> tuple[str, str]:
    """(answer, thinking), in linear time.

    Thinking comes before the answer; tags further on are the answer's own, as in code that handles them. A block that
    is never closed is thinking to its end; a lone closing tag at the end of a line ends one whose opening stood in
    the prompt's template.
    """
    thoughts: list[str] = []
    start = 0
    while opening := _OPEN.match(text, start):
        closing = re.compile(rf"</{opening.group(1)}>", re.I).search(text, opening.end())
        end, start = (closing.start(), closing.end()) if closing else (len(text), len(text))
        thoughts.append(text[opening.end() : end].strip())
    if lone := _lone_closing(text, start):
        thoughts.insert(0, text[start : lone[0]].strip())
        start = lone[1]
    answer = text[start:]
    return (answer.strip("\n") if thoughts else answer), "\n\n".join(thoughts)


def _lone_closing(text: str, start: int) -> tuple[int, int] | None:
    """Where the first closing tag at the end of a line stands, unless an opening tag comes before it."""
    for tag in _TAG.finditer(text, start):
        if not tag.group(1):
            return None
        if line_end := _LINE_END.match(text, tag.end()):
            return tag.start(), line_end.end()
    return None
