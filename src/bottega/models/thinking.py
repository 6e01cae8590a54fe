"""Keep what a model says to itself apart from what it says."""

from __future__ import annotations

import re

_TAG = r"(think|thinking|reasoning)"
_OPEN = re.compile(rf"\s*<{_TAG}>", re.I)
_LONE_CLOSE = re.compile(rf"((?:(?!<{_TAG}>).)*?)</{_TAG}>[ \t]*$", re.I | re.S | re.M)


def split_thinking(text: str) -> tuple[str, str]:
    """(answer, thinking).

    Thinking comes before the answer; tags further on are the answer's own, as in code that handles them. A block that
    is never closed is thinking to its end; a lone closing tag at the end of a line ends one whose opening stood in
    the prompt's template.
    """
    thoughts: list[str] = []
    answer = text
    while found := _OPEN.match(answer):
        close = re.compile(rf"</{found.group(1)}>", re.I).search(answer, found.end())
        end, after = (close.start(), close.end()) if close else (len(answer), len(answer))
        thoughts.append(answer[found.end() : end].strip())
        answer = answer[after:]
    if lone := _LONE_CLOSE.match(answer):
        thoughts.insert(0, lone.group(1).strip())
        answer = answer[lone.end() :]
    return (answer.strip("\n") if thoughts else answer), "\n\n".join(thoughts)
