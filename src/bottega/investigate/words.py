"""What a model's words are worth: whether they repeat other words, and whether the files they name are there."""

from __future__ import annotations

import re

from bottega.investigate.scan.kinds import identify

_WORD = re.compile(r"[^\W\d_]{4,}")
# A summary of which so many words stand in what is said of the whole tree says nothing of its directory.
_ECHO, _FEW_WORDS = 0.8, 4
_MOST_MADE_UP = 5
_ALSO_ELSEWHERE = frozenset("js rs sh org html c h".split())
_FILLERS = frozenset("this that directory directories contains holds file files source with from which their".split())
# A name with an ending, not behind a star: `door.py`, `hall/door.py`.
_FILE_NAME = re.compile(
    r"(?<![\w*/.-])(?:[\w.+-]{1,100}/){0,20}(\w[\w+-]{0,80}(?:\.[\w+-]{1,40}){0,4}\.[A-Za-z]\w{0,9})\b"
)


def is_echo(summary: str, said: str) -> bool:
    """Whether a summary is little more than the words of another text."""
    mine, theirs = (frozenset(_WORD.findall(text.lower())) - _FILLERS for text in (summary, said))
    return len(mine) > _FEW_WORDS and len(mine & theirs) >= _ECHO * len(mine)


def first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s+(?=[A-Z`\"'])", text.strip(), maxsplit=1)[0]


def names_directory(sentence: str, name: str) -> bool:
    """Whether a sentence speaks of a directory by its name: hidden ones by the name alone, others as a directory."""
    if name.startswith("."):
        bare = re.escape(name.lstrip("."))
        return re.search(rf"(?<!\w)\.?{bare}(?!\w)", sentence, re.IGNORECASE) is not None
    marked = rf"[`'\"]{re.escape(name)}/?[`'\"]|(?<![\w/.-]){re.escape(name)}/(?!\w)"
    called = rf"\b{re.escape(name)}\s+(?:sub)?(?:directory|folder)\b|\b(?:directory|folder)\s+{re.escape(name)}\b"
    return re.search(f"{marked}|{called}", sentence, re.IGNORECASE) is not None


def shares_words(sentence: str, text: str) -> bool:
    """Whether a third of a sentence's longer words, and two at least, stand in a text."""
    mine, theirs = (frozenset(_WORD.findall(one.lower())) - _FILLERS for one in (sentence, text))
    return len(mine & theirs) >= max(2, len(mine) / 3)


def made_up(summary: str, names: frozenset[str]) -> tuple[str, ...]:
    """Files that a summary names and that are nowhere in the target; where not all names are known, none is."""
    if not names:
        return ()
    said = {found[1] for found in _FILE_NAME.finditer(summary) if found[1].lower() not in names and _is_meant(found)}
    # a name may have spaces or signs before what looks like its beginning
    return tuple(sorted(one for one in said if not any(known.endswith(one.lower()) for known in names)))[:_MOST_MADE_UP]


def _is_meant(found: re.Match[str]) -> bool:
    """Whether it surely is a file: `Vue.js`, `docs.rs` and `bun.sh` may be other things when they stand free."""
    if not identify(found[1]).language:
        return False
    before = found.string[max(0, found.start() - 1) : found.start()]
    if before and before in "@$:":
        return False
    return found[1].rpartition(".")[2].lower() not in _ALSO_ELSEWHERE or before in {"`", "'", '"'}
