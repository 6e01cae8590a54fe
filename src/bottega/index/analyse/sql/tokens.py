"""Splits a script into tokens; comments are collected apart."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from typing import NamedTuple

BATCH = "<batch>"  # `GO`, `/`, or the delimiter that a MySQL script has set
BODY_START, BODY_END = "<body start>", "<body end>"  # the dollar quotes around a routine body
STRING = "<string>"
QUOTED_NAME = "<quoted name>"  # never a keyword

_MYSQL_SIGNS = re.compile(r"`\w+`|^[ \t]*DELIMITER[ \t]+\S|\bENGINE\s*=", re.IGNORECASE | re.MULTILINE)
_DOLLAR_QUOTE = re.compile(r"\$(?:[A-Za-z_]\w*)?\$")
_COMMENT_BORDERS = re.compile(r"/\*|\*/")
_BEFORE_BODY = frozenset({"AS", "DO"})
# Quantifiers are possessive, and an unterminated string extends to the end of the text: no text causes backtracking.
_SHAPES = r"""
  (?P<batch>^[ \t]*+(?:GO(?:[ \t]++\d++)?|/)[ \t]*+(?:;[ \t]*+)?\r?$)
| (?P<delimiter>^[ \t]*+DELIMITER[ \t]++(?P<separator>\S++)[^\n]*+)
| (?P<copied_rows>(?<=FROM\ stdin;)\r?\n)
| (?P<comment>--[^\n]*+|^[ \t]*+\#(?![\w\#@$])[^\n]*+)
| (?P<block_comment>/\*(?!!))
| (?P<versioned>/\*!\d*)
| (?P<string>{string})
| (?P<quoted>{quoted})
| (?P<dollar>\$(?:[A-Za-z_]\w*+)?\$)
| (?P<word>[@#]{{0,2}}[^\W\d][\w\#@{dollar}]*+)
| (?P<number>\d[\w.]*+)
| (?P<sign>[(),;.=])
"""
_ANSI_STRING = r"'[^']*+(?:''[^']*+)*+(?:'|\Z)"
_BACKSLASH_STRING = r"'[^'\\]*+(?:(?:''|\\.)[^'\\]*+)*+(?:'|\Z)"
_ANSI_QUOTES = (
    rf"\bE{_BACKSLASH_STRING}|{_ANSI_STRING}",
    r"\"[^\"\n]*+(?:\"\"[^\"\n]*+)*+\"|(?<![\w\])])\[[^\]\[\n]++\]|`[^`\n]++`",
)
_MYSQL_QUOTES = (rf"{_BACKSLASH_STRING}|\"[^\"\\]*+(?:(?:\"\"|\\.)[^\"\\]*+)*+(?:\"|\Z)", r"`[^`\n]++`")


class Token(NamedTuple):
    """`key` is a word in capitals, a sign, or one of the constants above; `text` is a name without its quotes."""

    key: str
    text: str
    start: int
    end: int


class CommentSpan(NamedTuple):
    """Offsets in the text; `end` is excluded."""

    start: int
    end: int


@dataclass(slots=True)
class TokenList:
    tokens: list[Token] = field(default_factory=list)
    comments: list[CommentSpan] = field(default_factory=list)
    is_mysql: bool = False


def tokenize(text: str) -> TokenList:
    """Tokenize any text in linear time; what is no token of SQL is skipped."""
    return _Tokenizer(text).run()


class _Tokenizer:
    """One pass over the text; after a comment or a `DELIMITER` command the regex is started again."""

    def __init__(self, text: str) -> None:
        self._text = text
        is_mysql = _MYSQL_SIGNS.search(text) is not None and "[dbo]" not in text
        self._quotes = _MYSQL_QUOTES if is_mysql else _ANSI_QUOTES
        self._delimiter = ""
        self._regex = self._compile_regex()
        self._dollar_quotes: dict[str, list[int]] = defaultdict(list)
        for match in _DOLLAR_QUOTE.finditer(text):
            self._dollar_quotes[match[0]].append(match.start())
        self._body_ends: set[int] = set()
        self._comments_nest = self._has_copied_rows = True
        self._result = TokenList(is_mysql=is_mysql)

    def run(self) -> TokenList:
        start: int | None = 0
        while start is not None:
            start = self._scan(start)
        return self._result

    def _scan(self, start: int) -> int | None:
        """Scan from `start`; return where to start again, or `None` at the end of the text."""
        add = self._result.tokens.append
        for match in self._regex.finditer(self._text, start):
            label = match.lastgroup or ""
            if label == "word":
                word = match[0]
                add(Token(word.upper(), word, match.start(), match.end()))
            elif label == "sign":
                add(Token(match[0], "", match.start(), match.end()))
            elif label not in {"number", "versioned"}:
                restart = self._scan_rare(label, match)
                if restart is not None:
                    return restart
        return None

    def _scan_rare(self, label: str, match: re.Match[str]) -> int | None:
        text, start, end = match[0], match.start(), match.end()
        if label == "comment":
            self._result.comments.append(CommentSpan(start + len(text) - len(text.lstrip()), end))
        elif label == "quoted":
            self._result.tokens.append(Token(QUOTED_NAME, _unquote(text), start, end))
        elif label == "string":
            self._result.tokens.append(Token(STRING, "", start, end))
        elif label in {"batch", "end"}:
            self._result.tokens.append(Token(BATCH, text.strip().upper() if label == "batch" else "", start, end))
        elif label == "block_comment":
            return self._skip_comment(start)
        elif label == "dollar":
            return self._scan_dollar_quote(text, start, end)
        elif label == "copied_rows":
            return self._skip_copied_rows(start)
        else:
            return self._set_delimiter(match)
        return None

    def _set_delimiter(self, match: re.Match[str]) -> int:
        self._delimiter = "" if match["separator"] == ";" else match["separator"]
        self._regex = self._compile_regex()
        self._result.tokens.append(Token(BATCH, "", match.start(), match.end()))
        return match.end()

    def _compile_regex(self) -> re.Pattern[str]:
        string, quoted = self._quotes
        regex = _SHAPES.format(string=string, quoted=quoted, dollar="" if "$" in self._delimiter else "$")
        if self._delimiter:
            regex = f"(?P<end>{re.escape(self._delimiter)})|{regex}"
        return re.compile(regex, re.VERBOSE | re.IGNORECASE | re.MULTILINE | re.DOTALL)

    def _skip_copied_rows(self, start: int) -> int | None:
        """Skip the rows that `pg_dump` writes below `COPY … FROM stdin;`."""
        closing = self._text.find("\n\\.", start) if self._has_copied_rows else -1
        self._has_copied_rows = closing >= 0
        return closing + 3 if closing >= 0 else None

    def _skip_comment(self, start: int) -> int:
        """Skip a block comment. Where nested ones do not balance, the first `*/` ends it: not every dialect nests."""
        end = self._find_nested_end(start) if self._comments_nest else None
        if end is None:
            self._comments_nest = False
            end = self._text.find("*/", start) + 2
            end = end if end > 1 else len(self._text)
        self._result.comments.append(CommentSpan(start, end))
        return end

    def _find_nested_end(self, start: int) -> int | None:
        depth = 0
        for match in _COMMENT_BORDERS.finditer(self._text, start):
            depth += 1 if match[0] == "/*" else -1
            if depth == 0:
                return match.end()
        return None

    def _scan_dollar_quote(self, tag: str, start: int, end: int) -> int | None:
        """Scan a routine body like the rest of the script; skip any other text in dollar quotes as a string."""
        if start in self._body_ends:
            self._result.tokens.append(Token(BODY_END, "", start, end))
            return None
        starts = self._dollar_quotes[tag]
        closing = bisect_left(starts, end)
        if closing == len(starts):
            return None
        if self._result.tokens and self._result.tokens[-1].key in _BEFORE_BODY:
            self._body_ends.add(starts[closing])
            self._result.tokens.append(Token(BODY_START, "", start, end))
            return None
        self._result.tokens.append(Token(STRING, "", start, end))
        return starts[closing] + len(tag)


def _unquote(text: str) -> str:
    inner = text[1:-1]
    return inner.replace('""', '"') if text[0] == '"' else inner
