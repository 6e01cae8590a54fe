"""Highlight code as HTML, line by line, with a few classes that the style sheet colours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from time import monotonic
from typing import Any

from bottega.pages.escaping import escape_text

_LONGEST, _LONGEST_LINE = 200_000, 4000
_MOST_SECONDS = 1.0
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")
# What a fragment may have begun in, and the sign by which a fragment can be in it.
_OPENINGS = (('"""\n', '"""'), ("'''\n", "'''"), ("/*\n", "*/"))
_CLASSES = {
    "Comment": "c",
    "Comment.Preproc": "k",
    "Keyword": "k",
    "Keyword.Constant": "n",
    "Keyword.Type": "t",
    "Literal": "n",
    "Literal.String": "s",
    "Literal.String.Doc": "c",
    "Literal.String.Escape": "n",
    "Name.Attribute": "t",
    "Name.Builtin": "t",
    "Name.Class": "f",
    "Name.Decorator": "d",
    "Name.Exception": "t",
    "Name.Function": "f",
    "Name.Tag": "k",
    "Operator.Word": "k",
    "Generic.Heading": "f",
    "Generic.Subheading": "f",
    "Generic.Deleted": "d",
    "Generic.Inserted": "s",
}

Tokens = list[tuple[str, str]]


def highlight_lines(code: str, path: str, *, is_fragment: bool = False) -> list[str]:
    """The lines of code as HTML, highlighted as the language of the path.

    A fragment may begin inside a string or a comment: of the readings as code and as such, the one with less prose
    in its code is taken.
    """
    return _highlight(code, find_lexer(path), is_fragment=is_fragment)


def highlight_code(code: str, language: str) -> str:
    """Code as HTML, highlighted as a language that is given by name; plain when there is none of this name."""
    return "\n".join(_highlight(code, _find_lexer_by_name(language) if _LANGUAGE.fullmatch(language) else None))


@lru_cache(maxsize=64)
def find_lexer(path: str) -> Any:
    """The Pygments lexer of a file by its name, None when there is none."""
    from pygments.lexers import get_lexer_for_filename
    from pygments.util import ClassNotFound

    try:
        return get_lexer_for_filename(path, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


@lru_cache(maxsize=64)
def _find_lexer_by_name(language: str) -> Any:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _highlight(code: str, lexer: Any, *, is_fragment: bool = False) -> list[str]:
    lines = code.split("\n")
    if lexer is None or len(code) > _LONGEST or max(map(len, lines)) > _LONGEST_LINE:
        return [escape_text(line) for line in lines]
    tokens, opening = _read_tokens(lexer, code, is_fragment=is_fragment)
    shown = _render_lines(tokens)[opening.count("\n") : -1]
    return shown if len(shown) == len(lines) else [escape_text(line) for line in lines]


def _read_tokens(lexer: Any, code: str, *, is_fragment: bool) -> tuple[Tokens, str]:
    """The tokens of the best reading, and the opening that it has before the code."""
    openings = ["", *(opening for opening, sign in _OPENINGS if is_fragment and sign in code)]
    if is_fragment and "php" in lexer.aliases and "<?" not in code:
        openings = ["<?php\n"]
    readings = [(_tokenize(lexer, opening + code), opening) for opening in openings]
    return min(readings, key=lambda reading: _count_prose(reading[0]))


def _tokenize(lexer: Any, code: str) -> Tokens:
    """Tokens as (type, text), types without their root; the text of all of them is the code and a line end.

    Hostile text takes lexers of Pygments quadratic time: what is left when the time is up has no type.
    """
    whole = f"{code}\n"
    deadline = monotonic() + _MOST_SECONDS
    tokens: Tokens = []
    for at, kind, text in lexer.get_tokens_unprocessed(whole):
        tokens.append((str(kind)[6:], text))
        if monotonic() > deadline:
            return [*tokens, ("", whole[at + len(text) :])]
    return tokens


def _count_prose(tokens: Tokens) -> int:
    """Errors, and names that follow a name directly, which code seldom has."""
    significant = [kind for kind, text in tokens if text.strip()]
    return significant.count("Error") + sum(kind == following == "Name" for kind, following in pairwise(significant))


def _render_lines(tokens: Iterable[tuple[str, str]]) -> list[str]:
    lines: list[list[str]] = [[]]
    for name, text in _join_tokens(tokens):
        for at, part in enumerate(text.split("\n")):
            if at:
                lines.append([])
            if part:
                shown = escape_text(part)
                lines[-1].append(f'<span class="{name}">{shown}</span>' if name and part.strip() else shown)
    return ["".join(line) for line in lines]


def _join_tokens(tokens: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Neighbours of one class as one, with the class in the place of the type."""
    name, joined = "", ""
    for kind, text in tokens:
        following = _find_class(kind)
        if following != name:
            if joined:
                yield name, joined
            name, joined = following, ""
        joined += text
    if joined:
        yield name, joined


@lru_cache(maxsize=512)
def _find_class(kind: str) -> str:
    """The class of a token type, or of the nearest type above it that has one."""
    while kind:
        if kind in _CLASSES:
            return _CLASSES[kind]
        kind = kind.rpartition(".")[0]
    return ""
