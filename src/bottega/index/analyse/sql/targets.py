"""The table that an `INSERT`, `UPDATE`, `DELETE` or `MERGE` writes."""

from __future__ import annotations

from collections.abc import Sequence

from bottega.index.analyse.sql.keywords import split_words
from bottega.index.analyse.sql.names import key_at
from bottega.index.analyse.sql.tokens import Token

_BEFORE_TARGET = split_words(
    "INTO IGNORE OVERWRITE TABLE LOW_PRIORITY HIGH_PRIORITY DELAYED QUICK ONLY OR REPLACE ABORT FAIL ROLLBACK"
)
_MAX_TOP_TOKENS = 20


def find_target(tokens: Sequence[Token], at: int, verb: str) -> int:
    """Skip the keywords and the `TOP (…)` between a verb and its table, which need not follow."""
    if key_at(tokens, at) == "TOP" and key_at(tokens, at + 1) == "(":
        at += next((n for n in range(2, _MAX_TOP_TOKENS) if key_at(tokens, at + n) == ")"), 1) + 1
    while key_at(tokens, at) in _BEFORE_TARGET or (verb == "DELETE" and key_at(tokens, at) == "FROM"):
        at += 1
    return at
