"""Names that nothing defines."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

import bottega
from bottega.source import Language, find_undefined_names, language_named


def _named(name: str) -> Language:
    language = language_named(name)
    assert language is not None
    return language


PYTHON = _named("python")


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("def area(r):\n    return math.pi * r * r\n", {"math"}),
        ("import math\ndef area(r):\n    return math.pi * r * r\n", set()),
        ("def total(items: List[int]) -> int:\n    return sum(items)\n", {"List"}),
        ("def f():\n    return helper()\n\ndef helper():\n    return 1\n", set()),
        ("class A:\n    x = 1\n    y = x + 1\n\n    def m(self):\n        return self.x, __class__\n", set()),
        ("def f(n):\n    return [i * k for i in range(n) for k in (1, 2)]\n", set()),
        ("def f():\n    global counter\n    counter = 1\n\nprint(counter)\n", set()),
        ("try:\n    import json\nexcept ImportError:\n    json = None\nprint(json, __name__, __file__)\n", set()),
        ("def f(x):\n    match x:\n        case [a, *rest]:\n            return a, rest\n", set()),
        ("def outer():\n    n = 0\n    def inner():\n        nonlocal n\n        n += 1\n    return inner\n", set()),
        ("while (line := input()):\n    print(line)\n", set()),
    ],
)
def test_what_is_used_and_never_defined_is_found(code: str, names: set[str]) -> None:
    assert find_undefined_names(code, PYTHON) == frozenset(names)


@pytest.mark.parametrize("code", ["from math import *\nprint(pi)\n", "exec('x = 1')\nprint(x)\n", "def f(:\n", "a\0b"])
def test_where_it_cannot_be_told_it_is_not_told(code: str) -> None:
    assert find_undefined_names(code, PYTHON) is None


def test_other_languages_are_not_judged() -> None:
    assert find_undefined_names("package main", _named("go")) is None


def test_no_file_of_bottega_itself_is_accused() -> None:
    for path in Path(bottega.__file__).parent.rglob("*.py"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert not find_undefined_names(path.read_text(), PYTHON), path
