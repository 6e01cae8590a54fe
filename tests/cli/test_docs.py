"""`bottega docs`: the pages ship with the package."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.cli.bottega import run

ROOT = Path(__file__).parents[2]


def test_a_page_is_printed_as_it_is(tmp_path: Path) -> None:
    assert run("docs", "search", cwd=tmp_path).out == (ROOT / "docs" / "search.md").read_text()


def test_the_pages_are_listed_with_their_titles(tmp_path: Path) -> None:
    listed = {line.split()[0] for line in run("docs", cwd=tmp_path).out.splitlines()}
    assert listed == {
        path.relative_to(ROOT / "docs").with_suffix("").as_posix() for path in (ROOT / "docs").rglob("*.md")
    }


def test_a_page_is_found_by_the_beginning_of_its_name(tmp_path: Path) -> None:
    assert run("docs", "quick", cwd=tmp_path).out.startswith("# ")
    assert run("docs", "docs/quickstart.md", cwd=tmp_path).out.startswith("# ")


@pytest.mark.parametrize(
    ("page", "hint"), [("serach", "search"), ("xyzzy", "`bottega docs` lists"), ("../README", "docs")]
)
def test_an_unknown_page_gets_a_hint(tmp_path: Path, page: str, hint: str) -> None:
    ended = run("docs", page, cwd=tmp_path)
    assert ended.code == 2
    assert hint in ended.err


def test_pages_with_all_the_words_are_found(tmp_path: Path) -> None:
    found = run("docs", "--search", "OSC 8", cwd=tmp_path)
    assert "terminal" in found.out.splitlines()
    assert run("docs", "--search", "xyzzy plugh", cwd=tmp_path).code == 1


def test_the_wheel_contains_the_pages(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    assert {"bottega/docs/quickstart.md", "bottega/docs/search.md", "bottega/docs/schemas/search.result.json"} <= names
