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
    "like.py": "def show(rows):\n    total = 0\n    for row in rows:\n        print(row.price)\n    return rows\n",
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


def test_what_shares_no_more_than_a_word_is_left_out(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "a.py": SUM,
            "b.py": "class Price:\n    def show(self):\n        print(self.total, file=self.file)\n        self.x()\n",
        },
    )
    ended = ask("similar", "sum_prices", cwd=tmp_path)
    assert (ended.code, ended.out) == (1, "a.py:1-6\n  nothing like it\n")


def test_hits_can_be_narrowed_to_a_path(shop: Path) -> None:
    assert [hit["symbol"] for hit in _found(shop, "sum_prices", "--path", "shape.py")] == ["sum_weights"]


BOX = """class Box:
    def open(self):
        self.lid = "up"
        self.light = 1
        self.count += 1
        self.warn("open")
        self.log("opened")
        return self
"""


def _groups(root: Path, *arguments: str) -> list[tuple[str, list[str]]]:
    data = json.loads(ask("similar", *arguments, "--json", cwd=root).out)
    return [(group["kinship"], [str(part["symbol"]) for part in group["parts"]]) for group in data["groups"]]


def test_without_a_place_all_clones_are_grouped_exact_ones_first(shop: Path) -> None:
    near = BOX.replace("Box", "Crate").replace(
        '        self.warn("open")\n', "        if self.old:\n            return None\n"
    )
    write(shop, {"b/box.py": BOX, "c/box.py": "# Copied.\n" + BOX, "near.py": near})
    write(shop, {"shape.py": "", "like.py": ""})
    assert _groups(shop) == [("exact", ["sum_prices", "add_prices"]), ("near", ["Box", "Box", "Crate"])]


def test_groups_of_the_same_shape_come_between_and_tests_last(shop: Path) -> None:
    write(shop, {"clone.py": "", "tests/test_box.py": BOX, "tests/test_box_too.py": BOX})
    assert _groups(shop) == [("same shape", ["sum_prices", "sum_weights"]), ("exact", ["Box", "Box"])]
    text = ask("similar", cwd=shop).out
    assert text.splitlines()[:3] == [
        "same shape: 2 times 6 lines",
        "  a.py:1-6  sum_prices (function)",
        "  shape.py:1-6  sum_weights (function)",
    ]
    assert "exact: 2 times 8 lines, tests\n  tests/test_box.py:1-8  Box (class)\n" in text


def test_groups_have_least_lines_a_path_and_a_limit(shop: Path) -> None:
    write(shop, {"b/box.py": BOX, "c/box.py": BOX})
    assert _groups(shop, "--lines", "7") == [("exact", ["Box", "Box"])] == _groups(shop, "--path", "c")
    assert "… and 1 more group: raise --limit" in ask("similar", "-k", "1", cwd=shop).out
    ended = ask("similar", "--lines", "20", cwd=shop)
    assert (ended.code, ended.out) == (1, "no clones found\n")
    refused(ask("similar", "--path", "nowhere", cwd=shop), "no indexed file is at 'nowhere'")


def test_types_with_other_fields_are_no_clones(tmp_path: Path) -> None:
    fields = "".join(f"\tname{number} string\n" for number in range(8))
    write(tmp_path, {"a.go": f"package a\n\ntype box struct {{\n{fields}}}\n"})
    write(tmp_path, {"b.go": f"package a\n\ntype crate struct {{\n{fields.replace('name', 'street')}}}\n"})
    assert _groups(tmp_path) == []
