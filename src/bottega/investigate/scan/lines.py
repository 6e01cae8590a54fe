"""Count lines of code, of comments, and blank ones: many files of one language at a time, with arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.source import language_named

_C_LIKE = (b"/*", b"*/")
_MARKUP = (b"<!--", b"-->")
_BLOCKS: Mapping[str, tuple[bytes, bytes]] = {
    **dict.fromkeys(
        """JavaScript TypeScript TSX Java C C++ C# Go Rust PHP Kotlin Swift Scala Dart SQL CSS SCSS Groovy Solidity
        Objective-C Protobuf Terraform""".split(),
        _C_LIKE,
    ),
    "JSON with Comments": _C_LIKE,
    **dict.fromkeys("HTML XML Markdown Vue Svelte".split(), _MARKUP),
    "Lua": (b"--[[", b"]]"),
    "Haskell": (b"{-", b"-}"),
    "Elm": (b"{-", b"-}"),
    "OCaml": (b"(*", b"*)"),
    "F#": (b"(*", b"*)"),
    "PowerShell": (b"<#", b"#>"),
    "Julia": (b"#=", b"=#"),
    "Ruby": (b"=begin", b"=end"),
    "Nix": _C_LIKE,
    "MATLAB": (b"%{", b"%}"),
}
_MORE_MARKS: Mapping[str, tuple[bytes, ...]] = {
    "PHP": (b"#",),
    "Assembly": (b"#", b"//", b"@"),
    "SQL": (b"#",),
    "Terraform": (b"//",),
    "Makefile": (),
}
_NEWLINE = 10
_QUOTES = (b'"', b"'", b"`")
_WITH_LONG_STRINGS = frozenset({"JavaScript", "TypeScript", "TSX", "Go"})
_IN_FIRST_COLUMN = frozenset({b"=begin"})
_SHORT_STRING = re.compile(rb"'(?:\\.|[^'\\]){0,300}+'|\"(?:\\.|[^\"\\]){0,300}+\"")
_LONGEST_BEFORE, _MOST_ON_A_LINE = 2000, 20
_CLOSE = 1_000_000
_TRIPLES = (b'"""', b"'''")
_PREFIXES = frozenset((b"", b"r", b"u", b"R"))
_IS_PREFIX = np.zeros(256, bool)
_IS_PREFIX[list(b"ruR")] = True
_HASH = 35
_FOUR_SPACES = 0x20202020
_IS_SPACE = np.zeros(256, bool)
_IS_SPACE[list(b" \t\r\x0b\x0c")] = True

Places = NDArray[np.int64]


class Lines(NamedTuple):
    """Lines that hold code, lines that hold nothing but a comment, and blank ones; together they are all lines."""

    code: int
    comment: int
    blank: int


class _Style(NamedTuple):
    marks: tuple[bytes, ...]
    opener: bytes
    closer: bytes
    documents: bool
    has_strings: bool = True
    has_long_strings: bool = False


class Pages(NamedTuple):
    """Files one behind the other, each with a line end of its own; `starts` says where each begins."""

    text: bytes
    starts: Places

    def by_file(self, places: Places) -> Iterator[tuple[int, list[int]]]:
        """Sorted places in the text as places in files: the number of each file that has any, and where in it."""
        if not len(places):
            return
        owners = np.searchsorted(self.starts, places, "right") - 1
        files, first = np.unique(owners, return_index=True)
        ends = np.append(first[1:], len(places))
        inside = (places - self.starts[owners]).tolist()
        for file, begin, end in zip(files.tolist(), first.tolist(), ends.tolist(), strict=True):
            yield file, inside[begin:end]


def bound(files: Sequence[bytes]) -> Pages:
    ended = [data if data[-1:] == b"\n" else data + b"\n" for data in files]
    return Pages(b"".join(ended), np.cumsum([0, *map(len, ended)])[:-1])


def count_lines(data: bytes, language: str) -> Lines:
    return count_pages(bound([data]), language)[0] if data else Lines(0, 0, 0)


