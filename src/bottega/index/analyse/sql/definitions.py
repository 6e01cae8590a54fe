"""Where tables, views, routines, triggers and indexes are defined, and how far each definition reaches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bottega.index.analyse.sql.keywords import RESERVED, words
from bottega.index.analyse.sql.tokens import BATCH, CLOSING, NAME, OPENING, STRING, Token

_KINDS = {
    **dict.fromkeys(["PROCEDURE", "PROC", "FUNCTION"], "procedure"),
    **dict.fromkeys(["TYPE", "DOMAIN"], "type"),
    **{kind.upper(): kind for kind in ("table", "view", "trigger", "index")},
}
_ROUTINES = frozenset({"procedure", "trigger"})
_BEFORE_KIND = words(
    """
    OR REPLACE ALTER TEMP TEMPORARY GLOBAL LOCAL UNLOGGED EXTERNAL FOREIGN MATERIALIZED RECURSIVE UNIQUE CLUSTERED
    NONCLUSTERED FULLTEXT SPATIAL COLUMNSTORE BITMAP CONSTRAINT DEFINER ALGORITHM UNDEFINED MERGE TEMPTABLE SQL SECURITY
    INVOKER EDITIONABLE NONEDITIONABLE FORCE NO AGGREGATE VIRTUAL CURRENT_USER =
    """
)
_BEFORE_NAME = frozenset({"CONCURRENTLY", "IF", "NOT", "EXISTS"})
_NO_COLUMN = words("CONSTRAINT PRIMARY FOREIGN UNIQUE CHECK KEY INDEX EXCLUDE LIKE PERIOD FULLTEXT SPATIAL PARTITION")
# With one of these at the start of its line a statement without a semicolon is over.
_NEXT = words("CREATE ALTER DROP INSERT UPDATE DELETE MERGE TRUNCATE GRANT EXEC EXECUTE PRINT IF USE SET")
_ENDS_NO_BLOCK = frozenset({"IF", "LOOP", "WHILE", "REPEAT", "FOR", "CONVERSATION"})
_BEGINS_NO_BLOCK = frozenset({"TRAN", "TRANSACTION", "DISTRIBUTED", "WORK", ";"})
_FARTHEST_KIND = 24


class Column(NamedTuple):
    """Places of tokens: the name, and the last one."""

    first: int
    last: int


class Defined(NamedTuple):
    """A definition by the places of its tokens; `after` follows the name, `body` opens what no signature shows."""

    kind: str
    parts: tuple[str, ...]
    first: int
    after: int
    body: int
    last: int
    columns: tuple[Column, ...]


class Name(NamedTuple):
    parts: tuple[str, ...]
    after: int


def name_at(tokens: Sequence[Token], at: int) -> Name | None:
    """`a`, `dbo.a`, `db..a`, quoted or not."""
    parts: list[str] = []
    while at < len(tokens) and _is_name(tokens[at], first=not parts):
        parts.append(tokens[at].text)
        at += 1
        if key_at(tokens, at) != ".":
            break
        at += 1
        if key_at(tokens, at) == ".":  # `database..table` leaves the schema out
            parts, at = [], at + 1
    return Name(tuple(parts), at) if parts else None


def key_at(tokens: Sequence[Token], at: int) -> str:
    return tokens[at].key if 0 <= at < len(tokens) else ""


def definitions(tokens: Sequence[Token], text: str, *, is_mysql: bool) -> Iterator[Defined]:
    """One after the other; what is created inside a routine belongs to the routine."""
    is_tsql = not is_mysql and any(_is_tsql(token) for token in tokens)
    at = 0
    while at < len(tokens):
        found = _definition(tokens, at, text, is_tsql=is_tsql) if tokens[at].key in {"CREATE", "ALTER"} else None
        if found is not None:
            yield found
        at = found.last + 1 if found is not None else at + 1


def _is_tsql(token: Token) -> bool:
    return token.key.startswith("@") or (token.key == BATCH and token.text.startswith("GO"))


def _definition(tokens: Sequence[Token], first: int, text: str, *, is_tsql: bool) -> Defined | None:
    head = _head(tokens, first)
    if head is None:
        return None
    kind, name = head
    body = _body(tokens, name.after) if kind in _ROUTINES or kind == "view" else _bracket(tokens, name.after)
    if tokens[first].key == "ALTER" and key_at(tokens, body) != "AS":  # `ALTER TABLE`, `ALTER FUNCTION … OWNER TO`
        return None
    if kind in _ROUTINES:
        last = _routine_end(tokens, name.after, body, text, to_batch=is_tsql)
    else:
        last = _statement_end(tokens, name.after, text)
    columns = tuple(_columns(tokens, body, last)) if kind == "table" and body <= last else ()
    return Defined(kind, name.parts, first, name.after, min(body, last + 1), last, columns)


def _head(tokens: Sequence[Token], first: int) -> tuple[str, Name] | None:
    at = first + 1
    while key_at(tokens, at) in _BEFORE_KIND or key_at(tokens, at) in {NAME, STRING} or key_at(tokens, at)[:1] == "@":
        at += 1
        if at > first + _FARTHEST_KIND:
            return None
    kind = _KINDS.get(key_at(tokens, at))
    at += 1
    while kind is not None and key_at(tokens, at) in _BEFORE_NAME:
        at += 1
    name = name_at(tokens, at) if kind is not None else None
    return (kind, name) if kind is not None and name is not None and name.parts[-1][0] not in "@#" else None


def _statement_end(tokens: Sequence[Token], at: int, text: str) -> int:
    depth = 0
    for place in range(at, len(tokens)):
        key = tokens[place].key
        depth += _DEPTH.get(key, 0)
        if depth > 0:
            continue
        if key in {";", BATCH, "END"} or (key in _NEXT and _opens_line(tokens, place, text)):
            return place - 1 if key != ";" else place
    return len(tokens) - 1


def _routine_end(tokens: Sequence[Token], at: int, body: int, text: str, *, to_batch: bool) -> int:
    """The end of the batch in T-SQL, else the semicolon after the last block."""
    depth = blocks = 0
    awaits_block = _awaits_block(tokens, body)
    for place in range(at, len(tokens)):
        key = tokens[place].key
        depth += _DEPTH.get(key, 0)
        if key == BATCH:
            return place - 1
        if depth > 0:
            continue
        opened = _block(tokens, place)
        blocks = max(0, blocks + opened)
        awaits_block = awaits_block and not (opened < 0 and blocks == 0)
        if blocks == 0 and key == ";" and not awaits_block and not to_batch:
            return place
        if blocks == 0 and key in {"CREATE", "ALTER"} and _opens_line(tokens, place, text):
            head = _head(tokens, place)
            if head is not None and (head[0] in _ROUTINES or head[0] == "view"):
                return place - 1
    return len(tokens) - 1


_DEPTH = {"(": 1, ")": -1, OPENING: 1, CLOSING: -1}


def _awaits_block(tokens: Sequence[Token], body: int) -> bool:
    """`AS v int; BEGIN … END;`: semicolons before the block do not end the routine."""
    return key_at(tokens, body) in {"AS", "IS"} and key_at(tokens, body + 1) not in {OPENING, STRING, ""}


def _block(tokens: Sequence[Token], place: int) -> int:
    key, following = tokens[place].key, key_at(tokens, place + 1)
    if key == "CASE":
        return 0 if key_at(tokens, place - 1) == "END" else 1
    if key == "BEGIN":
        return 0 if following in _BEGINS_NO_BLOCK else 1
    return -1 if key == "END" and following not in _ENDS_NO_BLOCK else 0


def _body(tokens: Sequence[Token], at: int) -> int:
    """Where the head of a view or a routine is over."""
    depth = 0
    for place in range(at, len(tokens)):
        key = tokens[place].key
        depth += _DEPTH.get(key, 0) if key in "()" else 0
        if (depth == 0 and _opens_body(tokens, place)) or key in {BATCH, ";", "CREATE", "ALTER"}:
            return place
    return len(tokens)


def _opens_body(tokens: Sequence[Token], place: int) -> bool:
    key, before = tokens[place].key, key_at(tokens, place - 1)
    if key in {"AS", "IS"}:
        return before != "EXECUTE" and before[:1] != "@"
    if before == ")" and key in {"SELECT", "INSERT", "UPDATE", "DELETE", "CALL"}:
        return True
    return key in {"BEGIN", "RETURN", "DECLARE", OPENING} or (before == "ROW" and key not in {"EXECUTE", "WHEN"})


def _bracket(tokens: Sequence[Token], at: int) -> int:
    """Where the columns of a table begin."""
    return at if key_at(tokens, at) == "(" else len(tokens)


def _columns(tokens: Sequence[Token], opening: int, last: int) -> Iterator[Column]:
    depth, first = 0, opening + 1
    for place in range(opening, last + 1):
        key = tokens[place].key
        depth += _DEPTH.get(key, 0)
        if (key == "," and depth == 1) or (key == ")" and depth == 0):
            if first < place and tokens[first].key not in _NO_COLUMN and _is_name(tokens[first], first=False):
                yield Column(first, place - 1)
            first = place + 1
        if depth == 0:
            return


def _is_name(token: Token, *, first: bool) -> bool:
    if token.key == NAME:
        return True
    is_word = bool(token.text) and token.key not in {STRING, BATCH}
    return is_word and not (first and token.key in RESERVED)


def _opens_line(tokens: Sequence[Token], place: int, text: str) -> bool:
    if place == 0 or tokens[place - 1].key in {"AS", "ON", "FOR", "OR", ","}:
        return False
    return "\n" in text[tokens[place - 1].end : tokens[place].start]
