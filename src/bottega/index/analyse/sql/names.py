"""Names of tables and routines among the tokens of a script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bottega.index.analyse.sql.keywords import RESERVED
from bottega.index.analyse.sql.tokens import BATCH, QUOTED_NAME, STRING, Token


class Name(NamedTuple):
    """`dbo.Invoice` as its parts; `end` is the index of the token after it."""

    parts: tuple[str, ...]
    end: int
    is_local: bool
    """Whether it names a variable (`@rows`) or a temporary table (`#rows`)."""


def read_name(tokens: Sequence[Token], at: int) -> Name | None:
    """Read `a`, `dbo.a` or `db..a`, quoted or not."""
    parts: list[str] = []
    is_local = False
    while at < len(tokens) and is_name(tokens[at], may_be_reserved=bool(parts)):
        key, text, _, _ = tokens[at]
        is_local = text[0] == "#" or key[0] == "@"
        parts.append(text)
        at += 1
        if key_at(tokens, at) != ".":
            break
        at += 1
        if key_at(tokens, at) == ".":  # `database..table` omits the schema
            parts, at = [], at + 1
    return Name(tuple(parts), at, is_local) if parts else None


def is_name(token: Token, *, may_be_reserved: bool) -> bool:
    if token.key == QUOTED_NAME:
        return bool(token.text)
    is_word = bool(token.text) and token.key not in {STRING, BATCH}
    return is_word and (may_be_reserved or token.key not in RESERVED)


def key_at(tokens: Sequence[Token], at: int) -> str:
    """The key of a token, "" outside the script."""
    return tokens[at].key if 0 <= at < len(tokens) else ""
