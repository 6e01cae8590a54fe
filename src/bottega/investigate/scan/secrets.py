"""Likely secrets: a quick look at everything for what could begin one, a close look at those lines alone.

The quick look knows the literals of the rule table and nothing of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.source.secrets import KEY_LITERALS, NAME_LITERALS, find_secrets, load_rules

_IN_ORDERS = ("gnore", "mit_r", "criti")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_-"
# What may stand before a token: a sign, or the letter of an escape such as `\n`.
_BEFORE = "".join(sign for sign in map(chr, range(128)) if not (sign.isalnum() or sign == "_")) + "nrt"
_TABLE_BITS = 18
_SPREAD = 2654435761
_NEWLINE = 10
_AT_ONCE = 4_000_000
_LONGEST_LINE = 4000
_LONGEST_KEY_LOOK = 400
_MOST_IN_A_FILE = 20
_WINDOW = 4
_REACH = 320
_VALUE = re.compile(
    rb"[\w-]{0,40}+(?:\\{0,3}[\"'`])?+[\])]?+\s{0,20}+(?::\s{0,20}+[a-zA-Z_][\w.\[\] |]{0,40}+(?==))?+"
    rb"(?:=>|[:=(,>]|[ ](?:was|is|are|to|being)[ ]|[ ](?:for|of|on|to)[ ])=?\s{0,20}+"
    rb"(?:[a-zA-Z@]{0,2}\\{0,3}[\"'`][^\"'\s]{4}|(?=[^\s\"'()\[\]{},;\d]{0,60}+\d)[^\s\"'()\[\]{},;]{6})"
)
_EXAMPLE = re.compile(r"(?i)example|sample|dummy|placeholder|changeme|your[-_ ]|xxxx|<[a-z_ -]+>|fake|redacted")


class Secret(NamedTuple):
    """Where a likely secret stands, and its kind; never the secret itself."""

    line: int
    kind: str


class Suspects(NamedTuple):
    """Offsets worth a close look, in order: where a secret may begin, where an order to a model may stand."""

    secrets: NDArray[np.int64]
    orders: NDArray[np.int64]


class _Shape(NamedTuple):
    """A literal of a rule and the rule's regex, which begins with the literal unless it `is_inside`."""

    literal: bytes
    is_folded: bool
    is_inside: bool
    regex: re.Pattern[bytes]

    def stands_at(self, data: bytes, offset: int) -> bool:
        before = max(0, offset - len(self.literal))
        near = data[before : offset + len(self.literal) + _WINDOW]
        place = (near.lower() if self.is_folded else near).find(self.literal)
        if place < 0:
            return False
        if not self.is_inside:
            return self.regex.match(data, before + place) is not None
        return self.regex.search(data, max(0, offset - _REACH), offset + _REACH) is not None


class _Quick(NamedTuple):
    """The windows of the quick look.

    `numbers` are sorted, `table` says quickly that a number is none of them, `of_orders` which are of orders to a
    model. A window stands in `names` of secrets, or in what the `shapes` of rules match.
    """

    numbers: NDArray[np.uint32]
    table: NDArray[np.bool_]
    of_orders: NDArray[np.bool_]
    names: frozenset[bytes]
    shapes: dict[bytes, tuple[_Shape, ...]]


@cache
def _quick() -> _Quick:
    orders = {window for literal in _IN_ORDERS for window in _windows(literal)}
    ends = (literal[-5:] if literal.endswith(("key", "pass")) else literal for literal in NAME_LITERALS)
    names = {window for literal in ends for window in _windows(literal)}
    shapes: dict[bytes, list[_Shape]] = {}
    for shape in _shapes():
        for window in _windows(shape.literal.decode()):
            shapes.setdefault(window, []).append(shape)
    numbers = _numbers({*orders, *names, *shapes})
    table = np.zeros(1 << _TABLE_BITS, bool)
    table[_hashed(numbers)] = True
    is_order = np.isin(numbers, _numbers(orders))
    by_window = {window: tuple(given) for window, given in shapes.items()}
    return _Quick(numbers, table, is_order, frozenset(names), by_window)


def _shapes() -> Iterator[_Shape]:
    for rule in load_rules():
        if rule.folded and all(any(name in anchor for name in NAME_LITERALS) for anchor in rule.anchors):
            continue  # met by the name alone
        regex = _in_bytes(rule.regex)
        for anchor in rule.anchors:
            yield _Shape(anchor.encode(), rule.folded, not rule.starts_with_anchor, regex)
    for literal in KEY_LITERALS:
        yield _Shape(literal.encode(), False, False, re.compile(re.escape(literal.encode())))


def _in_bytes(regex: re.Pattern[str]) -> re.Pattern[bytes]:
    """The same shape over UTF-8; the marks of masked secrets are two bytes each and cannot stand in a class."""
    pattern = regex.pattern.replace("«", "").replace("»", "")
    return re.compile(pattern.encode(), regex.flags & ~re.UNICODE)


