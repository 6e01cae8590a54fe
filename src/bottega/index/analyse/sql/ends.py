"""Where statements and routines end, also where no separator says so."""

from __future__ import annotations

from collections.abc import Sequence

from bottega.index.analyse.sql.heads import ROUTINE_KINDS, read_head
from bottega.index.analyse.sql.keywords import split_words
from bottega.index.analyse.sql.names import key_at
from bottega.index.analyse.sql.tokens import BATCH, BODY_END, BODY_START, STRING, Token

DEPTH_CHANGES = {"(": 1, ")": -1, BODY_START: 1, BODY_END: -1}
# One of these at the start of a line begins a new statement, also without a semicolon before it.
_STATEMENT_KEYWORDS = split_words(
    "CREATE ALTER DROP INSERT UPDATE DELETE MERGE TRUNCATE GRANT EXEC EXECUTE PRINT IF USE SET"
)
_AFTER_END_OF_NO_BLOCK = frozenset({"IF", "LOOP", "WHILE", "REPEAT", "FOR", "CONVERSATION"})
_AFTER_BEGIN_OF_TRANSACTION = frozenset({"TRAN", "TRANSACTION", "DISTRIBUTED", "WORK", ";"})


def find_statement_end(tokens: Sequence[Token], at: int, text: str) -> int:
    """The index of the last token of a statement."""
    depth = 0
    for place in range(at, len(tokens)):
        key = tokens[place].key
        depth += DEPTH_CHANGES.get(key, 0)
        if depth > 0:
            continue
        if key in {";", BATCH, "END"} or (key in _STATEMENT_KEYWORDS and _begins_line(tokens, place, text)):
            return place - 1 if key != ";" else place
    return len(tokens) - 1


def find_routine_end(tokens: Sequence[Token], at: int, body: int, text: str, *, is_tsql: bool) -> int:
    """The index of a routine's last token: the end of the batch in T-SQL, else the semicolon after the last block."""
    depth = blocks = 0
    awaits_block = _awaits_block(tokens, body)
    for place in range(at, len(tokens)):
        key = tokens[place].key
        depth += DEPTH_CHANGES.get(key, 0)
        if key == BATCH:
            return place - 1
        if depth > 0:
            continue
        change = _block_change(tokens, place)
        blocks = max(0, blocks + change)
        awaits_block = awaits_block and not (change < 0 and blocks == 0)
        if blocks > 0:
            continue
        if key == ";" and not awaits_block and not is_tsql:
            return place
        if key in {"CREATE", "ALTER"} and _begins_definition(tokens, place, text):
            return place - 1
    return len(tokens) - 1


def _awaits_block(tokens: Sequence[Token], body: int) -> bool:
    """Whether declarations come first, as in `AS v int; BEGIN … END;`, whose semicolons do not end the routine."""
    return key_at(tokens, body) in {"AS", "IS"} and key_at(tokens, body + 1) not in {BODY_START, STRING, ""}


def _block_change(tokens: Sequence[Token], place: int) -> int:
    """1 where a block opens, -1 where one closes, else 0."""
    key, following = tokens[place].key, key_at(tokens, place + 1)
    if key == "CASE":
        return 0 if key_at(tokens, place - 1) == "END" else 1
    if key == "BEGIN":
        return 0 if following in _AFTER_BEGIN_OF_TRANSACTION else 1
    return -1 if key == "END" and following not in _AFTER_END_OF_NO_BLOCK else 0


def _begins_definition(tokens: Sequence[Token], place: int, text: str) -> bool:
    """Whether another routine or a view begins, which no routine can contain."""
    if not _begins_line(tokens, place, text):
        return False
    head = read_head(tokens, place)
    return head is not None and (head.kind in ROUTINE_KINDS or head.kind == "view")


def _begins_line(tokens: Sequence[Token], place: int, text: str) -> bool:
    if place == 0 or tokens[place - 1].key in {"AS", "ON", "FOR", "OR", ","}:
        return False
    return "\n" in text[tokens[place - 1].end : tokens[place].start]
