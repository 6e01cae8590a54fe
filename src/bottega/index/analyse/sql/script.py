"""A script as symbols, references and comments."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bottega.index.analyse.outline import Outline, holders
from bottega.index.analyse.remarks import Block
from bottega.index.analyse.sql.definitions import Defined, definitions, key_at, name_at
from bottega.index.analyse.sql.tokens import Token, Tokens, tokens
from bottega.index.analyse.sql.uses import Use, uses
from bottega.index.analyse.values import NOBODY, Reference, Symbol

_LONGEST_SIGNATURE = 300
_REMARKS = re.compile(r"--[^\n]*|/\*(?:[^*]|\*(?!/))*+\*/")
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
        self._defined = list(definitions(self._tokens, text))

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
        qualified = ".".join((*self._table_of(item), *item.parts) if item.kind == "index" else item.parts)
        lines = self._line(first), self._line(last - 1)
        symbol = Symbol(item.parts[-1], item.kind, qualified, *lines, NOBODY, self._signature(first, body))
        return symbol, first, last

    def _table_of(self, item: Defined) -> tuple[str, ...]:
        """The table that an index or a trigger stands on."""
        for at in range(item.after, item.last):
            if key_at(self._tokens, at) == "ON":
                skipped = at + (2 if key_at(self._tokens, at + 1) == "ONLY" else 1)
                name = name_at(self._tokens, skipped)
                return name.parts if name is not None else ()
        return ()

    def _references(self, shape: Outline) -> tuple[Reference, ...]:
        whole = [place for place, symbol in enumerate(shape.symbols) if symbol.parent == NOBODY]
        outer = Outline(
            *(tuple(column[place] for place in whole) for column in (shape.symbols, shape.starts, shape.ends)), ""
        )
        found = [*self._stands_on(), *uses(self._tokens, {item.first: item.after for item in self._defined})]
        places = holders(outer, [use.start for use in found])
        tables = {symbol.qualified.lower(): at for at, symbol in enumerate(shape.symbols) if symbol.kind == "table"}
        counted: dict[tuple[int, str, str, str], list[int]] = {}
        for use, place in zip(found, places, strict=True):
            symbol = whole[place] if place != NOBODY else tables.get(".".join(use.altered).lower(), NOBODY)
            key = (symbol, use.kind, use.parts[-1], ".".join(use.parts[:-1]))
            counted.setdefault(key, [self._line(use.start), 0])[1] += 1
        return tuple(
            Reference(name, kind, schema, line, symbol, count)
            for (symbol, kind, name, schema), (line, count) in counted.items()
        )

    def _stands_on(self) -> Iterator[Use]:
        for item in self._defined:
            table = self._table_of(item) if item.kind in {"index", "trigger"} else ()
            if table:
                yield Use("type", table, self._tokens[item.first].start, ())

    def _blocks(self) -> Iterator[Block]:
        for remark in self._remarks:
            before = self._text[self._text.rfind("\n", 0, remark.start) + 1 : remark.start]
            lines = self._line(remark.start), self._line(remark.end - 1)
            yield Block(remark.start, *lines, self._text[remark.start : remark.end], not before.strip())

    def _signature(self, start: int, end: int) -> str:
        text = self._text[start : min(end, start + 4 * _LONGEST_SIGNATURE)]
        return _BLANKS.sub(" ", _REMARKS.sub(" ", text)).strip().rstrip(";").strip()[:_LONGEST_SIGNATURE]

    def _line(self, place: int) -> int:
        return bisect_right(self._lines, place - 1) + 1
