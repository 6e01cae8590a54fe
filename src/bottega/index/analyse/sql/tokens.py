"""A script as words, names and signs, without its strings; comments are kept aside."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

BATCH = "<batch>"  # `GO`, `/` or the delimiter that a MySQL script has chosen
OPENING, CLOSING = "<opening>", "<closing>"  # of a body in dollar quotes
STRING = "<string>"
NAME = "<name>"  # in quotes, so never a keyword

_MYSQL = re.compile(r"`\w+`|^[ \t]*DELIMITER[ \t]+\S|\bENGINE\s*=", re.IGNORECASE | re.MULTILINE)
_DOLLAR = re.compile(r"\$(?:[A-Za-z_]\w*)?\$")
_COMMENT_ENDS = re.compile(r"/\*|\*/")
_BEFORE_BODY = frozenset({"AS", "DO"})
# Quantifiers are possessive and open strings reach to the end: no text makes the scan go back.
_SHAPES = r"""
  (?P<batch>^[ \t]*(?:GO(?:[ \t]+\d+)?|/)[ \t]*;?[ \t]*\r?$)
| (?P<delimiter>^[ \t]*DELIMITER[ \t]++(?P<sign>\S++)[^\n]*+)
| (?P<rows>(?<=FROM\ stdin;)\r?\n)
| (?P<comment>--[^\n]*+|^[ \t]*+\#(?![\w\#@$])[^\n]*+)
| (?P<block>/\*(?!!))
| (?P<run>/\*!\d*)
| (?P<string>{string})
| (?P<quoted>{quoted})
| (?P<dollar>\$(?:[A-Za-z_]\w*+)?\$)
| (?P<word>[@#]{{0,2}}[^\W\d][\w\#@{inside}]*+)
| (?P<number>\d[\w.]*+)
| (?P<plain>[(),;.=])
"""
_ANSI_STRING = r"'[^']*+(?:''[^']*+)*+(?:'|\Z)"
_SLASHED_STRING = r"'[^'\\]*+(?:(?:''|\\.)[^'\\]*+)*+(?:'|\Z)"
_ANSI = (
    rf"\bE{_SLASHED_STRING}|{_ANSI_STRING}",
    r"\"[^\"\n]*+(?:\"\"[^\"\n]*+)*+\"|(?<![\w\])])\[[^\]\[\n]++\]|`[^`\n]++`",
)
_SLASHED = (rf"{_SLASHED_STRING}|\"[^\"\\]*+(?:(?:\"\"|\\.)[^\"\\]*+)*+(?:\"|\Z)", r"`[^`\n]++`")


class Token(NamedTuple):
    """`key` is the word in capitals or the sign; `text` a name without its quotes."""

    key: str
    text: str
    start: int
    end: int


class Remark(NamedTuple):
    start: int
    end: int


@dataclass(slots=True)
class Tokens:
    tokens: list[Token] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    is_mysql: bool = False


def tokens(text: str) -> Tokens:
    return _Scan(text).tokens()


class _Scan:
    """One way through the text; what follows a delimiter or a comment is a new start of the same pattern."""

    def __init__(self, text: str) -> None:
        self._text = text
        is_mysql = _MYSQL.search(text) is not None and "[dbo]" not in text
        self._dialect = _SLASHED if is_mysql else _ANSI
        self._delimiter = ""
        self._pattern = self._compiled()
        self._dollars: dict[str, list[int]] = defaultdict(list)
        for found in _DOLLAR.finditer(text):
            self._dollars[found[0]].append(found.start())
        self._closings: set[int] = set()
        self._nests = self._has_rows = True
        self._made = Tokens(is_mysql=is_mysql)

    def tokens(self) -> Tokens:
        at: int | None = 0
        while at is not None:
            at = self._from(at)
        return self._made

    def _from(self, at: int) -> int | None:
        """Read on; return where to start anew, or `None` at the end."""
        for found in self._pattern.finditer(self._text, at):
            label = found.lastgroup or ""
            if label == "word":
                word = found[0]
                self._made.tokens.append(Token(word.upper(), word, found.start(), found.end()))
            elif label == "plain":
                self._made.tokens.append(Token(found[0], "", found.start(), found.end()))
            elif label not in {"number", "run"}:
                again = self._seldom(label, found)
                if again is not None:
                    return again
        return None

    def _seldom(self, label: str, found: re.Match[str]) -> int | None:
        text, start, end = found[0], found.start(), found.end()
        if label == "comment":
            self._made.remarks.append(Remark(start + len(text) - len(text.lstrip()), end))
        elif label == "quoted":
            self._made.tokens.append(Token(NAME, _unquoted(text), start, end))
        elif label in {"string", "batch", "end"}:
            spelt = text.strip().upper() if label == "batch" else ""
            self._made.tokens.append(Token(STRING if label == "string" else BATCH, spelt, start, end))
        elif label == "block":
            return self._block(start)
        elif label == "dollar":
            return self._dollar(found[0], start, end)
        elif label == "rows":  # what `pg_dump` writes below `COPY … FROM stdin;` is no SQL
            return self._after_rows(start)
        else:
            self._delimiter = "" if found["sign"] == ";" else found["sign"]
            self._pattern = self._compiled()
            self._made.tokens.append(Token(BATCH, "", start, end))
            return end
        return None

    def _after_rows(self, start: int) -> int | None:
        closed = self._text.find("\n\\.", start) if self._has_rows else -1
        self._has_rows = closed >= 0
        return closed + 3 if closed >= 0 else None

    def _compiled(self) -> re.Pattern[str]:
        string, quoted = self._dialect
        inside = "" if "$" in self._delimiter else "$"
        shapes = _SHAPES.format(string=string, quoted=quoted, inside=inside)
        if self._delimiter:
            shapes = f"(?P<end>{re.escape(self._delimiter)})|{shapes}"
        return re.compile(shapes, re.VERBOSE | re.IGNORECASE | re.MULTILINE | re.DOTALL)

    def _block(self, start: int) -> int:
        """Past a comment and those inside it."""
        end = self._nested_end(start) if self._nests else None
        if end is None:  # not every dialect nests them: then the first end counts, here and below
            self._nests = False
            end = self._text.find("*/", start) + 2
            end = end if end > 1 else len(self._text)
        self._made.remarks.append(Remark(start, end))
        return end

    def _nested_end(self, start: int) -> int | None:
        depth = 0
        for found in _COMMENT_ENDS.finditer(self._text, start):
            depth += 1 if found[0] == "/*" else -1
            if depth == 0:
                return found.end()
        return None

    def _dollar(self, tag: str, start: int, end: int) -> int | None:
        """A body is read like the rest, any other text in dollar quotes is a string."""
        if start in self._closings:
            self._made.tokens.append(Token(CLOSING, "", start, end))
            return None
        places = self._dollars[tag]
        at = bisect_left(places, end)
        if at == len(places):
            return None
        if self._made.tokens and self._made.tokens[-1].key in _BEFORE_BODY:
            self._closings.add(places[at])
            self._made.tokens.append(Token(OPENING, "", start, end))
            return None
        self._made.tokens.append(Token(STRING, "", start, end))
        return places[at] + len(tag)


def _unquoted(text: str) -> str:
    inner = text[1:-1]
    return inner.replace('""', '"') if text[0] == '"' else inner