def count_pages(pages: Pages, language: str) -> list[Lines]:
    """A block that opens behind code is followed to its end; a documentation string of Python is a comment."""
    sheet = _Sheet(pages)
    style = _style(language)
    comment = sheet.comments(style) if style is not None else np.zeros(len(sheet.ends), bool)
    comment &= ~sheet.blank
    first = np.searchsorted(sheet.ends, pages.starts)
    comments = np.add.reduceat(comment, first, dtype=np.int64)
    blanks = np.add.reduceat(sheet.blank, first, dtype=np.int64)
    totals = np.diff(np.append(first, len(sheet.ends)))
    counted = [
        Lines(t - c - b, c, b) for t, c, b in zip(*(x.tolist() for x in (totals, comments, blanks)), strict=True)
    ]
    if style is not None:
        for number in sheet.to_look_at:
            if len(data := sheet.file(number)) <= _CLOSE:
                counted[number] = _looked_at_closely(data, style)
    return counted


class _Sheet:
    """The lines of some pages: where each ends, where its first sign stands, whether it is blank."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.signs = np.frombuffer(pages.text, np.uint8)
        self.ends = np.flatnonzero(self.signs == _NEWLINE)
        begins = np.empty_like(self.ends)
        begins[:1] = 0
        begins[1:] = self.ends[:-1] + 1
        self.firsts = self._skipped(begins)
        self.blank = self.signs[self.firsts] == _NEWLINE
        self.to_look_at: list[int] = []

    def _skipped(self, begins: Places) -> Places:
        """Four spaces at a time as long as there are four."""
        inner = begins[: np.searchsorted(begins, len(self.signs) - 4, "right")]
        fours = np.ndarray((max(0, len(self.signs) - 3),), "<u4", self.pages.text, strides=(1,))
        active = np.flatnonzero(fours[inner] == _FOUR_SPACES)
        while len(active):
            begins[active] += 4
            active = active[begins[active] < len(fours)]
            active = active[fours[begins[active]] == _FOUR_SPACES]
        active = np.flatnonzero(_IS_SPACE[self.signs[begins]])
        while len(active):
            begins[active] += 1
            active = active[_IS_SPACE[self.signs[begins[active]]]]
        return begins

    def file(self, number: int) -> bytes:
        starts = self.pages.starts
        return self.pages.text[starts[number] : starts[number + 1] if number + 1 < len(starts) else None]

    def comments(self, style: _Style) -> NDArray[np.bool_]:
        found = np.zeros(len(self.ends), bool)
        for mark in style.marks:
            found |= self._begins_with(mark)
        if style.documents:
            found |= self._documented()
        elif style.opener:
            found |= self._in_blocks(style, found)
        return found

    def _begins_with(self, mark: bytes) -> NDArray[np.bool_]:
        begun: NDArray[np.bool_] = self.signs[self.firsts] == mark[0]
        for offset, sign in enumerate(mark[1:], 1):
            places = np.minimum(self.firsts + offset, len(self.signs) - 1)
            begun &= self.signs[places] == sign
        return begun

    def _all(self, wanted: bytes) -> Places:
        """Every place where these signs stand."""
        places = np.flatnonzero(self.signs[: len(self.signs) - len(wanted) + 1] == wanted[0])
        for offset, sign in enumerate(wanted[1:], 1):
            places = places[self.signs[places + offset] == sign]
        return places

    def _covered(self, first: Places, last: Places) -> NDArray[np.bool_]:
        """Lines between these, both ends included."""
        depth = np.zeros(len(self.ends) + 1, np.int32)
        np.add.at(depth, first, 1)
        np.add.at(depth, last + 1, -1)
        inside: NDArray[np.bool_] = np.cumsum(depth[:-1]) > 0
        return inside

    def _in_blocks(self, style: _Style, marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        opens = self._all(style.opener)
        if style.opener in _IN_FIRST_COLUMN:
            opens = opens[(opens == 0) | (self.signs[opens - 1] == _NEWLINE)]
        if not len(opens):
            return np.zeros(len(self.ends), bool)
        closes = self._all(style.closer)
        files = np.searchsorted(self.pages.starts, opens, "right")
        limits = np.append(self.pages.starts, len(self.signs))[files] - 1
        after = np.append(closes, len(self.signs))[np.searchsorted(closes, opens + len(style.opener))]
        shut = np.minimum(after, limits)
        first, last = np.searchsorted(self.ends, opens), np.searchsorted(self.ends, shut)
        leads = self.firsts[first] == opens
        covered = self._covered(first[leads], last[leads])
        covered[last[leads][self._is_code_behind(shut[leads], last[leads], len(style.closer))]] = False
        is_inside = covered[first] & np.append(covered, False)[first + 1]
        behind = np.flatnonzero(~leads & (first < last) & ~is_inside & ~marked[first])
        behind = behind[np.unique(first[behind], return_index=True)[1]]  # of a line the first: it holds the others
        begins, unclear = self._sorted_out(opens[behind], first[behind], files[behind] - 1, style)
        self.to_look_at = np.unique(files[behind[unclear]] - 1).tolist()
        plain = behind[begins >= 0]
        until = last[plain]
        covered |= self._covered(begins[begins >= 0], until)
        covered[until[self._is_code_behind(shut[plain], until, len(style.closer))]] = False
        return covered

    def _sorted_out(self, opens: Places, lines: Places, files: Places, style: _Style) -> tuple[Places, list[int]]:
        """For blocks that open behind something: the first line that is nothing but comment, -1 where none opens.

        Also which of them need a look at the strings of their file.
        """
        begins = np.full(len(opens), -1)
        unclear: list[int] = []
        for at, (opener, line, file) in enumerate(zip(opens.tolist(), lines.tolist(), files.tolist(), strict=True)):
            before = _closed(style).sub(b"", self.pages.text[self.firsts[line] : opener])
            is_in_text = style.has_strings and any(quote in before for quote in _QUOTES)
            if is_in_text or (style.has_long_strings and self._has_long_string(self.pages.starts[file], opener)):
                unclear.append(at)
            elif not any(mark in before for mark in style.marks):
                begins[at] = line + bool(before.strip())
        return begins, unclear

    def _has_long_string(self, start: int, opener: int) -> bool:
        return self.pages.text.find(b"`", start, opener) >= 0

    def _is_code_behind(self, shut: Places, lines: Places, length: int) -> NDArray[np.bool_]:
        behind = np.minimum(shut + length, self.ends[lines])
        found: NDArray[np.bool_] = self.signs[behind] != _NEWLINE
        for place in np.flatnonzero(found).tolist():
            rest = self.pages.text[behind[place] : self.ends[lines[place]]].strip()
            found[place] = bool(rest) and not rest.startswith((b"//", b"/*"))
        return found

    def _documented(self) -> NDArray[np.bool_]:
        """Python: a string that begins a line is documentation, one that stands behind code is code."""
        quotes, others = (self._all(quote) for quote in _TRIPLES)
        lines = np.searchsorted(self.ends, quotes)
        files = np.searchsorted(self.pages.starts, quotes, "right") - 1
        apart = np.diff(quotes, prepend=-3) >= 3
        is_odd = np.zeros(len(self.pages.starts), bool)
        is_odd[np.searchsorted(self.pages.starts, others, "right") - 1] = True
        is_odd[files[~apart | (self.signs[self.firsts[lines]] == _HASH)]] = True
        for at in np.flatnonzero((quotes - self.firsts[lines] > 1) & ~is_odd[files]).tolist():
            if is_odd[files[at]]:
                continue
            before = self.pages.text[self.firsts[lines[at]] : quotes[at]].replace(b'"""', b"", 1)
            if b"'" in before or b'"' in before or b"#" in before:
                is_odd[files[at]] = True
        found = self._paired(quotes, lines, files, is_odd)
        if not is_odd.any():
            return found
        both = np.sort(np.concatenate([quotes, others]))
        return found | self._followed(both[is_odd[np.searchsorted(self.pages.starts, both, "right") - 1]])

    def _paired(self, quotes: Places, lines: Places, files: Places, is_odd: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Where only one kind of quote stands, and none in a comment, they open and close in turn."""
        even = ~is_odd[files]
        quotes, lines, files = quotes[even], lines[even], files[even]
        number = np.arange(len(quotes)) - np.searchsorted(files, files)
        opens = np.flatnonzero(number[:-1] % 2 == 0)
        opens = opens[files[opens + 1] == files[opens]]
        lead = quotes[opens] - self.firsts[lines[opens]]
        is_told = (lead == 0) | ((lead == 1) & _IS_PREFIX[self.signs[quotes[opens] - 1]])
        return self._covered(lines[opens[is_told]], lines[opens[is_told] + 1])

    def _followed(self, quotes: Places) -> NDArray[np.bool_]:
        """The same quote by quote; of a line the first ones, so that a hostile one cannot take long."""
        lines = np.searchsorted(self.ends, quotes)
        near = np.arange(len(lines)) - np.searchsorted(lines, lines) < _MOST_ON_A_LINE
        quotes, lines = quotes[near], lines[near]
        files = np.searchsorted(self.pages.starts, quotes, "right")
        opened: list[int] = []
        shut: list[int] = []
        until, kind, of, at = -1, 0, -1, 0
        is_inside = is_told = False
        for place, line, file in zip(quotes.tolist(), lines.tolist(), files.tolist(), strict=True):
            sign = self.pages.text[place]
            if file != of:
                is_inside, of, until = False, file, -1
            if place < until or (is_inside and sign != kind):
                continue
            if is_inside:
                is_inside, until = False, place + 3
                if is_told:
                    opened.append(at)
                    shut.append(line)
                continue
            before = self.pages.text[max(self.firsts[line], place - _LONGEST_BEFORE) : place]
            if before not in _PREFIXES and _is_in_text(before):
                continue
            is_inside, kind, at, until = True, sign, line, place + 3
            is_told = before in _PREFIXES
        return self._covered(np.array(opened, np.int64), np.array(shut, np.int64))


def _is_in_text(before: bytes) -> bool:
    """Whether what stands in front leaves a string open, or begins a comment."""
    left = _SHORT_STRING.sub(b"", before)
    return b"#" in left or b"'" in left or b'"' in left


def _looked_at_closely(data: bytes, style: _Style) -> Lines:
    """Strings are told from comments: what is left when comments are gone is code."""
    lines = data.split(b"\n")[:-1]
    filled = sum(1 for line in lines if line.strip())
    left = _pieces(style).sub(_without_comment, data)
    code = sum(1 for line in left.split(b"\n") if line.strip())
    return Lines(code, filled - code, len(lines) - filled)


def _without_comment(found: re.Match[bytes]) -> bytes:
    piece = found[0]
    lines = piece.count(b"\n")
    return b'""' + b'\n""' * lines if found.lastgroup == "text" else b"\n" * lines


@cache
def _closed(style: _Style) -> re.Pattern[bytes]:
    return re.compile(re.escape(style.opener) + rb".*?" + re.escape(style.closer), re.S)


@cache
def _pieces(style: _Style) -> re.Pattern[bytes]:
    # A string that its line does not end goes to the end of the line; a lone apostrophe is a letter like any other.
    strings = rb"\"(?:\\.|[^\"\\\n])*+(?:\"|(?=\n)|\Z)|'(?:\\.|[^'\\\n]){0,300}+'|`[^`]*+`"
    block = re.escape(style.opener) + rb".*?(?:" + re.escape(style.closer) + rb"|\Z)"
    marks = rb"|".join(re.escape(mark) + rb"[^\n]*+" for mark in style.marks)
    return re.compile(rb"(?P<text>" + strings + rb")|" + block + (rb"|" + marks if marks else b""), re.S)


@cache
def _style(language: str) -> _Style | None:
    known = language_named(language)
    if known is None:
        return None
    opener, closer = _BLOCKS.get(known.name, (b"", b""))
    marks = list(_MORE_MARKS.get(known.name, ()))
    if known.comment is not None and not known.comment[1]:
        marks.insert(0, known.comment[0].strip().encode())
    return _Style(
        tuple(marks),
        opener,
        closer,
        documents=known.name == "Python",
        has_strings=opener != _MARKUP[0],
        has_long_strings=known.name in _WITH_LONG_STRINGS,
    )
