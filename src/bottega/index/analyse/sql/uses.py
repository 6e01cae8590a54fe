"""Tables read, written and referred to, and routines called, recognised by the keyword before a name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from bottega.index.analyse.sql.keywords import BUILT_IN, HINTS, PROVIDED, RESERVED, split_words
from bottega.index.analyse.sql.names import Name, key_at, read_name
from bottega.index.analyse.sql.statement import QUERY_KEYWORDS, Level, Statement, Use
from bottega.index.analyse.sql.targets import find_target
from bottega.index.analyse.sql.tokens import BATCH, QUOTED_NAME, Token

_AFTER_TABLES = split_words("WHERE GROUP ORDER HAVING SET VALUES LIMIT WHEN UNION EXCEPT INTERSECT SELECT WINDOW")
# A verb after one of these is no statement: `AFTER INSERT`, `ON DELETE`, `FOR UPDATE`, `GRANT INSERT`.
_NO_VERB_AFTER = split_words("AFTER BEFORE OF FOR OR ON KEY DO GRANT REVOKE DENY ,")
_NO_ROUTINE_AFTER = split_words("KEY INDEX CONSTRAINT TABLE FUNCTION PROCEDURE AGGREGATE")
_NO_BARE_ROUTINE_AFTER = split_words("AS WITH RECURSIVE USING")
_BEFORE_TABLE = frozenset({"LATERAL", "ONLY", "TABLE"})


def find_uses(tokens: Sequence[Token], name_ends: Mapping[int, int]) -> Iterator[Use]:
    """Yield every use in a script; `name_ends` leads from the first token of a definition past its name."""
    reader = _UseReader(tokens)
    at = 0
    while at < len(tokens):
        at = reader.begin_definition(name_ends[at]) if at in name_ends else reader.read(at)
    yield from reader.uses


class _UseReader:
    """Each method reads what begins at `at` and returns the index of the token to go on with."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.uses: list[Use] = []
        self._tokens = tokens
        self._statement = Statement()
        self._readers: dict[str, Callable[[int], int]] = {
            **dict.fromkeys(["(", ")", ",", ";", BATCH], self._read_sign),
            **dict.fromkeys(["FROM", "JOIN", "APPLY", "USING"], self._read_source),
            **dict.fromkeys(["INSERT", "REPLACE", "UPDATE", "DELETE", "MERGE", "TRUNCATE", "COPY"], self._read_verb),
            **dict.fromkeys(["EXEC", "EXECUTE", "CALL", "PERFORM"], self._read_execute),
            "INTO": self._read_into,
            "REFERENCES": self._read_reference,
            "LIKE": self._read_like,
            "HISTORY_TABLE": self._read_history_table,
            "STATISTICS": self._read_statistics,
            "ALTER": self._read_alter,
            **dict.fromkeys(_AFTER_TABLES, self._read_clause),
        }

    def begin_definition(self, name_end: int) -> int:
        self._statement = Statement()
        if key_at(self._tokens, name_end) == "LIKE":  # `CREATE TABLE b LIKE a`
            return self._read_reference(name_end)
        return name_end

    def read(self, at: int) -> int:
        token = self._tokens[at]
        reader = self._readers.get(token.key)
        if reader is not None:
            return reader(at)
        if token.key == QUOTED_NAME or (token.text and token.key not in RESERVED):
            return self._read_plain_name(at)
        return at + 1

    def _read_sign(self, at: int) -> int:
        key = self._tokens[at].key
        if key == "(":
            self._statement.open_level(self._tokens, at)
        elif key == ")":
            self._statement.close_level()
        elif key == ",":
            if self._statement.level.lists_tables:
                return self._read_table(at + 1)
        elif key == BATCH or len(self._statement.levels) == 1:
            self._statement = Statement()
        return at + 1

    def _read_clause(self, at: int) -> int:
        level = self._statement.level
        level.lists_tables = False
        level.is_query = level.is_query or self._tokens[at].key == "SELECT"
        return at + 1

    def _read_source(self, at: int) -> int:
        key, level = self._tokens[at].key, self._statement.level
        # `EXTRACT(year FROM day)`
        is_in_call = key == "FROM" and len(self._statement.levels) > 1 and not level.is_query
        is_comparison = key == "FROM" and key_at(self._tokens, at - 1) == "DISTINCT"
        if is_in_call or is_comparison or (key == "USING" and not self._statement.using_lists_table):
            return at + 1
        level.lists_tables = key != "USING"
        return self._read_table(at + 1)

    def _read_table(self, at: int) -> int:
        while key_at(self._tokens, at) in _BEFORE_TABLE:
            at += 1
        # `FROM (a JOIN b …)`
        while key_at(self._tokens, at) == "(" and key_at(self._tokens, at + 1) not in QUERY_KEYWORDS:
            self._statement.levels.append(Level(is_query=True, lists_tables=True))
            at += 1
        name = read_name(self._tokens, at)
        if name is None:
            return at
        if key_at(self._tokens, name.end) == "(" and key_at(self._tokens, name.end + 1) not in HINTS:
            return self._add_call(name, at)
        self._read_alias(name)
        first_part = name.parts[0].upper()
        if len(name.parts) > 1 or not (first_part in self._statement.query_names or first_part in PROVIDED):
            self._add("read", name, at)
        return name.end

    def _read_alias(self, table: Name) -> None:
        at = table.end + (1 if key_at(self._tokens, table.end) == "AS" else 0)
        name = read_name(self._tokens, at)
        if name is None or len(name.parts) > 1:
            return
        alias = name.parts[0].upper()
        self._statement.aliases[alias] = table.parts
        target = self._statement.targets.pop(alias, None)  # `UPDATE i SET … FROM dbo.Invoice i`
        if target is not None:
            self.uses[target] = self.uses[target]._replace(parts=table.parts)

    def _read_verb(self, at: int) -> int:
        key, before = self._tokens[at].key, key_at(self._tokens, at - 1)
        target = find_target(self._tokens, at + 1, key)
        name = read_name(self._tokens, target)
        if before in _NO_VERB_AFTER or name is None or (key == "REPLACE" and target == at + 1):
            return at + 1
        self._statement.level.lists_tables = False
        self._statement.level.is_query = True
        self._statement.using_lists_table = key in {"MERGE", "DELETE"}
        if key in {"UPDATE", "DELETE"} and len(name.parts) == 1 and not name.is_local:
            self._statement.targets[name.parts[0].upper()] = len(self.uses)
        is_read = key == "COPY" and key_at(self._tokens, name.end) == "TO"
        self._add("read" if is_read else "write", name, target)
        self._read_alias(name)
        return name.end

    def _read_into(self, at: int) -> int:
        """`SELECT … INTO a FROM b` creates a table, or assigns a variable, whose name is no table's."""
        return self._read_named("write", at + 1)

    def _read_reference(self, at: int) -> int:
        return self._read_named("type", at + 1)

    def _read_like(self, at: int) -> int:
        """Read the table whose columns are copied by `CREATE TABLE b (LIKE a)`."""
        return self._read_reference(at) if key_at(self._tokens, at - 1) == "(" else at + 1

    def _read_history_table(self, at: int) -> int:
        """Read `HISTORY_TABLE = dbo.Invoice_History` of a temporal table."""
        return self._read_reference(at + 1) if key_at(self._tokens, at + 1) == "=" else at + 1

    def _read_statistics(self, at: int) -> int:
        """Read `CREATE STATISTICS name ON dbo.Invoice (Total)`, whose table is no routine."""
        name = read_name(self._tokens, at + 1) if key_at(self._tokens, at - 1) == "CREATE" else None
        table = read_name(self._tokens, name.end + 1) if name and key_at(self._tokens, name.end) == "ON" else None
        if name is None or table is None or key_at(self._tokens, table.end) != "(":
            return at + 1
        return self._read_reference(name.end)

    def _read_execute(self, at: int) -> int:
        if key_at(self._tokens, at - 1) in _NO_VERB_AFTER | {"WITH"}:
            return at + 1
        at += 1
        if key_at(self._tokens, at)[:1] == "@" and key_at(self._tokens, at + 1) == "=":
            at += 2
        if key_at(self._tokens, at) in {"FUNCTION", "PROCEDURE"}:
            at += 1
        name = read_name(self._tokens, at)
        return self._add_call(name, at) if name is not None else at

    def _read_plain_name(self, at: int) -> int:
        name = read_name(self._tokens, at)
        if name is None:
            return at + 1
        before = key_at(self._tokens, at - 1)
        is_bare = len(name.parts) == 1 and before in _NO_BARE_ROUTINE_AFTER
        if key_at(self._tokens, name.end) == "(" and before not in _NO_ROUTINE_AFTER and not is_bare:
            return self._add_call(name, at)
        return name.end

    def _read_alter(self, at: int) -> int:
        if key_at(self._tokens, at + 1) != "TABLE":
            return at + 1
        self._statement = Statement()
        at += 2
        while key_at(self._tokens, at) in {"IF", "EXISTS", "ONLY"}:
            at += 1
        name = read_name(self._tokens, at)
        if name is None:
            return at
        self._statement.altered_table = name.parts
        self._add("type", name, at)
        return name.end

    def _read_named(self, kind: str, at: int) -> int:
        name = read_name(self._tokens, at)
        if name is None:
            return at
        self._add(kind, name, at)
        return name.end

    def _add_call(self, name: Name, at: int) -> int:
        first_part = name.parts[0].upper()
        is_built_in = len(name.parts) == 1 and first_part in BUILT_IN
        is_method = len(name.parts) > 1 and first_part in self._statement.aliases
        if not (is_built_in or is_method):
            self._add("call", name, at)
        return name.end

    def _add(self, kind: str, name: Name, at: int) -> None:
        if not name.is_local:
            self.uses.append(Use(kind, name.parts, self._tokens[at].start, self._statement.altered_table))