def _windows(literal: str) -> set[bytes]:
    """Four characters at every second place of a text: those that any place of this literal in it is met by."""
    folded = literal.lower()
    if len(folded) > _WINDOW:
        slices = [folded[at : at + 5] for at in range(len(folded) - 4)]
        rarest = max(slices, key=lambda part: min(_rarity(part[:4]), _rarity(part[1:])))
        found = {rarest[:4], rarest[1:]}
    elif len(folded) == _WINDOW:
        found = {folded, *(sign + folded[:3] for sign in _BEFORE)}
    else:
        found = {folded + sign for sign in _LETTERS + _BEFORE} | {sign + folded for sign in _LETTERS + _BEFORE}
    return {_fold(window.encode()) for window in found}


def _rarity(window: str) -> int:
    """How seldom four characters stand together in code and prose, roughly."""
    return sum(0 if sign in "etaoinsrl " else 1 if sign in "dcumpfghby._-/=" else 2 for sign in window)


def _fold(window: bytes) -> bytes:
    """The quick look sets bit 5 of every sign, which makes small letters of capitals and leaves digits alone."""
    return bytes(byte | 0x20 for byte in window)


def _numbers(windows: set[bytes]) -> NDArray[np.uint32]:
    return np.unique(np.frombuffer(b"".join(windows), "<u4"))


def _hashed(numbers: np.ndarray) -> np.ndarray:
    return (numbers * np.uint32(_SPREAD)) >> np.uint32(32 - _TABLE_BITS)


def suspects(data: bytes) -> Suspects:
    if len(data) <= _AT_ONCE:
        return _suspects(data)
    parts = []
    for start in range(0, len(data), _AT_ONCE):  # a part and a little more, so that nothing lies between two
        found = _suspects(data[start : start + _AT_ONCE + 8])
        parts.append((found.secrets + start, found.orders + start))
    return Suspects(*(np.unique(np.concatenate(kind)) for kind in zip(*parts, strict=True)))


def _suspects(data: bytes) -> Suspects:
    numbers, table, of_orders, _, _ = _quick()
    found = [np.empty(0, np.int64)]
    orders = [np.empty(0, np.int64)]
    for shift in (0, 2):
        count = (len(data) - shift) // 4
        if count <= 0:
            continue
        window = np.frombuffer(data, "<u4", count, shift) | np.uint32(0x20202020)
        places = np.flatnonzero(table.take(_hashed(window), mode="clip"))
        if len(places):
            near = window[places]
            at = np.minimum(np.searchsorted(numbers, near), len(numbers) - 1)
            is_one = numbers[at] == near
            is_order = is_one & of_orders[at]
            found.append(places[is_one & ~is_order] * 4 + shift)
            orders.append(places[is_order] * 4 + shift)
    hits = np.concatenate(found)
    hits += np.frombuffer(data, np.uint8)[hits] == _NEWLINE  # a line end in front of a token is not of its line
    return Suspects(np.unique(hits), np.sort(np.concatenate(orders)))


def secrets_at(data: bytes, offsets: list[int]) -> Iterator[Secret]:
    """A close look at the lines around these offsets; each line is named once."""
    end, line, counted, told = -1, 1, 0, 0
    for offset in offsets:
        if offset < end or not _may_begin(data, offset):
            continue
        start, end = _line_around(data, offset)
        rule = _rule_in(data, start, end)
        if rule:
            line += data.count(b"\n", counted, start)
            counted = start
            yield Secret(line, rule)
            told += 1
            if told == _MOST_IN_A_FILE:
                return


def _may_begin(data: bytes, offset: int) -> bool:
    """Whether what stands around a window can be a secret of the rules that the window is of."""
    quick = _quick()
    window = _fold(data[offset : offset + _WINDOW])
    if window in quick.names and _VALUE.match(data, offset):
        return True
    return any(shape.stands_at(data, offset) for shape in quick.shapes.get(window, ()))


def _line_around(data: bytes, offset: int) -> tuple[int, int]:
    """The line of an offset, or some of it on either side where it is long; the work is bounded."""
    start = data.rfind(b"\n", max(0, offset - _LONGEST_LINE), offset) + 1
    if not start and offset > _LONGEST_LINE:
        start = offset - 200
    end = data.find(b"\n", offset, offset + _LONGEST_LINE)
    if end < 0:
        end = len(data) if len(data) <= offset + _LONGEST_LINE else offset + 600
    return (start, end) if end - start <= _LONGEST_LINE else (max(start, offset - 200), min(end, offset + 600))


def _rule_in(data: bytes, start: int, end: int) -> str:
    """The rule of the first secret that begins in a line; a private key goes on behind it."""
    line = data[start:end].decode("utf-8", "replace")
    if "«masked:" in line or _EXAMPLE.search(line):
        return ""
    is_key = any(literal in line for literal in KEY_LITERALS)
    text = data[start : end + _LONGEST_KEY_LOOK].decode("utf-8", "replace") if is_key else line
    return next((secret.rule for secret in find_secrets(text) if secret.start <= len(line)), "")
