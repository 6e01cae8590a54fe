"""Limits for analysing one file. A file that exceeds them is kept as text: its words are indexed, its symbols are not.

These limits are measured on the content, so that the same bytes give the same result on every machine. Limits of
processor time and memory catch what no measure of the content foresees; see `bottega.index.worker`.
"""

from __future__ import annotations

import numpy as np

# Grammars recover from open brackets in time that grows with the square of their number. Deeper code than this is
# generated, and 60,000 open brackets take half a minute.
DEEPEST_BRACKETS = 500
# Every definition has a qualified name and a span, so the cost grows with the square of the nesting depth.
DEEPEST_DEFINITIONS = 100
MOST_SYMBOLS = 50_000
MOST_REFERENCES = 200_000

# Processor seconds (a base, and for each megabyte) and address space.
SECONDS = 1.5
SECONDS_PER_MEGABYTE = 12.0
MEMORY = 1_500_000_000

_CHANGE = np.zeros(256, np.int8)
_CHANGE[list(b"([{")] = 1
_CHANGE[list(b")]}")] = -1


class OverBudgetError(Exception):
    """A file exceeds a limit; the message says which."""


def check_brackets(source: bytes) -> None:
    """Raise `OverBudgetError` where brackets nest too deeply, or too many are never closed."""
    changes = _CHANGE[np.frombuffer(source, np.uint8)]
    level = np.cumsum(changes[changes != 0], dtype=np.int32)
    if not len(level):
        return
    lowest = np.minimum(np.minimum.accumulate(level), 0)
    if int((level - lowest).max()) > DEEPEST_BRACKETS:
        raise OverBudgetError(f"brackets nest more than {DEEPEST_BRACKETS} deep")


def check_counts(symbols: int, references: int) -> None:
    if symbols > MOST_SYMBOLS:
        raise OverBudgetError(f"more than {MOST_SYMBOLS:,} definitions")
    if references > MOST_REFERENCES:
        raise OverBudgetError(f"more than {MOST_REFERENCES:,} uses of names")


def compute_time_limit(size: int) -> float:
    """Processor time for a file of so many bytes; valid source takes about a second for each megabyte."""
    return SECONDS + SECONDS_PER_MEGABYTE * size / 1_000_000
