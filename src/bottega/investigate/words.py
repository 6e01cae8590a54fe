"""What a model's words are worth: whether they repeat other words, and whether the files they name are there."""

from __future__ import annotations

import re

from bottega.investigate.scan.kinds import identify

_WORD = re.compile(r"[^\W\d_]{4,}")
# A summary of which so many words stand in what is said of the whole tree says nothing of its directory.
_ECHO, _FEW_WORDS = 0.8, 4
_MOST_MADE_UP = 5
_FILLERS = frozenset("this that directory directories contains holds file files source with from which their".split())
# A name with an ending, not behind a star: `door.py`, `hall/door.py`.
_FILE_NAME = re.compile(
    r"(?<![\w*/.-])(?:[\w.+-]{1,100}/){0,20}(\w[\w+-]{0,80}(?:\.[\w+-]{1,40}){0,4}\.[A-Za-z]\w{0,9})\b"
)


def is_echo(summary: str, said: str) -> bool:
    """Whether a summary is little more than the words of another text."""
    mine, theirs = (frozenset(_WORD.findall(text.lower())) - _FILLERS for text in (summary, said))
    return len(mine) > _FEW_WORDS and len(mine & theirs) >= _ECHO * len(mine)


def made_up(summary: str, names: frozenset[str]) -> tuple[str, ...]:
    """Files that a summary names and that are nowhere in the target; where not all names are known, none is."""
    if not names:
        return ()
    said = {found[1] for found in _FILE_NAME.finditer(summary) if found[1].lower() not in names}
    return tuple(sorted(name for name in said if identify(name).category and not _is_product(name)))[:_MOST_MADE_UP]


def _is_product(name: str) -> bool:
    """Whether a name is more likely one of a library that is called after its language, as `Vue.js`."""
    return name[0].isupper() and name.endswith(".js")
