"""Attach comments to symbols and classify them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bottega.index.analyse.outline import Outline, find_enclosing
from bottega.index.analyse.values import NOBODY, Comment, Docstring

_LONGEST = 4000
_KINDS = (
    ("todo", re.compile(r"\bTODO\b")),
    ("fixme", re.compile(r"\bFIXME\b|\bXXX\b")),
    ("hack", re.compile(r"\bHACK\b|\bKLUDGE\b|\bworkaround\b", re.IGNORECASE)),
    ("bug_ref", re.compile(r"(?:\b(?:bug|issue|ticket|fixes|closes|see|refs?|gh|pr)\b[ :]*#?\d{2,})|(?<!\w)#\d{2,}\b"
                           r"|\b[A-Z]{2,9}-\d+\b|\bCVE-\d{4}-\d+", re.IGNORECASE)),
    ("license", re.compile(r"\bcopyright\b|\blicensed? under\b|SPDX-License-Identifier", re.IGNORECASE)),
    ("note", re.compile(r"\bN\.?B\.?\b|\bNOTE\b|\b[Nn]ote:")),
)  # fmt: skip
_RATIONALE = re.compile(
    r"\bbecause\b|\breason(?: is|:)|\brationale\b|\bwhy\b|\bso that\b|\bin order to\b|\bto avoid\b|\botherwise\b"
    r"|\bnote:",
    re.IGNORECASE,
)
# Every comment of a special kind contains one of these; testing for them is faster than the regexes of the kinds.
_HINTS = (
    *("todo", "fixme", "xxx", "hack", "kludge", "workaround", "copyright", "licens", "spdx", "nb", "n.b", "note"),
    *("because", "reason", "rationale", "why", "so that", "in order to", "to avoid", "otherwise"),
)
_NUMBER = re.compile(r"\d\d|-\d")
_MARKS = re.compile(r"^\s*(?:///?!?|//+!?|/\*+!?|\*+/|\*(?!\*)|#+:?|--+\s?[|^]?|;+|%+|\{-\s?\|?|-\}|\"\"\"|''')[ \t]?")
_CLOSING = re.compile(r"(?:(?<!\*)\*+/|-\}|\"\"\"|''')$")
_STYLES = (
    ("numpy", re.compile(r"^[ \t]*(?:Parameters|Returns|Raises|Attributes)[ \t]*\n[ \t]*-{3,}", re.MULTILINE)),
    ("sphinx", re.compile(r"^[ \t]*:(?:param|type|returns?|rtype|raises?)\b", re.MULTILINE)),
    ("jsdoc", re.compile(r"^[ \t]*@(?:param|returns?|throws|type|property|deprecated|see)\b", re.MULTILINE)),
    ("xml", re.compile(r"<(?:summary|param|returns|remarks)\b")),
    (
        "google",
        re.compile(r"^[ \t]*(?:Args|Arguments|Returns|Raises|Yields|Attributes|Example)s?:[ \t]*$", re.MULTILINE),
    ),
    ("markdown", re.compile(r"^[ \t]*#+ (?:Examples?|Panics|Errors|Safety|Arguments)\b", re.MULTILINE)),
)
_PLAIN = "plain"


class CommentBlock(NamedTuple):
    """Adjacent comment lines as one block; `alone` when no code precedes it on its line."""

    start: int
    first: int
    last: int
    text: str
    alone: bool


def join_blocks(comments: Sequence[CommentBlock]) -> list[CommentBlock]:
    """Join comments that follow each other line by line."""
    joined: list[CommentBlock] = []
    for comment in sorted(comments):
        before = joined[-1] if joined else None
        if (
            before
            and before.alone
            and comment.alone
            and comment.first == before.last + 1
            and len(before.text) < _LONGEST
        ):
            joined[-1] = before._replace(last=comment.last, text=f"{before.text}\n{comment.text}")
        else:
            joined.append(comment)
    return joined


def collect_comments(found: Sequence[CommentBlock], within: Outline) -> tuple[Comment, ...]:
    symbols = find_enclosing(within, [block.start for block in found])
    return tuple(
        _classify(block, text, symbol)
        for block, symbol in zip(found, symbols, strict=True)
        if (text := strip_marks(block.text))
    )


def collect_docstrings(
    strings: Sequence[tuple[int, str]], found: Sequence[CommentBlock], within: Outline
) -> tuple[Docstring, ...]:
    """Strings that open a body, and comment blocks that end right above a definition; one for each symbol."""
    texts: dict[int, str] = {}
    owners = find_enclosing(within, [start for start, _ in strings])
    for owner, (_, text) in zip(owners, strings, strict=True):
        texts.setdefault(owner, strip_quotes(text))
    above = {block.last + 1: block for block in found if block.alone}
    for place, symbol in enumerate(within.symbols):
        block = above.get(symbol.first)
        is_inner = symbol.parent != NOBODY and within.symbols[symbol.parent].first == symbol.first
        if block is not None and place not in texts and not is_inner:
            texts[place] = strip_marks(block.text)
    return tuple(Docstring(owner, text, detect_style(text)) for owner, text in sorted(texts.items()) if text)


def detect_style(text: str) -> str:
    return next((name for name, pattern in _STYLES if pattern.search(text)), _PLAIN)


def strip_marks(text: str) -> str:
    """The text of a comment without its markers."""
    lines = (_MARKS.sub("", _CLOSING.sub("", line.rstrip())).rstrip() for line in text[:_LONGEST].splitlines())
    return "\n".join(lines).strip()


def strip_quotes(literal: str) -> str:
    text = re.sub(r"^[A-Za-z@$]*(\"\"\"|'''|\"|'|`)", "", literal[:_LONGEST])
    text = re.sub(r"(\"\"\"|'''|\"|'|`)$", "", text)
    lines = text.splitlines()
    margin = min((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), default=0)
    return "\n".join([*lines[:1], *(line[margin:].rstrip() for line in lines[1:])]).strip()


def _classify(block: CommentBlock, text: str, symbol: int) -> Comment:
    lowered = text.lower()
    if not any(hint in lowered for hint in _HINTS) and _NUMBER.search(text) is None:
        return Comment(block.first, text, "general", False, symbol)
    kind = next((name for name, pattern in _KINDS if pattern.search(text)), "")
    is_rationale = kind != "license" and _RATIONALE.search(text) is not None
    return Comment(block.first, text, kind or ("rationale" if is_rationale else "general"), is_rationale, symbol)
