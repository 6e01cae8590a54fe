"""Numbers as models write them: whatever is no number is no rating, and never an error."""

from __future__ import annotations

import math
from typing import Any


def share(value: Any) -> float | None:
    """A number from 0 to 1, or `None` for what is missing, malformed or out of bounds."""
    number = _number(value)
    return round(number, 4) if number is not None and 0 <= number <= 1 else None


def whole(value: Any, *, least: int, most: int) -> int | None:
    """A whole number brought between two bounds, or `None` where there is none."""
    number = _number(value)
    return None if number is None else int(min(max(number, least), most))


def _number(value: Any) -> float | None:
    if isinstance(value, str):
        try:
            value = float(value.strip()[:40])
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:
        return None
