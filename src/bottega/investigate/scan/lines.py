"""Count lines of code, comments and blank lines: many files of one language at a time, with NumPy arrays."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.investigate.scan.comment_styles import CommentStyle, closed_block, comment_style, string_or_comment

_NEWLINE = 10
_QUOTES = (b'"', b"'", b"`")
_IN_FIRST_COLUMN = frozenset({b"=begin"})
_SHORT_STRING = re.compile(rb"'(?:\\.|[^'\\]){0,300}+'|\"(?:\\.|[^\"\\]){0,300}+\"")
_LONGEST_BEFORE, _MOST_ON_A_LINE = 2000, 20
_MAX_CLOSE_LOOK_BYTES = 1_000_000
_TRIPLES = (b'"""', b"'''")
_PREFIXES = frozenset((b"", b"r", b"u", b"R"))
_IS_PREFIX = np.zeros(256, bool)
_IS_PREFIX[list(b"ruR")] = True
_HASH = 35
_FOUR_SPACES = 0x20202020
_IS_SPACE = np.zeros(256, bool)
_IS_SPACE[list(b" \t\r\x0b\x0c")] = True

Offsets = NDArray[np.int64]


class Lines(NamedTuple):
    """Lines with code, lines with nothing but a comment, and blank lines: each line counts once."""

    code: int
    comment: int
    blank: int


class Pages(NamedTuple):
    """Files concatenated, each ending with a newline; `starts` are the offsets at which they begin."""

    text: bytes
    starts: Offsets

    def by_file(self, places: Offsets) -> Iterator[tuple[int, list[int]]]:
        """Group sorted offsets by file: the number of each file that has any, and the offsets in it."""
        if not len(places):
            return
        owners = np.searchsorted(self.starts, places, "right") - 1
        files, first = np.unique(owners, return_index=True)
        ends = np.append(first[1:], len(places))
        inside = (places - self.starts[owners]).tolist()
        for file, begin, end in zip(files.tolist(), first.tolist(), ends.tolist(), strict=True):
            yield file, inside[begin:end]


def bound(files: Sequence[bytes]) -> Pages:
    """Concatenate files."""
    ended = [data if data[-1:] == b"\n" else data + b"\n" for data in files]
    return Pages(b"".join(ended), np.cumsum([0, *map(len, ended)])[:-1])


def count_pages(pages: Pages, language: str) -> list[Lines]:
    """Lines of each file. A block comment after code counts from its next line; a docstring is a comment."""
    table = _LineTable(pages)
    style = comment_style(language)
    comment = table.find_comments(style) if style is not None else np.zeros(len(table.ends), bool)
    comment &= ~table.blank
    first = np.searchsorted(table.ends, pages.starts)
    comments = np.add.reduceat(comment, first, dtype=np.int64)
    blanks = np.add.reduceat(table.blank, first, dtype=np.int64)
    totals = np.diff(np.append(first, len(table.ends)))
    counted = [
        Lines(t - c - b, c, b) for t, c, b in zip(*(x.tolist() for x in (totals, comments, blanks)), strict=True)
    ]
    if style is not None:
        for number in table.unclear_files:
            if len(data := table.file(number)) <= _MAX_CLOSE_LOOK_BYTES:
                counted[number] = _count_closely(data, style)
    return counted


