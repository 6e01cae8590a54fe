"""The symbols, references and comments of a script."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from bottega.index.analyse.comments import CommentBlock
from bottega.index.analyse.outline import Outline, find_enclosing
from bottega.index.analyse.sql.definitions import DefinitionSpan, find_definitions, find_table
from bottega.index.analyse.sql.statement import Use
from bottega.index.analyse.sql.tokens import TokenList, tokenize
from bottega.index.analyse.sql.uses import find_uses
from bottega.index.analyse.values import NOBODY, Reference, Symbol

_MAX_SIGNATURE_LENGTH = 300
_MAX_MARGIN = 200
_RULER_LINES = re.compile(r"^[ \t]*+(?:(?:--|/?\*)[ \t]*+)?[=*#-]{4,}+[ \t]*+\r?$", re.MULTILINE)
_COMMENTS = re.compile(r"--[^\n]*|/\*!\d*|/\*(?:[^*]|\*(?!/))*+\*/|\*/")
_BLANKS = re.compile(r"\s+")


class Script(NamedTuple):
    outline: Outline
    references: tuple[Reference, ...]
    comment_blocks: list[CommentBlock]


def read(text: str) -> Script:
    """Names lose their quotes; `name` is the last part, the schema is in `qualified` and in a use's `receiver`."""
    return _Reader(text, tokenize(text)).read_script()


class _PlacedSymbol(NamedTuple):
    """A symbol and the offsets of its definition."""

    symbol: Symbol
    start: int
    end: int


class _Reader:
    def __init__(self, text: str, scanned: TokenList) -> None:
        self._text = text
        self._tokens = scanned.tokens
        self._comments = scanned.comments
        self._line_ends = [match.start() for match in re.finditer("\n", text)]
        self._definitions = list(find_definitions(self._tokens, text, is_mysql=scanned.is_mysql))

    def read_script(self) -> Script:
        placed = sorted(self._symbols(), key=lambda symbol: symbol.start)
        outline = Outline(
            tuple(symbol.symbol for symbol in placed),
            tuple(symbol.start for symbol in placed),
            tuple(symbol.end for symbol in placed),
            "",
        )
        return Script(outline, self._references(outline), list(self._comment_blocks()))

    def _symbols(self) -> Iterator[_PlacedSymbol]:
        parent = 0
        for definition in self._definitions:
            yield self._symbol(definition)
            for column in definition.columns:
                yield self._column(definition, column.first, column.last, parent)
            parent += 1 + len(definition.columns)

    def _symbol(self, definition: DefinitionSpan) -> _PlacedSymbol:
        start, end = self._tokens[definition.first].start, self._tokens[definition.last].end
        body = self._tokens[definition.body].start if definition.body <= definition.last else end
        table = find_table(self._tokens, definition) if definition.kind == "index" else None
        parts = definition.name.parts
        qualified = ".".join((*(table.parts if table is not None else ()), *parts))
        lines = self._line(start), self._line(end - 1)
        symbol = Symbol(parts[-1], definition.kind, qualified, *lines, NOBODY, self._signature(start, body))
        return _PlacedSymbol(symbol, start, end)

    def _column(self, table: DefinitionSpan, first: int, last: int, parent: int) -> _PlacedSymbol:
        name, start, end = self._tokens[first].text, self._tokens[first].start, self._tokens[last].end
        qualified = ".".join((*table.name.parts, name))
        lines = self._line(start), self._line(end - 1)
        return _PlacedSymbol(Symbol(name, "column", qualified, *lines, parent, self._signature(start, end)), start, end)

    def _references(self, outline: Outline) -> tuple[Reference, ...]:
        """Uses by definition, name and kind, with their number; those inside a column count for its table."""
        uses = [*self._uses_of_tables(), *find_uses(self._tokens, self._name_ends())]
        tables = {symbol.qualified.lower(): at for at, symbol in enumerate(outline.symbols) if symbol.kind == "table"}
        counts: dict[tuple[int, str, str, str], list[int]] = {}
        for use, holder in zip(uses, find_enclosing(outline, [use.start for use in uses]), strict=True):
            symbol = holder if holder != NOBODY else tables.get(".".join(use.altered_table).lower(), NOBODY)
            if symbol != NOBODY and outline.symbols[symbol].kind == "column":
                symbol = outline.symbols[symbol].parent
            key = (symbol, use.kind, use.parts[-1], ".".join(use.parts[:-1]))
            counts.setdefault(key, [self._line(use.start), 0])[1] += 1
        return tuple(
            Reference(name, kind, schema, line, symbol, count)
            for (symbol, kind, name, schema), (line, count) in counts.items()
        )

    def _name_ends(self) -> dict[int, int]:
        """For the first token of each definition, the token after its name; for an index, after that of its table."""
        ends = {}
        for definition in self._definitions:
            table = find_table(self._tokens, definition) if definition.kind == "index" else None
            ends[definition.first] = definition.name.end if table is None else table.end
        return ends

    def _uses_of_tables(self) -> Iterator[Use]:
        """The tables that indexes and triggers are defined on."""
        for definition in self._definitions:
            table = find_table(self._tokens, definition) if definition.kind in {"index", "trigger"} else None
            if table is not None:
                yield Use("type", table.parts, self._tokens[definition.first].start, ())

    def _comment_blocks(self) -> Iterator[CommentBlock]:
        for comment in self._comments:
            first, last = self._line(comment.start), self._line(comment.end - 1)
            line_start = self._line_ends[first - 2] + 1 if first > 1 else 0
            margin = self._text[max(line_start, comment.start - _MAX_MARGIN) : comment.start]
            text = _RULER_LINES.sub("--", self._text[comment.start : comment.end])
            yield CommentBlock(comment.start, first, last, text, not margin.strip())

    def _signature(self, start: int, end: int) -> str:
        text = self._text[start : min(end, start + 4 * _MAX_SIGNATURE_LENGTH)]
        return _BLANKS.sub(" ", _COMMENTS.sub(" ", text)).strip().rstrip(";").strip()[:_MAX_SIGNATURE_LENGTH]

    def _line(self, offset: int) -> int:
        return bisect_right(self._line_ends, offset - 1) + 1
