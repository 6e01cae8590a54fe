"""`bottega open` calls the editor with the file and the line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.bottega import Ended, run
from tests.index.trees import write

FILES = {
    "src/oven.py": "HEAT = 1\n\n\ndef preheat():\n    return HEAT\n",
    "src/shop.py": '"""Sells bread."""\n\n\ndef sell_bread(count):\n    return count\n',
    "src/b c.py": "X = 1\n",
}


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return write(tmp_path / "shop", FILES)


def _open(root: Path, *arguments: str, editor: str = "vim") -> tuple[Ended, list[str]]:
    """An editor that writes down its arguments."""
    record = root.parent / "called.json"
    program = root.parent / editor
    program.write_text(
        f'#!/usr/bin/env python3\nimport json, sys\njson.dump(sys.argv[1:], open({str(record)!r}, "w"))\n'
    )
    program.chmod(0o755)
    ended = run("open", *arguments, cwd=root, env={"EDITOR": f"{program} -x"})
    return ended, json.loads(record.read_text()) if record.exists() else []


@pytest.mark.parametrize(
    ("editor", "expected"),
    [
        ("vim", ["-x", "+4", "{file}"]),
        ("code", ["-x", "--goto", "{file}:4"]),
        ("hx", ["-x", "{file}:4"]),
        ("pycharm", ["-x", "--line", "4", "{file}"]),
        ("some-editor", ["-x", "{file}"]),
    ],
)
def test_a_name_opens_at_its_line_in_the_way_of_the_editor(shop: Path, editor: str, expected: list[str]) -> None:
    ended, called = _open(shop, "preheat", editor=editor)
    assert ended.code == 0
    assert called == [word.format(file=shop / "src" / "oven.py") for word in expected]


@pytest.mark.parametrize(
    ("what", "file", "line"),
    [("src/oven.py:5", "oven.py", 5), ("src/b c.py", "b c.py", 1), ("how is bread sold", "shop.py", 4)],
)
def test_locations_and_words_open_too(shop: Path, what: str, file: str, line: int) -> None:
    _, called = _open(shop, what)
    assert called == ["-x", f"+{line}", str(shop / "src" / file)]


def test_a_location_is_read_from_the_current_directory(shop: Path) -> None:
    run("index", cwd=shop)
    assert run("open", "oven.py:4", "--print", cwd=shop / "src").out == "oven.py:4\n"


def test_what_cannot_be_opened_is_an_error(shop: Path) -> None:
    assert _open(shop, "xyzzy")[0].code == 2
    assert run("open", "preheat", cwd=shop, env={"EDITOR": "no-such-editor"}).code == 2
    assert "only 1 place found" in run("open", "preheat", "-n", "3", cwd=shop).err


def test_an_editor_that_fails_is_reported(shop: Path) -> None:
    assert run("open", "preheat", cwd=shop, env={"EDITOR": "false"}).code == 3
