"""Likely secrets: a quick look at everything for what could begin one, a close look at those lines alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bottega.journal import Masker

_KIND = re.compile(r"«masked:([a-z-]{1,20})»")
# What stands in whatever the close look would call a secret or an order to a model. Windows of four signs are looked up
# at every second place alone, so each gives two that follow each other.
_IN_WORDS = "passw secret token api_k api-k apike ss_key ss-key sskey te_key tekey creden phras".split()
_IN_ORDERS = ("gnore", "mit_r", "criti")
_IN_TOKENS = "key-- hub_p xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- pi-ag dckr_ glsa_ shpat sq0at".split()
_IN_CREDENTIALS = ("earer", "basic")
_FOUR = "sk_l sk_t rk_l rk_t glpa npm_ akia asia aiza ghp_ gho_ ghu_ ghs_ ghr_".split()
_THREE = ("sk-", "hf_", "eyj")
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789_-"
_BEFORE = "".join(sign for sign in map(chr, range(128)) if not (sign.isalnum() or sign == "_"))
_TABLE_BITS = 18
_SPREAD = 2654435761
_NEWLINE, _COLON = 10, 58
_AT_ONCE = 4_000_000
_LONGEST_LINE = 4000
_MOST_IN_A_FILE = 20
_VALUE = re.compile(
    rb"[\w-]{0,40}+[\"']?+\]?+\s{0,20}+(?::\s{0,20}+[a-zA-Z_][\w.\[\] |]{0,40}+(?==))?+[:=]\s{0,20}+"
    rb"(?:[a-z]{0,2}[\"'][^\"'\s]{6}|(?=[^\s\"'()\[\]{},;\d]{0,60}+\d)[^\s\"'()\[\]{},;]{6})"
)
# What a token with a short beginning goes on with; it may have a sign in front.
_RUN = re.compile(rb"[^A-Za-z0-9]?[A-Za-z0-9_.-]{14}")
_CREDENTIAL = re.compile(rb"(?i)b?(?:asic [a-z0-9+/]{12}|e?arer [a-z0-9._~+/-]{16})")
_PASSWORD = re.compile(rb"://[^\s/:@\"']{0,100}+:[^\s/@\"']{3,200}+@")
_WORDS, _TOKENS, _CREDENTIALS = (
    frozenset(word[at : at + 4].encode() for word in words for at in (0, 1))
    for words in (_IN_WORDS, _IN_TOKENS, _IN_CREDENTIALS)
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


@cache
def _grams() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The windows as sorted numbers, a table that says quickly that a number is none of them, which are of orders."""
    whole = [*_IN_WORDS, *_IN_ORDERS, *_IN_TOKENS, *_IN_CREDENTIALS]
    windows = {word[at : at + 4] for word in whole for at in (0, 1)}
    windows |= {*_FOUR, *(sign + word[:3] for word in _FOUR for sign in _BEFORE)}
    windows |= {word + sign for word in _THREE for sign in _LETTERS}
    windows |= {sign + word for word in _THREE for sign in _BEFORE}
    windows |= {sign + "://" for sign in _LETTERS} | {"://" + sign for sign in map(chr, range(33, 127)) if sign != "/"}
    numbers = _numbers(windows)
    table = np.zeros(1 << _TABLE_BITS, bool)
    table[_hashed(numbers)] = True
    return numbers, table, np.isin(numbers, _numbers({word[at : at + 4] for word in _IN_ORDERS for at in (0, 1)}))


def _numbers(windows: set[str]) -> np.ndarray:
    """The quick look sets bit 5 of every sign, which makes small letters of capitals and leaves digits alone."""
    raw = b"".join(bytes(byte | 0x20 for byte in word.encode()) for word in windows)
    return np.unique(np.frombuffer(raw, "<u4"))


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
    numbers, table, of_orders = _grams()
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


def secrets_at(data: bytes, offsets: list[int], *, mask: Masker | None = None) -> Iterator[Secret]:
    """A close look at the lines around these offsets; each line is told once."""
    mask = mask or _masker()
    end, line, counted, told = -1, 1, 0, 0
    for offset in offsets:
        if offset < end:
            continue
        if not _goes_on(data, offset):
            continue
        start, end = _line_around(data, offset)
        text = data[start:end].decode("utf-8", "replace")
        kind = _kind(text, mask)
        if kind:
            line += data.count(b"\n", counted, start)
            counted = start
            yield Secret(line, kind)
            told += 1
            if told == _MOST_IN_A_FILE:
                return


def _goes_on(data: bytes, offset: int) -> bool:
    """Whether what stands behind the beginning of a secret can be the rest of one."""
    window = data[offset : offset + 4].lower()
    if window in _WORDS:
        return _VALUE.match(data, offset) is not None
    if window in _CREDENTIALS:
        return _CREDENTIAL.match(data, offset) is not None
    if b"://" in window:
        return _PASSWORD.match(data, offset + (window[0] != _COLON)) is not None
    return window in _TOKENS or _RUN.match(data, offset) is not None


def _line_around(data: bytes, offset: int) -> tuple[int, int]:
    """The line of an offset, or some of it on either side where it is long; the work is bounded."""
    start = data.rfind(b"\n", max(0, offset - _LONGEST_LINE), offset) + 1
    if not start and offset > _LONGEST_LINE:
        start = offset - 200
    end = data.find(b"\n", offset, offset + _LONGEST_LINE)
    if end < 0:
        end = len(data) if len(data) <= offset + _LONGEST_LINE else offset + 600
    return (start, end) if end - start <= _LONGEST_LINE else (max(start, offset - 200), min(end, offset + 600))


def _kind(text: str, mask: Masker) -> str:
    if "«masked:" in text:
        return ""
    if "PRIVATE KEY-----" in text:
        kind = "private-key" if "BEGIN" in text else ""
    else:
        found = _KIND.search(mask(text))
        kind = found[1] if found else ""
    return "" if kind and _EXAMPLE.search(text) else kind


@cache
def _masker() -> Masker:
    return Masker()
