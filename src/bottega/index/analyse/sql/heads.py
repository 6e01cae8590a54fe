"""The head of a definition: `CREATE OR REPLACE UNIQUE INDEX IF NOT EXISTS name`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bottega.index.analyse.sql.keywords import split_words
from bottega.index.analyse.sql.names import Name, key_at, read_name
from bottega.index.analyse.sql.tokens import QUOTED_NAME, STRING, Token

ROUTINE_KINDS = frozenset({"procedure", "trigger"})
_KINDS = {
    **dict.fromkeys(["PROCEDURE", "PROC", "FUNCTION"], "procedure"),
    **dict.fromkeys(["TYPE", "DOMAIN"], "type"),
    **{kind.upper(): kind for kind in ("table", "view", "trigger", "index")},
}
_BEFORE_KIND = split_words(
    """
    OR REPLACE ALTER TEMP TEMPORARY GLOBAL LOCAL UNLOGGED EXTERNAL FOREIGN MATERIALIZED RECURSIVE UNIQUE CLUSTERED
    NONCLUSTERED FULLTEXT SPATIAL COLUMNSTORE BITMAP CONSTRAINT DEFINER ALGORITHM UNDEFINED MERGE TEMPTABLE SQL SECURITY
    INVOKER EDITIONABLE NONEDITIONABLE FORCE NO AGGREGATE VIRTUAL CURRENT_USER =
    """
)
_BEFORE_NAME = frozenset({"CONCURRENTLY", "IF", "NOT", "EXISTS"})
_MAX_TOKENS_BEFORE_KIND = 24


class Head(NamedTuple):
    kind: str
    name: Name


def read_head(tokens: Sequence[Token], first: int) -> Head | None:
    """Read the head that begins with `CREATE` or `ALTER`; `None` for temporary tables and what is no definition."""
    at = first + 1
    while _may_precede_kind(key_at(tokens, at)):
        at += 1
        if at > first + _MAX_TOKENS_BEFORE_KIND:
            return None
    kind = _KINDS.get(key_at(tokens, at))
    if kind is None:
        return None
    at += 1
    while key_at(tokens, at) in _BEFORE_NAME:
        at += 1
    name = read_name(tokens, at)
    return Head(kind, name) if name is not None and not name.is_local else None


def _may_precede_kind(key: str) -> bool:
    return key in _BEFORE_KIND or key in {QUOTED_NAME, STRING} or key[:1] == "@"
