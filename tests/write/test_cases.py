"""Cases found in requests and in generated tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.models import ContractBroken, Reply
from bottega.write.asserts import AssertsContract
from bottega.write.cases import Case, find_assert_cases, find_cases
from bottega.write.claims import build_claim


def test_doctest_sessions_are_examples() -> None:
    text = "def f(x):\n    '''\n    >>> f([1, 2])\n    3\n    >>> f('a')\n    'b'\n    '''\n"
    assert find_cases(text) == [Case("f([1, 2])", "3"), Case("f('a')", "'b'")]


def test_a_session_may_claim_instead_of_show() -> None:
    assert find_cases(">>> f([]) == 0\n>>> f(1) == 2\n") == [Case("f([])", "0"), Case("f(1)", "2")]


def test_lines_with_arrows_and_equals_are_examples() -> None:
    text = "For example, f(1, 2) == 3\nf([]) -> None\nf('x') => True.\nf(2) should return [1, 2]\nf(5) ➞ -1\n"
    assert find_cases(text) == [
        Case("f(1, 2)", "3"),
        Case("f([])", "None"),
        Case("f('x')", "True"),
        Case("f(2)", "[1, 2]"),
        Case("f(5)", "-1"),
    ]


def test_signatures_and_prose_are_not_examples() -> None:
    text = "def f(x: int) -> None:\ncompute g(x) when x is large\nf(x) -> the sum\nreturns nothing\nf(a) -> 3\n"
    assert find_cases(text) == []


def test_spoken_truth_values_and_worked_results_are_understood() -> None:
    text = "f(1, 4) => true\nf(0) ==> false\nf('5 apples', 19) -> 19 - 5 - 6 = 8\nf(7) = 3\nf('a.txt') # => 'Yes'\n"
    assert [case.want for case in find_cases(text)] == ["True", "False", "8", "3", "'Yes'"]


def test_examples_of_other_functions_than_the_one_asked_for_do_not_count() -> None:
    assert find_cases("def f(x):\n    f(1) == 2\n    g(1) == 3\n    ord('a') == 97\n") == [Case("f(1)", "2")]


def test_asserts_become_cases_whatever_stands_around_them() -> None:
    code = "def test():\n    assert f(1) == 2\n\nassert not f(0)\nprint(1)\nassert f(2) in (3, 4)\n"
    assert find_assert_cases(code) == [Case("f(1)", "2"), Case("not f(0)"), Case("f(2) in (3, 4)")]


@given(st.text())
def test_no_request_breaks_the_search_for_examples(text: str) -> None:
    find_cases(text)
    find_assert_cases(text)


def test_a_reply_of_asserts_is_taken_line_by_line_even_when_it_was_cut() -> None:
    text = "Here:\n```python\nassert f(1) == 2\n  assert f(2) == 3\nassert f(1) == 2\nassert f('abc"
    cases = AssertsContract().parse(Reply(text, finish="length"))
    assert cases == [Case("f(1)", "2"), Case("f(2)", "3")]


def test_a_reply_without_asserts_is_refused() -> None:
    with pytest.raises(ContractBroken, match="no line"):
        AssertsContract().parse(Reply("I would test f(1)."))


@pytest.mark.parametrize(
    ("request_text", "code", "cases"),
    [
        ("f(3) returns 6 and f(4) returns 8.", "", [Case("f(3)", "6"), Case("f(4)", "8")]),
        ("odd(7) returns True if 7 is, odd(8) should be False", "", [Case("odd(7)", "True"), Case("odd(8)", "False")]),
        ("mid([3, 1, 2]) == 2 and mid([]) is None", "", [Case("mid([3, 1, 2])", "2"), Case("mid([])", "None")]),
        ("f('a)') gives ')'", "", [Case("f('a)')", "')'")]),
        ("e.g. `add(1, 2)` → `3`", "", [Case("add(1, 2)", "3")]),
        (">>> print(f(2))\n4\n", "", [Case("str(f(2))", "'4'")]),
        ("for input [1, 2] gives 3", "def total(x): pass", [Case("total([1, 2])", "3")]),
        ("Given 'abc', it returns 'cba'.", "def rev(s): pass", [Case("rev('abc')", "'cba'")]),
        ("for input [1, 2] gives 3", "def a(x): pass\ndef b(x): pass", []),
        ("a function that for each line returns 3", "def f(x): pass", []),
        ("f(2) is a number", "", []),
    ],
)  # fmt: skip
def test_examples_in_plain_sentences_are_found(request_text: str, code: str, cases: list[Case]) -> None:
    assert find_cases(request_text, code) == cases


@pytest.mark.parametrize(
    ("head", "repeated", "tail"), [("", "not ", "f(1)"), ("f(", "-", "1) == 2"), ("f(1)", ".a", " == 1")]
)
@pytest.mark.parametrize(("depth", "is_taken"), [(20, True), (900, False), (9000, False)])
def test_expressions_that_are_nested_too_deeply_are_no_cases(
    head: str, repeated: str, tail: str, depth: int, is_taken: bool
) -> None:
    expression = head + repeated * depth + tail
    assert bool(find_assert_cases(f"assert {expression}")) is is_taken
    assert (build_claim(Case(expression)) is not None) is is_taken
    assert bool(find_cases(f">>> {expression}\nTrue\n")) is is_taken
