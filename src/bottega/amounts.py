"""Amounts in words: a count with its noun, a length of time."""

from __future__ import annotations

_SIBILANTS = ("s", "x", "z", "ch", "sh")
_VOWELS = frozenset("aeiou")


def plural(count: int, noun: str, many: str = "") -> str:
    """`1 file`, `2 files`, `1,234 directories`; `many` is the other form where a final s does not make it."""
    return f"{count:,} {choose_form(count, noun, many)}"


def choose_form(count: int, one: str, many: str = "") -> str:
    """The noun or phrase alone, for a count that is written elsewhere."""
    return one if count == 1 else many or _add_ending(one)


def format_duration(seconds: float) -> str:
    """`12 s`, `3 min 05 s`, `2 h 10 min`."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60:,} h {minutes % 60:02d} min"


def _add_ending(noun: str) -> str:
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS:
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(_SIBILANTS) else f"{noun}s"
