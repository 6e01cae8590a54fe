"""HTML pages of reviews and investigations: whatever a field holds, it is shown as text."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from bottega.investigate import ScanRequest, ScanResult
from bottega.investigate.report import InvestigationReport as Investigation
from bottega.investigate.reports.html import render_html as investigation_page
from bottega.review import ReviewReport as Review
from bottega.review.reading import parse_cached
from bottega.review.reports.html import render_html as review_page
from bottega.source import Diff
from tests.investigate import museum
from tests.review import till

PAYLOADS = (
    "<script>attack()</script>",
    '"><img src=x onerror=attack()>',
    "' onmouseover='attack()' x='",
    "javascript:attack()",
    "</style></code></pre></textarea><script>attack()</script>",
    "]]>--><svg onload=attack()>",
    "[a](javascript:attack())",
)
HOSTILE = " ".join(PAYLOADS)
_FORBIDDEN = {"img", "iframe", "object", "embed", "link", "form", "base", "textarea"}


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.sheets: list[str] = []
        self.scripts: list[str] = []
        self.policy = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1] in {"script", "style"} and data.strip():
            (self.scripts if self.tags[-1] == "script" else self.sheets).append(data)

    def assert_harmless(self, where: str) -> None:
        assert not _FORBIDDEN & set(self.tags), where
        assert not [name for name, _ in self.attributes if name.startswith("on") or name in {"src", "style"}], where
        links = [value for name, value in self.attributes if name in {"href", "action", "xlink:href"}]
        assert all(value.startswith("#") for value in links), where
        assert self.tags.count("script") == self.tags.count("style") == 1, where
        [sheet], [script] = self.sheets, self.scripts
        assert self.policy == (
            f"default-src 'none'; style-src '{digest(sheet)}'; script-src '{digest(script)}'; "
            "base-uri 'none'; form-action 'none'"
        ), where
        assert "attack" not in script + sheet, where

    def assert_whole(self) -> None:
        """Every link leads somewhere, and every id and every name that a part is labelled by is there once."""
        ids = [value for name, value in self.attributes if name == "id"]
        assert sorted(ids) == sorted(set(ids))
        wanted = {value[1:] for name, value in self.attributes if name == "href" and value.startswith("#")}
        wanted |= {value for name, value in self.attributes if name in {"aria-labelledby", "for"}}
        assert wanted <= set(ids)


def digest(text: str) -> str:
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to each text, keys of mappings included as the last step `None`."""
    if isinstance(value, str):
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in items:
        yield from leaves(below, (*path, key))


def replaced(value: Any, path: tuple[Any, ...], text: str) -> Any:
    if not path:
        return text
    key, *rest = path
    if isinstance(value, dict):
        return {**value, key: replaced(value[key], tuple(rest), text)}
    return [replaced(one, tuple(rest), text) if at == key else one for at, one in enumerate(value)]


def tried(dumped: dict[str, Any], render: Callable[[dict[str, Any]], str]) -> int:
    """Puts the hostile text into each field, one after the other; fields with fixed values refuse it."""
    count = 0
    for path in leaves(dumped):
        try:
            page = render(replaced(dumped, path, HOSTILE))
        except (ValidationError, KeyError, ValueError):
            continue
        Page(page).assert_harmless(str(path))
        count += 1
    return count


def test_a_review_shows_every_field_as_text(tmp_path: Path) -> None:
    root = till.build(tmp_path, after={**till.AFTER, f"till/{'<b>' * 3}.py": "x = 1  # <script>attack()</script>\n"})
    grave = till.finding(title=HOSTILE[:250], suggestion=f"`{HOSTILE}`", problem=f"{HOSTILE} `code {HOSTILE}`")
    report = till.judged(root, till.panel({"logic": till.findings(grave)}, stances=["agree", "disagree", "neutral"]))
    diff = parse_cached(till.git(root, "diff"))
    page = Page(review_page(report, diff))
    page.assert_harmless("as reviewed")
    page.assert_whole()
    Page(review_page(report, Diff(()))).assert_whole()
    dumped = report.model_dump(mode="json")
    assert tried(dumped, lambda value: review_page(Review.model_validate(value), diff)) > 40


def test_an_investigation_shows_every_field_as_text(tmp_path: Path) -> None:
    flag = {"tool": "flag", "path": "hall/door.py", "line": 4, "severity": "warning", "finding": HOSTILE}
    visitor = museum.Visitor(
        directory=lambda _, path: museum.calls(flag, museum.submit(f"{HOSTILE} of {path}")),
        synthesis=museum.calls(
            museum.synthesis(
                brief=HOSTILE, detailed=HOSTILE, concerns=[HOSTILE], datasets=[HOSTILE], technologies=[HOSTILE]
            )
        ),
    )
    root = museum.build(tmp_path, {**museum.FILES, "README.md": f"# {HOSTILE}\n\n{HOSTILE}\n"})
    (root / "hall" / "<img onerror=attack()>.py").write_text("x = 1\n")
    report = museum.visit(root, visitor)
    page = Page(investigation_page(report))
    page.assert_harmless("as investigated")
    page.assert_whole()
    dumped = report.model_dump(mode="json")
    assert tried(dumped, lambda value: investigation_page(Investigation.model_validate(value))) > 40


def test_a_scan_shows_every_field_as_text(tmp_path: Path) -> None:
    root = museum.build(tmp_path / "museum", {**museum.FILES, f"{'<i>' * 3}.py": "x = 1\n", "README.md": HOSTILE})
    with museum.workshop(root, museum.Visitor()) as house:
        result = house.call(ScanRequest(target=root))
    page = Page(result.render("html"))
    page.assert_harmless("as scanned")
    page.assert_whole()
    dumped = result.model_dump(mode="json")
    assert tried(dumped, lambda value: ScanResult.model_validate(value).render("html")) > 40


@pytest.mark.parametrize("payload", PAYLOADS)
def test_the_page_reader_sees_an_attack_that_is_not_escaped(payload: str) -> None:
    page = Page(f"<a href='{payload}'>{payload}</a><p title='{payload}'>")
    dangerous = bool({"script", *_FORBIDDEN} & set(page.tags)) or any(
        name.startswith("on") for name, _ in page.attributes
    )
    assert dangerous or any("javascript:" in value for _, value in page.attributes)
