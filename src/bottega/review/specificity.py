"""How exact a reviewer was, in five parts of a fifth each."""

from __future__ import annotations

import math
import re

from bottega.review.findings import Voice

_CODE = re.compile(r"`[^`]+`|\b\w+\(|\b\w+_\w+|\b[a-z]+[A-Z]\w*")
_ACTION = re.compile(
    r"\b(?:add|check|use|replace|remove|return|raise|validate|escape|close|move|rename|wrap|guard|call|handle|limit|set|"
    r"pass|compare|initiali[sz]e|lock|await|catch|log|test|document|restore|keep|avoid)\b",
    re.IGNORECASE,
)
_ENOUGH_WORDS = 200
_LONG_PROBLEM = 30


def measure_specificity(voice: Voice) -> float:
    """Code, something to do, length and evidence; the fifth part is the span, which every finding has."""
    text = f"{voice.problem} {voice.suggestion}"
    length = min(1.0, math.log2(len(text.split()) + 1) / math.log2(_ENOUGH_WORDS))
    parts = (
        1.0,
        float(bool(_CODE.search(text))),
        float(bool(_ACTION.search(voice.suggestion))),
        length,
        float(len(voice.quotes) >= 2 and len(voice.problem) > _LONG_PROBLEM),
    )
    return sum(parts) / len(parts)
