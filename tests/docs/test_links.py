"""Links between pages, and to headings inside of them, lead somewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.links import find_anchors, find_faults, find_links

ROOT = Path(__file__).parents[2]
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page: Path) -> None:
    assert find_faults(page) == []


def test_every_page_is_linked_from_another() -> None:
    linked = {
        (page.parent / link.path).resolve()
        for page in PAGES
        for link in find_links(page.read_text(encoding="utf-8"))
        if link.path and not link.is_outside
    }
    pages = set((ROOT / "docs").glob("*.md"))
    assert sorted(page.name for page in pages - linked) == []


def test_faults_are_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A page\n\n## Some `code`, more\n\n## Twice\n\n## Twice\n\n[a](#some-code-more) [b](#twice) [c](gone.md)\n"
        "`[d](gone.md)` [e](page.md#nowhere) [f](https://example.org/gone)\n```\n[g](gone.md)\n# h\n```\n"
    )
    assert [fault.split(": ")[1] for fault in find_faults(page)] == ["#twice", "gone.md", "page.md#nowhere"]
    assert set(find_anchors(page.read_text())) == {"a-page", "some-code-more", "twice"}
