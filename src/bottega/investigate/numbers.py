"""Numbers as models write them: whatever is not a number counts as missing, and never as an error."""

from __future__ import annotations

import math
from typing import Any

_MAX_DIGITS = 40


def parse_share(value: Any) -> float | None:
    """A number from 0 to 1; `None` when it is missing, malformed or out of range."""
    number = _parse_number(value)
    return round(number, 4) if number is not None and 0 <= number <= 1 else None


def parse_int(value: Any, *, least: int, most: int) -> int | None:
    """An integer, clamped to a range; `None` when it is missing or malformed."""
    number = _parse_number(value)
    return None if number is None else int(min(max(number, least), most))


def _parse_number(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value.strip()[:_MAX_DIGITS])
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None
