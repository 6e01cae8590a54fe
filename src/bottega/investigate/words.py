"""Checks of what a model wrote: whether it repeats another text, and whether the files it names exist."""

from __future__ import annotations

import re

from bottega.investigate.scan.kinds import identify

_WORD = re.compile(r"[^\W\d_]{4,}")
# A summary that shares this part of its words with another text says nothing of its own.
_ECHO_SHARE, _FEW_WORDS = 0.8, 4
_MAX_INVENTED = 5
# Endings of files that are also endings of product and host names: `Vue.js`, `docs.rs`, `bun.sh`.
_AMBIGUOUS_ENDINGS = frozenset("js rs sh org html c h".split())
# Endings that files have in capital letters.
_CAPITAL_ENDINGS = frozenset({"R", "Rmd", "C", "H", "S"})
_FILLERS = frozenset("this that directory directories contains holds file files source with from which their".split())
# A file name with an ending and no star before it: `door.py`, `hall/door.py`.
_FILE_NAME = re.compile(
    r"(?<![\w*/.-])(?:[\w.+-]{1,100}/){0,20}(\w[\w+-]{0,80}(?:\.[\w+-]{1,40}){0,4}\.[A-Za-z]\w{0,9})\b"
)


def is_echo(summary: str, text: str) -> bool:
    """Whether a summary is little more than the words of another text."""
    own, others = _extract_words(summary), _extract_words(text)
    return len(own) > _FEW_WORDS and len(own & others) >= _ECHO_SHARE * len(own)


def extract_first_sentence(text: str) -> str:
    return re.split(r"(?<=[.!?])\s+(?=[A-Z`\"'])", text.strip(), maxsplit=1)[0]


def names_directory(sentence: str, name: str) -> bool:
    """Whether a sentence names a directory: in quotes, called a directory, or hidden and thus unmistakable."""
    if name.startswith("."):
        bare = re.escape(name.lstrip("."))
        return re.search(rf"(?<!\w)\.?{bare}(?!\w)", sentence, re.IGNORECASE) is not None
    marked = rf"[`'\"]{re.escape(name)}/?[`'\"]|(?<![\w/.-]){re.escape(name)}/(?!\w)"
    called = rf"\b{re.escape(name)}\s+(?:sub)?(?:directory|folder)\b|\b(?:directory|folder)\s+{re.escape(name)}\b"
    return re.search(f"{marked}|{called}", sentence, re.IGNORECASE) is not None


def shares_words(sentence: str, text: str) -> bool:
    """Whether a third of a sentence's longer words, and at least two, occur in a text."""
    own, others = _extract_words(sentence), _extract_words(text)
    return len(own & others) >= max(2, len(own) / 3)


def find_invented_names(summary: str, names: frozenset[str]) -> tuple[str, ...]:
    """Files that a summary names and the target does not have; none when `names` is empty, for not all are known."""
    if not names:
        return ()
    matches = (match for match in _FILE_NAME.finditer(summary) if _is_file_name(match))
    mentioned = {match[1] for match in matches if match[1].lower() not in names}
    # `endswith`, because spaces or signs may stand before what the regex takes for the beginning of a name.
    invented = (name for name in mentioned if not any(known.endswith(name.lower()) for known in names))
    return tuple(sorted(invented))[:_MAX_INVENTED]


def _is_file_name(match: re.Match[str]) -> bool:
    """Whether a match is surely a file: an ambiguous ending counts only in quotes."""
    if not identify(match[1]).language:
        return False
    before = match.string[max(0, match.start() - 1) : match.start()]
    if before and before in "@$:":
        return False
    if _is_qualified_type(match[0]):
        return False
    return match[1].rpartition(".")[2].lower() not in _AMBIGUOUS_ENDINGS or before in {"`", "'", '"'}


def _is_qualified_type(name: str) -> bool:
    """`fs.FS` and `cs.CS` are types of packages, though their endings are those of F# and C#."""
    stem, _, ending = name.rpartition(".")
    is_capital = ending != ending.lower() and ending not in _CAPITAL_ENDINGS
    return is_capital and "/" not in name and stem == stem.lower()


def _extract_words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - _FILLERS
