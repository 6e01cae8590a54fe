from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.errors import InputError
from bottega.source import estimate_tokens


def test_nothing_costs_nothing() -> None:
    assert estimate_tokens("") == 0


def test_plain_text_costs_a_quarter_token_per_character_rounded_up() -> None:
    assert estimate_tokens("abcdefgh") == 2
    assert estimate_tokens("abcdefghi") == 3


def test_the_rate_can_be_given() -> None:
    assert estimate_tokens("abcdefgh", chars_per_token=2) == 4


def test_chinese_costs_a_token_per_character() -> None:
    assert estimate_tokens("函数返回列表") == 6


def test_digits_and_emoji_are_dear() -> None:
    assert estimate_tokens("31415") == 5
    assert estimate_tokens("🦀🦀") == 4


@pytest.mark.parametrize("rate", [0, -1, math.nan, math.inf])
def test_a_rate_that_is_none_is_refused(rate: float) -> None:
    with pytest.raises(InputError):
        estimate_tokens("abc", chars_per_token=rate)


@given(st.text(), st.floats(0.1, 20))
def test_no_text_is_counted_cheaper_than_plain_ascii(text: str, rate: float) -> None:
    assert estimate_tokens(text, rate) >= math.floor(len(text) / rate)


@given(st.text(), st.text())
def test_more_text_never_costs_less(text: str, more: str) -> None:
    assert estimate_tokens(text + more) >= estimate_tokens(text)
