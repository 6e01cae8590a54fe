"""Tables read and written, routines called, foreign keys: told by the words before a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bottega.index.analyse.sql.definitions import Name, key_at, name_at
from bottega.index.analyse.sql.keywords import BUILT_IN, HINTS, PROVIDED, RESERVED, words
from bottega.index.analyse.sql.tokens import BATCH, NAME, Token

_QUERY = frozenset({"SELECT", "WITH", "VALUES", "INSERT", "UPDATE", "DELETE"})
_AFTER_TABLES = words("WHERE GROUP ORDER HAVING SET VALUES LIMIT WHEN UNION EXCEPT INTERSECT SELECT WINDOW")
# `AFTER INSERT`, `ON DELETE`, `FOR UPDATE`, `GRANT INSERT`: words that make a verb a mere mention.
_NO_VERB_AFTER = words("AFTER BEFORE OF FOR OR ON KEY DO GRANT REVOKE DENY ,")
_BEFORE_TARGET = words(
    "INTO IGNORE OVERWRITE TABLE LOW_PRIORITY HIGH_PRIORITY DELAYED QUICK ONLY OR REPLACE ABORT FAIL ROLLBACK"
)
_NO_ROUTINE_AFTER = words("KEY INDEX CONSTRAINT TABLE FUNCTION PROCEDURE AGGREGATE")
_NO_BARE_ROUTINE_AFTER = words("AS WITH RECURSIVE USING")
_LONGEST_TOP = 20
_BEFORE_TABLE = frozenset({"LATERAL", "ONLY", "TABLE"})


class Use(NamedTuple):
    """A name at a place in the text; `altered` is the table whose definition an `ALTER TABLE` goes on with."""

    kind: str
    parts: tuple[str, ...]
    start: int
    altered: tuple[str, ...]


@dataclass(slots=True)
class _Level:
    """Between two brackets. `name` stands before the opening one."""

    name: str = ""
    is_query: bool = False
    lists_tables: bool = False


def uses(tokens: Sequence[Token], skipped: Mapping[int, int]) -> Iterator[Use]:
    """Every use in a script; `skipped` leads from the first token of what is being defined past its name."""
    reader = _Reader(tokens)
    at = 0
    while at < len(tokens):
        if at in skipped:
            reader.begin()
            at = skipped[at]
        else:
            at = reader.step(at)
    yield from reader.found


class _Reader:
    def __init__(self, tokens: Sequence[Token]) -> None:
        self.found: list[Use] = []
        self._tokens = tokens
        self._steps: dict[str, Callable[[int], int]] = {
            **dict.fromkeys(["(", ")", ",", ";", BATCH], self._sign),
            **dict.fromkeys(["FROM", "JOIN", "APPLY", "USING"], self._source),
            **dict.fromkeys(["INSERT", "REPLACE", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "COPY"], self._verb),
            **dict.fromkeys(["EXEC", "EXECUTE", "CALL", "PERFORM"], self._execute),
            "INTO": self._into,
            "REFERENCES": self._reference,
            "ALTER": self._alter,
            **dict.fromkeys(_AFTER_TABLES, self._clause),
        }
        self.begin()

    def begin(self) -> None:
        """Forget the statement before."""
        self._levels = [_Level()]
        self._closed = _Level()
        self._local: set[str] = set()
        self._aliases: dict[str, tuple[str, ...]] = {}
        self._pending: dict[str, int] = {}
        self._altered: tuple[str, ...] = ()
        self._merges = False

    def step(self, at: int) -> int:
        """Read what begins here and return the place of what comes next."""
        token = self._tokens[at]
        step = self._steps.get(token.key)
        if step is not None:
            return step(at)
        if token.key == NAME or (token.text and token.key not in RESERVED):
            return self._plain_name(at)
        return at + 1

    def _sign(self, at: int) -> int:
        key = self._tokens[at].key
        if key == "(":
            self._open(at)
        elif key == ")":
            self._closed = self._levels.pop() if len(self._levels) > 1 else _Level()
        elif key == ",":
            if self._levels[-1].lists_tables:
                return self._table(at + 1)
        elif key == BATCH or len(self._levels) == 1:
            self.begin()
        return at + 1

    def _open(self, at: int) -> None:
        before = self._tokens[at - 1] if at else None
        is_query = key_at(self._tokens, at + 1) in _QUERY
        if is_query and before is not None and before.key in {"AS", "MATERIALIZED"}:
            self._name_query(at)
        self._levels.append(_Level(before.text if before is not None else ""))

    def _name_query(self, at: int) -> None:
        """`WITH recent (a, b) AS (SELECT …`: a name for this statement alone."""
        while key_at(self._tokens, at - 1) in {"AS", "NOT", "MATERIALIZED"}:
            at -= 1
        before = self._tokens[at - 1]
        self._local.add((self._closed.name if before.key == ")" else before.text).upper())

    def _clause(self, at: int) -> int:
        level = self._levels[-1]
        level.lists_tables = False
        level.is_query = level.is_query or self._tokens[at].key == "SELECT"
        return at + 1

    def _source(self, at: int) -> int:
        key, level = self._tokens[at].key, self._levels[-1]
        is_inside_a_call = key == "FROM" and len(self._levels) > 1 and not level.is_query  # EXTRACT(year FROM day)
        is_comparison = key == "FROM" and key_at(self._tokens, at - 1) == "DISTINCT"
        if is_inside_a_call or is_comparison or (key == "USING" and not self._merges):
            return at + 1
        level.lists_tables = key != "USING"
        return self._table(at + 1)

    def _table(self, at: int) -> int:
        while key_at(self._tokens, at) in _BEFORE_TABLE:
            at += 1
        while key_at(self._tokens, at) == "(" and key_at(self._tokens, at + 1) not in _QUERY:  # FROM (a JOIN b …)
            self._levels.append(_Level(is_query=True, lists_tables=True))
            at += 1
        name = name_at(self._tokens, at)
        if name is None:
            return at
        if key_at(self._tokens, name.after) == "(" and key_at(self._tokens, name.after + 1) not in HINTS:
            return self._called(name, at)
        self._alias(name)
        called = name.parts[0].upper()
        if len(name.parts) > 1 or not (called in self._local or called in PROVIDED):
            self._add("read", name.parts, at)
        return name.after

    def _alias(self, name: Name) -> None:
        at = name.after + (1 if key_at(self._tokens, name.after) == "AS" else 0)
        alias = name_at(self._tokens, at)
        if alias is None or len(alias.parts) > 1:
            return
        called = alias.parts[0].upper()
        self._aliases[called] = name.parts
        written = self._pending.pop(called, None)  # UPDATE i SET … FROM dbo.Invoice i
        if written is not None:
            self.found[written] = self.found[written]._replace(parts=name.parts)

    def _verb(self, at: int) -> int:
        key, before = self._tokens[at].key, key_at(self._tokens, at - 1)
        target = self._target(at + 1, key)
        name = name_at(self._tokens, target)
        if before in _NO_VERB_AFTER or name is None or (key == "REPLACE" and target == at + 1):
            return at + 1
        self._levels[-1].lists_tables = False
        self._levels[-1].is_query = True
        self._merges = key in {"MERGE", "DELETE"}
        if key in {"UPDATE", "DELETE"} and len(name.parts) == 1:
            self._pending[name.parts[0].upper()] = len(self.found)
        is_read = key == "COPY" and key_at(self._tokens, name.after) == "TO"
        self._add("read" if is_read else "write", name.parts, target)
        self._alias(name)
        return name.after

    def _target(self, at: int, verb: str) -> int:
        """Past the words and the `TOP (…)` between a verb and its table."""
        if key_at(self._tokens, at) == "TOP" and key_at(self._tokens, at + 1) == "(":
            at += next((n for n in range(2, _LONGEST_TOP) if key_at(self._tokens, at + n) == ")"), 1) + 1
        while key_at(self._tokens, at) in _BEFORE_TARGET or (verb == "DELETE" and key_at(self._tokens, at) == "FROM"):
            at += 1
        return at

    def _into(self, at: int) -> int:
        """`SELECT … INTO a FROM b` makes a table, or fills a variable that no table is named like."""
        name = name_at(self._tokens, at + 1)
        if name is None:
            return at + 1
        self._add("write", name.parts, at + 1)
        return name.after

    def _execute(self, at: int) -> int:
        if key_at(self._tokens, at - 1) in _NO_VERB_AFTER | {"WITH"}:
            return at + 1
        at += 1
        if key_at(self._tokens, at)[:1] == "@" and key_at(self._tokens, at + 1) == "=":
            at += 2
        if key_at(self._tokens, at) in {"FUNCTION", "PROCEDURE"}:
            at += 1
        name = name_at(self._tokens, at)
        return self._called(name, at) if name is not None else at

    def _called(self, name: Name, at: int) -> int:
        is_own = len(name.parts) > 1 or name.parts[0].upper() not in BUILT_IN
        is_of_alias = len(name.parts) > 1 and name.parts[0].upper() in self._aliases
        if is_own and not is_of_alias:
            self._add("call", name.parts, at)
        return name.after

    def _plain_name(self, at: int) -> int:
        name = name_at(self._tokens, at)
        if name is None:
            return at + 1
        before = key_at(self._tokens, at - 1)
        is_bare = len(name.parts) == 1 and before in _NO_BARE_ROUTINE_AFTER
        if key_at(self._tokens, name.after) == "(" and before not in _NO_ROUTINE_AFTER and not is_bare:
            return self._called(name, at)
        return name.after

    def _reference(self, at: int) -> int:
        name = name_at(self._tokens, at + 1)
        if name is None:
            return at + 1
        self._add("type", name.parts, at + 1)
        return name.after

    def _alter(self, at: int) -> int:
        if key_at(self._tokens, at + 1) != "TABLE":
            return at + 1
        self.begin()
        at += 2
        while key_at(self._tokens, at) in {"IF", "EXISTS", "ONLY"}:
            at += 1
        name = name_at(self._tokens, at)
        if name is None:
            return at
        self._altered = name.parts
        self._add("type", name.parts, at)
        return name.after

    def _add(self, kind: str, parts: tuple[str, ...], at: int) -> None:
        if parts[-1][:1] not in {"@", "#"}:
            self.found.append(Use(kind, parts, self._tokens[at].start, self._altered))
