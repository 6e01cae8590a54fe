"""A script as symbols, references and comments."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from bottega.index.analyse.outline import Outline, holders
from bottega.index.analyse.remarks import Block
from bottega.index.analyse.sql.definitions import Defined, Name, definitions, key_at, name_at
from bottega.index.analyse.sql.tokens import Tokens, tokens
from bottega.index.analyse.sql.uses import Use, uses
from bottega.index.analyse.values import NOBODY, Reference, Symbol

_LONGEST_SIGNATURE = 300
_WIDEST_MARGIN = 200
_RULES = re.compile(r"^[ \t]*(?:--|/?\*)?[ \t]*[=*#-]{4,}[ \t]*\r?$", re.MULTILINE)
_REMARKS = re.compile(r"--[^\n]*|/\*!\d*|/\*(?:[^*]|\*(?!/))*+\*/|\*/")
_BLANKS = re.compile(r"\s+")


class Script(NamedTuple):
    outline: Outline
    references: tuple[Reference, ...]
    remarks: list[Block]


def read(text: str) -> Script:
    """Names lose their quotes; `name` is the last part, the schema is in `qualified` and in a use's `receiver`."""
    return _Reading(text, tokens(text)).script()


class _Reading:
    def __init__(self, text: str, scanned: Tokens) -> None:
        self._text = text
        self._tokens = scanned.tokens
        self._remarks = scanned.remarks
        self._lines = [found.start() for found in re.finditer("\n", text)]
        self._defined = list(definitions(self._tokens, text, is_mysql=scanned.is_mysql))

    def script(self) -> Script:
        rows = sorted(self._symbols(), key=lambda row: row[1])
        shape = Outline(
            tuple(symbol for symbol, _, _ in rows), tuple(at for _, at, _ in rows), tuple(end for _, _, end in rows), ""
        )
        return Script(shape, self._references(shape), list(self._blocks()))

    def _symbols(self) -> Iterator[tuple[Symbol, int, int]]:
        place = -1
        for item in self._defined:
            place += 1
            yield self._symbol(item)
            for column in item.columns:
                first, last = self._tokens[column.first], self._tokens[column.last]
                name = ".".join(item.parts)
                spelt = self._signature(first.start, last.end)
                lines = self._line(first.start), self._line(last.end - 1)
                yield Symbol(first.text, "column", f"{name}.{first.text}", *lines, place, spelt), first.start, last.end
            place += len(item.columns)

    def _symbol(self, item: Defined) -> tuple[Symbol, int, int]:
        first, last = self._tokens[item.first].start, self._tokens[item.last].end
        body = self._tokens[item.body].start if item.body <= item.last else last
        table = self._table_of(item) if item.kind == "index" else None
        qualified = ".".join((*(table.parts if table is not None else ()), *item.parts))
        lines = self._line(first), self._line(last - 1)
        symbol = Symbol(item.parts[-1], item.kind, qualified, *lines, NOBODY, self._signature(first, body))
        return symbol, first, last

    def _table_of(self, item: Defined) -> Name | None:
        """The table that an index or a trigger stands on."""
        for at in range(item.after, item.last):
            if key_at(self._tokens, at) == "ON":
                return name_at(self._tokens, at + (2 if key_at(self._tokens, at + 1) == "ONLY" else 1))
        return None

    def _references(self, shape: Outline) -> tuple[Reference, ...]:
        """Uses inside a column count for its table."""
        found = [*self._stands_on(), *uses(self._tokens, self._skipped())]
        tables = {symbol.qualified.lower(): at for at, symbol in enumerate(shape.symbols) if symbol.kind == "table"}
        counted: dict[tuple[int, str, str, str], list[int]] = {}
        for use, place in zip(found, holders(shape, [use.start for use in found]), strict=True):
            symbol = place if place != NOBODY else tables.get(".".join(use.altered).lower(), NOBODY)
            if symbol != NOBODY and shape.symbols[symbol].kind == "column":
                symbol = shape.symbols[symbol].parent
            key = (symbol, use.kind, use.parts[-1], ".".join(use.parts[:-1]))
            counted.setdefault(key, [self._line(use.start), 0])[1] += 1
        return tuple(
            Reference(name, kind, schema, line, symbol, count)
            for (symbol, kind, name, schema), (line, count) in counted.items()
        )

    def _skipped(self) -> dict[int, int]:
        """From the first token of a definition past its name, for an index past that of its table."""
        indexed = {item.first: self._table_of(item) for item in self._defined if item.kind == "index"}
        past = {item.first: item.after for item in self._defined}
        return past | {first: table.after for first, table in indexed.items() if table is not None}

    def _stands_on(self) -> Iterator[Use]:
        for item in self._defined:
            table = self._table_of(item) if item.kind in {"index", "trigger"} else None
            if table is not None:
                yield Use("type", table.parts, self._tokens[item.first].start, ())

    def _blocks(self) -> Iterator[Block]:
        for remark in self._remarks:
            first, last = self._line(remark.start), self._line(remark.end - 1)
            opened = self._lines[first - 2] + 1 if first > 1 else 0
            before = self._text[max(opened, remark.start - _WIDEST_MARGIN) : remark.start]
            text = _RULES.sub("--", self._text[remark.start : remark.end])
            yield Block(remark.start, first, last, text, not before.strip())

    def _signature(self, start: int, end: int) -> str:
        text = self._text[start : min(end, start + 4 * _LONGEST_SIGNATURE)]
        return _BLANKS.sub(" ", _REMARKS.sub(" ", text)).strip().rstrip(";").strip()[:_LONGEST_SIGNATURE]

    def _line(self, place: int) -> int:
        return bisect_right(self._lines, place - 1) + 1
