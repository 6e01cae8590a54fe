"""The pages of `make site`: every page has a place, and links lead to it. MkDocs is not needed for that."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from tools.build_site import find_loaded_from_elsewhere, place_pages, render_settings, stage

from tests.docs.links import find_faults


@pytest.fixture(scope="module")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "pages"
    stage(place_pages(), folder)
    return folder


def test_every_link_leads_to_a_page_of_the_site(staged: Path) -> None:
    pages = [page for page in staged.rglob("*.md") if "files" not in page.relative_to(staged).parts]
    assert len(pages) > 60
    assert [fault for page in pages for fault in find_faults(page)] == []


def test_the_readme_is_the_home_page_and_the_page_of_index_stands_beside_it(staged: Path) -> None:
    assert "# bottega\n" in (staged / "index.md").read_text()
    assert "# `bottega index`\n" in (staged / "bottega-index.md").read_text()
    assert "](bottega-index.md)" in (staged / "index.md").read_text()


def test_every_page_is_in_the_navigation_once(staged: Path) -> None:
    settings = yaml.safe_load(render_settings(place_pages()))
    placed = [
        page
        for section in settings["nav"]
        for entries in section.values()
        for page in ([entries] if isinstance(entries, str) else [next(iter(entry.values())) for entry in entries])
    ]
    pages = [page.relative_to(staged).as_posix() for page in staged.rglob("*.md")]
    assert sorted(placed) == sorted(page for page in pages if not page.startswith("files/"))


def test_the_navigation_follows_the_help(staged: Path) -> None:
    settings = yaml.safe_load(render_settings(place_pages()))
    sections = [next(iter(section)) for section in settings["nav"]]
    assert sections[:4] == ["Overview", "Start", "Find code", "Understand it"]
    assert {"search": "search.md"} in settings["nav"][2]["Find code"]


def test_a_page_that_loads_something_from_elsewhere_is_named(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(
        '<link rel="stylesheet" href="a.css"><a href="https://example.org">fine</a>'
        '<script src="https://example.org/x.js"></script><link rel="icon" href="//example.org/i.png">'
    )
    assert list(find_loaded_from_elsewhere(tmp_path)) == [
        "page.html loads https://example.org/x.js",
        "page.html loads //example.org/i.png",
    ]
