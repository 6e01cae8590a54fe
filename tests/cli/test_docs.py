"""`bottega docs`: the pages ship with the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.bottega import run

ROOT = Path(__file__).parents[2]


def test_a_page_is_printed_as_it_is(tmp_path: Path) -> None:
    assert run("docs", "search", cwd=tmp_path).out == (ROOT / "docs" / "search.md").read_text()


def test_the_pages_are_listed_by_section(tmp_path: Path) -> None:
    shown = run("docs", cwd=tmp_path).out
    listed = [line.split()[0] for line in shown.splitlines() if line.startswith("  ")]
    folder = ROOT / "docs"
    pages = {path.relative_to(folder).with_suffix("").as_posix() for path in folder.rglob("*.md")}
    assert sorted(listed) == sorted({"changelog", *pages} - {"examples/bakery/README"})
    assert shown.index("Find code:") < shown.index("  search ") < shown.index("Understand it:")


def test_every_page_has_a_section(tmp_path: Path) -> None:
    assert "\nMore:" not in run("docs", cwd=tmp_path).out, "place the page in src/bottega/cli/pages.py"


def test_the_changelog_is_a_page(tmp_path: Path) -> None:
    assert run("docs", "changelog", cwd=tmp_path).out == (ROOT / "CHANGELOG.md").read_text()


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
