"""Keep what a model says to itself apart from what it says."""

from __future__ import annotations

import re

_OPEN = re.compile(r"<(think|thinking|reasoning)>", re.I)


def split_thinking(text: str) -> tuple[str, str]:
    """(answer, thinking).

    A block that is never closed is thinking to its end; a lone closing tag ends one whose opening stood in the
    prompt's template.
    """
    thoughts: list[str] = []
    answer = text
    while found := _OPEN.search(answer):
        close = re.compile(rf"</{found.group(1)}>", re.I).search(answer, found.end())
        end, after = (close.start(), close.end()) if close else (len(answer), len(answer))
        thoughts.append(answer[found.end() : end].strip())
        answer = answer[: found.start()] + answer[after:]
    lone = re.match(r"(.*?)</(?:think|thinking|reasoning)>", answer, re.I | re.S)
    if lone:
        thoughts.insert(0, lone.group(1).strip())
        answer = answer[lone.end() :]
    return (answer.strip("\n") if thoughts else answer), "\n\n".join(thoughts)
