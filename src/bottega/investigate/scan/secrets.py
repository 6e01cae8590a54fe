"""Likely secrets in two passes: a fast prefilter over all bytes, then the secret rules on the lines it found.

The prefilter searches for the literals of the rule table and adds none of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.source.secrets import KEY_LITERALS, NAME_LITERALS, find_secrets, load_rules

_INJECTION_LITERALS = ("gnore", "mit_r", "criti")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_-"
# What may stand before a token: a character that is no letter or digit, or the letter of an escape such as `\n`.
_BEFORE = "".join(sign for sign in map(chr, range(128)) if not (sign.isalnum() or sign == "_")) + "nrt"
_TABLE_BITS = 18
_HASH_FACTOR = 2654435761
_NEWLINE = 10
_CHUNK_BYTES = 4_000_000
_MAX_LINE_BYTES = 4000
_KEY_BYTES = 400
_MAX_PER_FILE = 20
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


class SuspectOffsets(NamedTuple):
    """Offsets that the rules should check, sorted: of possible secrets, and of possible orders to a model."""

    secrets: NDArray[np.int64]
    orders: NDArray[np.int64]


class _LiteralRule(NamedTuple):
    """A literal of a rule and the rule's regex, which begins with the literal unless it `is_inside`."""

    literal: bytes
    is_folded: bool
    is_inside: bool
    regex: re.Pattern[bytes]

    def matches_at(self, data: bytes, offset: int) -> bool:
        before = max(0, offset - len(self.literal))
        near = data[before : offset + len(self.literal) + _WINDOW]
        place = (near.lower() if self.is_folded else near).find(self.literal)
        if place < 0:
            return False
        if not self.is_inside:
            return self.regex.match(data, before + place) is not None
        return self.regex.search(data, max(0, offset - _REACH), offset + _REACH) is not None


class _Prefilter(NamedTuple):
    """Windows of four bytes to search for, as integers.

    `numbers` are sorted, `table` is a hash filter in front of them, `of_orders` marks those of orders to a model. Each
    other window belongs to `names` of secrets or to literals of `rules`.
    """

    numbers: NDArray[np.uint32]
    table: NDArray[np.bool_]
    of_orders: NDArray[np.bool_]
    names: frozenset[bytes]
    rules: dict[bytes, tuple[_LiteralRule, ...]]


@cache
def _build_prefilter() -> _Prefilter:
    orders = {window for literal in _INJECTION_LITERALS for window in _list_windows(literal)}
    ends = (literal[-5:] if literal.endswith(("key", "pass")) else literal for literal in NAME_LITERALS)
    names = {window for literal in ends for window in _list_windows(literal)}
    rules: dict[bytes, list[_LiteralRule]] = {}
    for rule in _list_literal_rules():
        for window in _list_windows(rule.literal.decode()):
            rules.setdefault(window, []).append(rule)
    numbers = _pack_windows({*orders, *names, *rules})
    table = np.zeros(1 << _TABLE_BITS, bool)
    table[_hash(numbers)] = True
    is_order = np.isin(numbers, _pack_windows(orders))
    by_window = {window: tuple(matching) for window, matching in rules.items()}
    return _Prefilter(numbers, table, is_order, frozenset(names), by_window)


def _list_literal_rules() -> Iterator[_LiteralRule]:
    for rule in load_rules():
        if rule.folded and all(any(name in anchor for name in NAME_LITERALS) for anchor in rule.anchors):
            continue  # found by its name alone
        regex = _compile_for_bytes(rule.regex)
        for anchor in rule.anchors:
            yield _LiteralRule(anchor.encode(), rule.folded, not rule.starts_with_anchor, regex)
    for literal in KEY_LITERALS:
        yield _LiteralRule(literal.encode(), False, False, re.compile(re.escape(literal.encode())))


def _compile_for_bytes(regex: re.Pattern[str]) -> re.Pattern[bytes]:
    """The regex over UTF-8 bytes, without « and », which are two bytes each and cannot be in a character class."""
    pattern = regex.pattern.replace("«", "").replace("»", "")
    return re.compile(pattern.encode(), regex.flags & ~re.UNICODE)


def _list_windows(literal: str) -> set[bytes]:
    """Windows such that every occurrence of the literal holds one at an even offset."""
    folded = literal.lower()
    if len(folded) > _WINDOW:
        slices = [folded[at : at + 5] for at in range(len(folded) - 4)]
        rarest = max(slices, key=lambda part: min(_estimate_rarity(part[:4]), _estimate_rarity(part[1:])))
        found = {rarest[:4], rarest[1:]}
    elif len(folded) == _WINDOW:
        found = {folded, *(sign + folded[:3] for sign in _BEFORE)}
    else:
        found = {folded + sign for sign in _LETTERS + _BEFORE} | {sign + folded for sign in _LETTERS + _BEFORE}
    return {_fold(window.encode()) for window in found}