class _LineTable:
    """The lines of all files: where each ends, the offset of its first character that is no space, whether it is blank.

    `unclear_files` need a second, slower look: only their strings tell whether a block comment begins.
    """

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.bytes = np.frombuffer(pages.text, np.uint8)
        self.ends = np.flatnonzero(self.bytes == _NEWLINE)
        begins = np.empty_like(self.ends)
        begins[:1] = 0
        begins[1:] = self.ends[:-1] + 1
        self.firsts = self._skip_spaces(begins)
        self.blank = self.bytes[self.firsts] == _NEWLINE
        self.unclear_files: list[int] = []

    def _skip_spaces(self, begins: Offsets) -> Offsets:
        """Offsets moved past spaces, four at a time while there are four."""
        inner = begins[: np.searchsorted(begins, len(self.bytes) - 4, "right")]
        fours = np.ndarray((max(0, len(self.bytes) - 3),), "<u4", self.pages.text, strides=(1,))
        active = np.flatnonzero(fours[inner] == _FOUR_SPACES)
        while len(active):
            begins[active] += 4
            active = active[begins[active] < len(fours)]
            active = active[fours[begins[active]] == _FOUR_SPACES]
        active = np.flatnonzero(_IS_SPACE[self.bytes[begins]])
        while len(active):
            begins[active] += 1
            active = active[_IS_SPACE[self.bytes[begins[active]]]]
        return begins

    def file(self, number: int) -> bytes:
        starts = self.pages.starts
        return self.pages.text[starts[number] : starts[number + 1] if number + 1 < len(starts) else None]

    def find_comments(self, style: CommentStyle) -> NDArray[np.bool_]:
        found = np.zeros(len(self.ends), bool)
        for mark in style.marks:
            found |= self._begins_with(mark)
        if style.documents:
            found |= self._find_docstrings()
        elif style.opener:
            found |= self._find_blocks(style, found)
        return found

    def _begins_with(self, mark: bytes) -> NDArray[np.bool_]:
        begun: NDArray[np.bool_] = self.bytes[self.firsts] == mark[0]
        for offset, sign in enumerate(mark[1:], 1):
            places = np.minimum(self.firsts + offset, len(self.bytes) - 1)
            begun &= self.bytes[places] == sign
        return begun

    def _find_all(self, wanted: bytes) -> Offsets:
        """Every offset at which these bytes stand."""
        places = np.flatnonzero(self.bytes[: len(self.bytes) - len(wanted) + 1] == wanted[0])
        for offset, sign in enumerate(wanted[1:], 1):
            places = places[self.bytes[places + offset] == sign]
        return places

    def _cover(self, first: Offsets, last: Offsets) -> NDArray[np.bool_]:
        """Mark the lines from each first to its last."""
        depth = np.zeros(len(self.ends) + 1, np.int32)
        np.add.at(depth, first, 1)
        np.add.at(depth, last + 1, -1)
        inside: NDArray[np.bool_] = np.cumsum(depth[:-1]) > 0
        return inside

    def _find_blocks(self, style: CommentStyle, marked: NDArray[np.bool_]) -> NDArray[np.bool_]:
        opens = self._find_all(style.opener)
        if style.opener in _IN_FIRST_COLUMN:
            opens = opens[(opens == 0) | (self.bytes[opens - 1] == _NEWLINE)]
        if not len(opens):
            return np.zeros(len(self.ends), bool)
        closes = self._find_all(style.closer)
        files = np.searchsorted(self.pages.starts, opens, "right")
        limits = np.append(self.pages.starts, len(self.bytes))[files] - 1
        after = np.append(closes, len(self.bytes))[np.searchsorted(closes, opens + len(style.opener))]
        shut = np.minimum(after, limits)
        first, last = np.searchsorted(self.ends, opens), np.searchsorted(self.ends, shut)
        leads = self.firsts[first] == opens
        covered = self._cover(first[leads], last[leads])
        covered[last[leads][self._is_code_behind(shut[leads], last[leads], len(style.closer))]] = False
        is_inside = covered[first] & np.append(covered, False)[first + 1]
        behind = np.flatnonzero(~leads & (first < last) & ~is_inside & ~marked[first])
        behind = behind[
            np.unique(first[behind], return_index=True)[1]
        ]  # the first of each line: the others are inside it
        begins, unclear = self._find_block_starts(opens[behind], first[behind], files[behind] - 1, style)
        self.unclear_files = np.unique(files[behind[unclear]] - 1).tolist()
        plain = behind[begins >= 0]
        until = last[plain]
        covered |= self._cover(begins[begins >= 0], until)
        covered[until[self._is_code_behind(shut[plain], until, len(style.closer))]] = False
        return covered

    def _find_block_starts(
        self, opens: Offsets, lines: Offsets, files: Offsets, style: CommentStyle
    ) -> tuple[Offsets, list[int]]:
        """For blocks that begin after other text: their first line that is all comment, -1 when they are none.

        Also which of them are unclear: an opener inside a string begins no comment.
        """
        begins = np.full(len(opens), -1)
        unclear: list[int] = []
        for at, (opener, line, file) in enumerate(zip(opens.tolist(), lines.tolist(), files.tolist(), strict=True)):
            before = closed_block(style).sub(b"", self.pages.text[self.firsts[line] : opener])
            is_in_string = style.has_strings and any(quote in before for quote in _QUOTES)
            if is_in_string or (style.has_long_strings and self._has_long_string(self.pages.starts[file], opener)):
                unclear.append(at)
            elif not any(mark in before for mark in style.marks):
                begins[at] = line + bool(before.strip())
        return begins, unclear

    def _has_long_string(self, start: int, opener: int) -> bool:
        return self.pages.text.find(b"`", start, opener) >= 0

    def _is_code_behind(self, shut: Offsets, lines: Offsets, length: int) -> NDArray[np.bool_]:
        behind = np.minimum(shut + length, self.ends[lines])
        found: NDArray[np.bool_] = self.bytes[behind] != _NEWLINE
        for place in np.flatnonzero(found).tolist():
            rest = self.pages.text[behind[place] : self.ends[lines[place]]].strip()
            found[place] = bool(rest) and not rest.startswith((b"//", b"/*"))
        return found

    def _find_docstrings(self) -> NDArray[np.bool_]:
        """Python: a triple-quoted string that begins a line is a docstring, one after code is code."""
        quotes, others = (self._find_all(quote) for quote in _TRIPLES)
        lines = np.searchsorted(self.ends, quotes)
        files = np.searchsorted(self.pages.starts, quotes, "right") - 1
        apart = np.diff(quotes, prepend=-3) >= 3
        is_odd = np.zeros(len(self.pages.starts), bool)
        is_odd[np.searchsorted(self.pages.starts, others, "right") - 1] = True
        is_odd[files[~apart | (self.bytes[self.firsts[lines]] == _HASH)]] = True
        for at in np.flatnonzero((quotes - self.firsts[lines] > 1) & ~is_odd[files]).tolist():
            if is_odd[files[at]]:
                continue
            before = self.pages.text[self.firsts[lines[at]] : quotes[at]].replace(b'"""', b"", 1)
            if b"'" in before or b'"' in before or b"#" in before:
                is_odd[files[at]] = True
        found = self._pair_quotes(quotes, lines, files, is_odd)
        if not is_odd.any():
            return found
        both = np.sort(np.concatenate([quotes, others]))
        return found | self._follow_quotes(both[is_odd[np.searchsorted(self.pages.starts, both, "right") - 1]])

    def _pair_quotes(
        self, quotes: Offsets, lines: Offsets, files: Offsets, is_odd: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """In files with one kind of triple quote, and none in a comment, quotes open and close in turn."""
        even = ~is_odd[files]
        quotes, lines, files = quotes[even], lines[even], files[even]
        number = np.arange(len(quotes)) - np.searchsorted(files, files)
        opens = np.flatnonzero(number[:-1] % 2 == 0)
        opens = opens[files[opens + 1] == files[opens]]
        lead = quotes[opens] - self.firsts[lines[opens]]
        is_docstring = (lead == 0) | ((lead == 1) & _IS_PREFIX[self.bytes[quotes[opens] - 1]])
        return self._cover(lines[opens[is_docstring]], lines[opens[is_docstring] + 1])

    def _follow_quotes(self, quotes: Offsets) -> NDArray[np.bool_]:
        """The same quote by quote; only the first of each line, so that a hostile line cannot take long."""
        lines = np.searchsorted(self.ends, quotes)
        near = np.arange(len(lines)) - np.searchsorted(lines, lines) < _MOST_ON_A_LINE
        quotes, lines = quotes[near], lines[near]
        files = np.searchsorted(self.pages.starts, quotes, "right")
        opened: list[int] = []
        shut: list[int] = []
        until, kind, of, at = -1, 0, -1, 0
        is_inside = is_docstring = False
        for place, line, file in zip(quotes.tolist(), lines.tolist(), files.tolist(), strict=True):
            sign = self.pages.text[place]
            if file != of:
                is_inside, of, until = False, file, -1
            if place < until or (is_inside and sign != kind):
                continue
            if is_inside:
                is_inside, until = False, place + 3
                if is_docstring:
                    opened.append(at)
                    shut.append(line)
                continue
            before = self.pages.text[max(self.firsts[line], place - _LONGEST_BEFORE) : place]
            if before not in _PREFIXES and _leaves_string_open(before):
                continue
            is_inside, kind, at, until = True, sign, line, place + 3
            is_docstring = before in _PREFIXES
        return self._cover(np.array(opened, np.int64), np.array(shut, np.int64))


def _leaves_string_open(before: bytes) -> bool:
    """Whether the text before a quote leaves a string open or begins a comment."""
    left = _SHORT_STRING.sub(b"", before)
    return b"#" in left or b"'" in left or b'"' in left


def _count_closely(data: bytes, style: CommentStyle) -> Lines:
    """Count with a regex that tells strings from comments: what is left without comments is code."""
    lines = data.split(b"\n")[:-1]
    filled = sum(1 for line in lines if line.strip())
    left = string_or_comment(style).sub(_drop_comment, data)
    code = sum(1 for line in left.split(b"\n") if line.strip())
    return Lines(code, filled - code, len(lines) - filled)


def _drop_comment(match: re.Match[bytes]) -> bytes:
    lines = match[0].count(b"\n")
    return b'""' + b'\n""' * lines if match.lastgroup == "text" else b"\n" * lines
