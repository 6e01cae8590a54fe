"""`bottega similar`: clones, code of the same shape, and code like it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.bottega import ask, refused
from tests.index.trees import write

SUM = """def sum_prices(rows):
    total = 0
    for row in rows:
        if row.price > 0:
            total += row.price
    return total
"""
FILES = {
    "a.py": SUM,
    "clone.py": "# Copied.\n" + SUM.replace("def sum_prices", "def add_prices"),
    "shape.py": SUM.replace("price", "weight")
    .replace("rows", "parcels")
    .replace("row", "parcel")
    .replace("total", "sum_"),
    "other.py": "def say_hello(name):\n    greeting = 'hello'\n    print(greeting, name)\n    return None\n",
    "like.py": "def show(rows):\n    return [row.price for row in rows]\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write(tmp_path, FILES)


def _found(root: Path, *arguments: str) -> list[dict[str, Any]]:
    data = json.loads(ask("similar", *arguments, "--json", cwd=root).out)
    return [hit for place in data["places"] for hit in place["hits"]]


def test_clones_come_first_then_the_same_shape_then_the_same_words(shop: Path) -> None:
    found = [(hit["symbol"], hit["kinship"]) for hit in _found(shop, "sum_prices")]
    assert found[:2] == [("add_prices", "clone"), ("sum_weights", "same shape")]
    assert ("show", "like") in found[2:]


def test_a_place_may_be_a_line_or_lines(shop: Path) -> None:
    by_line = _found(shop, "a.py:4")
    assert by_line[0]["symbol"] == "add_prices"
    assert by_line == _found(shop, "a.py:1-6")


def test_only_clones_may_be_asked_for(shop: Path) -> None:
    assert {hit["kinship"] for hit in _found(shop, "sum_prices", "--clones")} == {"clone", "same shape"}
    ended = ask("similar", "say_hello", "--clones", cwd=shop)
    assert (ended.code, ended.out) == (1, "other.py:1-4\n  nothing like it\n")


def test_the_text_names_place_kinship_and_shares(shop: Path) -> None:
    lines = ask("similar", "sum_prices", cwd=shop).out.splitlines()
    assert lines[0] == "a.py:1-6"
    assert lines[1].startswith("  clone.py:2-7  add_prices (function)  clone: 83% of the lines, 100% of the shape")


@pytest.mark.parametrize(("what", "message"), [("nowhere", "nothing here is called"), ("a.py:70", "a.py has 6 lines")])
def test_what_is_not_there_is_refused(shop: Path, what: str, message: str) -> None:
    refused(ask("similar", what, cwd=shop), message)
