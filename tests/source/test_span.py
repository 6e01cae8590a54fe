from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.errors import InputError
from bottega.source import Span


def test_a_span_prints_its_path_and_both_ends() -> None:
    assert str(Span("src/a.py", 3, 9)) == "src/a.py:3-9"


def test_a_span_of_one_line_prints_that_line() -> None:
    assert str(Span("src/a.py", 7, 7)) == "src/a.py:7"


@pytest.mark.parametrize(("path", "first", "last"), [("a", 0, 3), ("a", -1, 1), ("a", 5, 4), ("", 1, 1)])
def test_a_span_that_cannot_be_is_refused_with_a_hint(path: str, first: int, last: int) -> None:
    with pytest.raises(InputError) as refused:
        Span(path, first, last)
    assert refused.value.hint


@pytest.mark.parametrize(
    "text", ["", "a.py", "a.py:", ":3", "a.py:x", "a.py:3-", "a.py:-3", "a.py:3-2", "a.py:0", "a:٣"]
)
def test_text_that_is_not_a_span_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        Span.parse(text)


def test_a_path_may_hold_colons() -> None:
    assert Span.parse("C:\\work\\a.py:3-9") == Span("C:\\work\\a.py", 3, 9)


def test_spans_sort_by_path_then_by_line() -> None:
    assert sorted([Span("b", 1, 1), Span("a", 9, 9), Span("a", 2, 4)]) == [
        Span("a", 2, 4),
        Span("a", 9, 9),
        Span("b", 1, 1),
    ]


@given(st.text(min_size=1), st.integers(1, 10**6), st.integers(0, 10**6))
def test_what_a_span_prints_reads_back_as_the_same_span(path: str, first: int, more: int) -> None:
    span = Span(path, first, first + more)
    assert Span.parse(str(span)) == span
