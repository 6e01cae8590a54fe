"""Counts with their nouns, and lengths of time."""

from __future__ import annotations

import pytest

from bottega.amounts import choose_form, format_duration, plural


@pytest.mark.parametrize(
    ("count", "noun", "told"),
    [
        (0, "file", "0 files"),
        (1, "file", "1 file"),
        (2, "file", "2 files"),
        (1234, "directory", "1,234 directories"),
        (1, "directory", "1 directory"),
        (3, "day", "3 days"),
        (2, "match", "2 matches"),
        (2, "process", "2 processes"),
    ],
)
def test_a_count_agrees_with_its_noun(count: int, noun: str, told: str) -> None:
    assert plural(count, noun) == told


def test_the_other_form_may_be_given() -> None:
    assert plural(1, "file differs", "files differ") == "1 file differs"
    assert plural(2, "file differs", "files differ") == "2 files differ"
    assert choose_form(2, "is", "are") == "are"


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1 min 00 s"), (185, "3 min 05 s"), (7800, "2 h 10 min")]
)
def test_a_length_of_time_has_two_units_at_most(seconds: float, told: str) -> None:
    assert format_duration(seconds) == told
