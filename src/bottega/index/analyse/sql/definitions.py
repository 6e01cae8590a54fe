"""Where tables, views, routines, triggers, indexes and types are defined, and where each definition ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bottega.index.analyse.sql.ends import DEPTH_CHANGES, find_routine_end, find_statement_end
from bottega.index.analyse.sql.heads import ROUTINE_KINDS, Head, read_head
from bottega.index.analyse.sql.keywords import split_words
from bottega.index.analyse.sql.names import Name, is_name, key_at, read_name
from bottega.index.analyse.sql.tokens import BATCH, BODY_START, Token

_CONSTRAINT_KEYWORDS = split_words(
    "CONSTRAINT PRIMARY FOREIGN UNIQUE CHECK KEY INDEX EXCLUDE LIKE PERIOD FULLTEXT SPATIAL PARTITION"
)


class Column(NamedTuple):
    """Token indexes: the column's name, and the last token of its definition."""

    first: int
    last: int


class DefinitionSpan(NamedTuple):
    """A definition by token indexes, both `first` and `last` included."""

    kind: str
    name: Name
    first: int
    body: int
    """The first token of the body; the signature ends before it."""
    last: int
    columns: tuple[Column, ...]


def find_definitions(tokens: Sequence[Token], text: str, *, is_mysql: bool) -> Iterator[DefinitionSpan]:
    """Yield definitions in order; what a routine creates belongs to the routine and is not yielded."""
    is_tsql = not is_mysql and any(_is_tsql(token) for token in tokens)
    at = 0
    while at < len(tokens):
        head = read_head(tokens, at) if tokens[at].key in {"CREATE", "ALTER"} else None
        definition = _read_definition(tokens, at, head, text, is_tsql=is_tsql) if head is not None else None
        if definition is not None:
            yield definition
        at = definition.last + 1 if definition is not None else at + 1


def find_table(tokens: Sequence[Token], definition: DefinitionSpan) -> Name | None:
    """The table that an index or a trigger is defined on."""
    for at in range(definition.name.end, definition.last):
        if key_at(tokens, at) == "ON":
            return read_name(tokens, at + (2 if key_at(tokens, at + 1) == "ONLY" else 1))
    return None


def _is_tsql(token: Token) -> bool:
    return token.key.startswith("@") or (token.key == BATCH and token.text.startswith("GO"))


def _read_definition(
    tokens: Sequence[Token], first: int, head: Head, text: str, *, is_tsql: bool
) -> DefinitionSpan | None:
    kind, name = head
    has_body = kind in ROUTINE_KINDS or kind == "view"
    body = _find_body(tokens, name.end) if has_body else _find_columns(tokens, name.end)
    if tokens[first].key == "ALTER" and key_at(tokens, body) != "AS":  # `ALTER TABLE`, `ALTER FUNCTION … OWNER TO`
        return None
    if kind in ROUTINE_KINDS:
        last = find_routine_end(tokens, name.end, body, text, is_tsql=is_tsql)
    else:
        last = find_statement_end(tokens, name.end, text)
    columns = tuple(_read_columns(tokens, body, last)) if kind == "table" and body <= last else ()
    return DefinitionSpan(kind, name, first, min(body, last + 1), last, columns)


def _find_body(tokens: Sequence[Token], at: int) -> int:
    """The token index at which the head of a view or a routine ends."""
    depth = 0
    for place in range(at, len(tokens)):
        key = tokens[place].key
        depth += DEPTH_CHANGES.get(key, 0) if key in {"(", ")"} else 0
        if (depth == 0 and _begins_body(tokens, place)) or key in {BATCH, ";", "CREATE", "ALTER"}:
            return place
    return len(tokens)


def _begins_body(tokens: Sequence[Token], place: int) -> bool:
    key, before = tokens[place].key, key_at(tokens, place - 1)
    if key in {"AS", "IS"}:
        return before != "EXECUTE" and before[:1] != "@"
    if before == ")" and key in {"SELECT", "INSERT", "UPDATE", "DELETE", "CALL"}:
        return True
    return key in {"BEGIN", "RETURN", "DECLARE", BODY_START} or (before == "ROW" and key not in {"EXECUTE", "WHEN"})


def _find_columns(tokens: Sequence[Token], at: int) -> int:
    return at if key_at(tokens, at) == "(" else len(tokens)


def _read_columns(tokens: Sequence[Token], opening: int, last: int) -> Iterator[Column]:
    depth, first = 0, opening + 1
    for place in range(opening, last + 1):
        key = tokens[place].key
        depth += DEPTH_CHANGES.get(key, 0)
        if (key == "," and depth == 1) or (key == ")" and depth == 0):
            is_column = first < place and tokens[first].key not in _CONSTRAINT_KEYWORDS
            if is_column and is_name(tokens[first], may_be_reserved=True):
                yield Column(first, place - 1)
            first = place + 1
        if depth == 0:
            return
