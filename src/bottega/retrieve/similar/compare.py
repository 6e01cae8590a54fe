"""Compare two pieces of code line by line, as they are and by their shape."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_STRING = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`[^`\n]*`")
_NUMBER = re.compile(r"\b\d[\w.]*")
_NAME = re.compile(r"[^\W\d]\w*")
_BLANKS = re.compile(r"\s+")
_REMARK = re.compile(r"^(?:#(?!\[|include|define|if|end)|//|--(?!-)|\*|/\*|;)")
# Words that keep their meaning when names are replaced.
_KEPT = frozenset(
    """if else elif for while do switch case match when break continue return yield raise throw try except catch finally
    with def class fn func function fun let var val const new in is not and or async await import from using lambda
    struct enum interface trait impl self this super null None nil true false True False pub private public protected
    static select begin end where""".split()
)
_MOST_LINES = 600
# A clone shares so many of its lines, code of the same shape so many of its lines but for names and values.
CLONE, SAME_SHAPE = 0.7, 0.75


class Resemblance(NamedTuple):
    """The share of the longer side whose lines stand in the other one in the same order, as they are and by shape."""

    lines: float
    shape: float


def normalize_lines(text: str) -> list[str]:
    """Lines without indentation, comments and empty lines."""
    lines = (_BLANKS.sub(" ", line).strip() for line in text.split("\n"))
    return [line for line in lines if line and not _REMARK.match(line)][:_MOST_LINES]


def shape_lines(lines: Sequence[str]) -> list[str]:
    """Lines in which names are `n`, numbers `0` and strings `""`."""
    shaped = (_NUMBER.sub("0", _STRING.sub('""', line)) for line in lines)
    return [_NAME.sub(lambda match: match[0] if match[0] in _KEPT else "n", line) for line in shaped]


def compare(one: Sequence[str], other: Sequence[str]) -> Resemblance:
    """Compare normalized lines."""
    return Resemblance(_share(one, other), _share(shape_lines(one), shape_lines(other)))


def is_clone(resemblance: Resemblance) -> bool:
    return resemblance.lines >= CLONE or resemblance.shape >= SAME_SHAPE


def may_be_clone(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether enough lines of two shapes are the same, whatever their order: much cheaper than to compare them."""
    return (Counter(one) & Counter(other)).total() >= min(CLONE, SAME_SHAPE) * max(len(one), len(other))


def _share(one: Sequence[str], other: Sequence[str]) -> float:
    longer = max(len(one), len(other))
    if not longer:
        return 0.0
    blocks = SequenceMatcher(None, one, other, autojunk=False).get_matching_blocks()
    return round(sum(block.size for block in blocks) / longer, 3)