def _estimate_rarity(window: str) -> int:
    """Roughly how rare four characters are together in code and prose."""
    return sum(0 if sign in "etaoinsrl " else 1 if sign in "dcumpfghby._-/=" else 2 for sign in window)


def _fold(window: bytes) -> bytes:
    """Set bit 5 of every byte: the prefilter does so too, which lowers letters and keeps digits."""
    return bytes(byte | 0x20 for byte in window)


def _pack_windows(windows: set[bytes]) -> NDArray[np.uint32]:
    return np.unique(np.frombuffer(b"".join(windows), "<u4"))


def _hash(numbers: np.ndarray) -> np.ndarray:
    return (numbers * np.uint32(_HASH_FACTOR)) >> np.uint32(32 - _TABLE_BITS)


def find_suspects(data: bytes) -> SuspectOffsets:
    """The prefilter, over any amount of text."""
    if len(data) <= _CHUNK_BYTES:
        return _filter_chunk(data)
    parts = []
    for start in range(0, len(data), _CHUNK_BYTES):  # chunks overlap, so that nothing is lost between two
        found = _filter_chunk(data[start : start + _CHUNK_BYTES + 8])
        parts.append((found.secrets + start, found.orders + start))
    return SuspectOffsets(*(np.unique(np.concatenate(kind)) for kind in zip(*parts, strict=True)))


def _filter_chunk(data: bytes) -> SuspectOffsets:
    numbers, table, of_orders, _, _ = _build_prefilter()
    found = [np.empty(0, np.int64)]
    orders = [np.empty(0, np.int64)]
    for shift in (0, 2):
        count = (len(data) - shift) // 4
        if count <= 0:
            continue
        window = np.frombuffer(data, "<u4", count, shift) | np.uint32(0x20202020)
        places = np.flatnonzero(table.take(_hash(window), mode="clip"))
        if len(places):
            near = window[places]
            at = np.minimum(np.searchsorted(numbers, near), len(numbers) - 1)
            is_one = numbers[at] == near
            is_order = is_one & of_orders[at]
            found.append(places[is_one & ~is_order] * 4 + shift)
            orders.append(places[is_order] * 4 + shift)
    hits = np.concatenate(found)
    hits += np.frombuffer(data, np.uint8)[hits] == _NEWLINE  # a newline before a token belongs to the line above
    return SuspectOffsets(np.unique(hits), np.sort(np.concatenate(orders)))


def find_secrets_at(data: bytes, offsets: list[int]) -> Iterator[Secret]:
    """Apply the rules to the lines around these offsets; each line is reported once."""
    end, line, counted, reported = -1, 1, 0, 0
    for offset in offsets:
        if offset < end or not _is_candidate(data, offset):
            continue
        start, end = _cut_line(data, offset)
        rule = _find_rule(data, start, end)
        if rule:
            line += data.count(b"\n", counted, start)
            counted = start
            yield Secret(line, rule)
            reported += 1
            if reported == _MAX_PER_FILE:
                return


def _is_candidate(data: bytes, offset: int) -> bool:
    """Whether the text around a window may be a secret of the rules that the window stands for."""
    prefilter = _build_prefilter()
    window = _fold(data[offset : offset + _WINDOW])
    if window in prefilter.names and _VALUE.match(data, offset):
        return True
    return any(rule.matches_at(data, offset) for rule in prefilter.rules.get(window, ()))


def _cut_line(data: bytes, offset: int) -> tuple[int, int]:
    """The line of an offset, or a part of it on either side when it is long, which bounds the work."""
    start = data.rfind(b"\n", max(0, offset - _MAX_LINE_BYTES), offset) + 1
    if not start and offset > _MAX_LINE_BYTES:
        start = offset - 200
    end = data.find(b"\n", offset, offset + _MAX_LINE_BYTES)
    if end < 0:
        end = len(data) if len(data) <= offset + _MAX_LINE_BYTES else offset + 600
    return (start, end) if end - start <= _MAX_LINE_BYTES else (max(start, offset - 200), min(end, offset + 600))


def _find_rule(data: bytes, start: int, end: int) -> str:
    """The rule of the first secret that begins in a line; a private key continues after it."""
    line = data[start:end].decode("utf-8", "replace")
    if "«masked:" in line or _EXAMPLE.search(line):
        return ""
    is_key = any(literal in line for literal in KEY_LITERALS)
    text = data[start : end + _KEY_BYTES].decode("utf-8", "replace") if is_key else line
    return next((secret.rule for secret in find_secrets(text) if secret.start <= len(line)), "")
