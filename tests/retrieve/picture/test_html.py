"""A neighbourhood as a page: it holds the JSON form, needs nothing else, and shows names as text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from bottega.retrieve.picture import as_html
from tests.retrieve.neighbourhoods import HOSTILE, UNWRITABLE, generate
from tests.retrieve.picture.drawing import Rectangle

BROWSER = shutil.which("chromium")
ATTACKS = [
    *HOSTILE,
    *UNWRITABLE,
    "{{script}}{{data}}",
    "</script><script>document.title='attacked'</script>",
    "<!--<script>",
]


class Page(HTMLParser):
    """What a browser would make of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.contents: dict[str, str] = {}
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self._inside = dict(attrs).get("id") or tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        self.contents[self._inside] = self.contents.get(self._inside, "") + data


def _build(name: str) -> dict[str, Any]:
    span = {"path": f"src/{name}.py", "first": 1, "last": 2}
    node = {"key": f"python:{name}|TYPE", "kind": name, "name": name, "span": span, "depth": 0, "signature": name}
    other = {"key": f"python:b.{name}|TYPE", "kind": "TYPE", "name": "b", "span": None, "depth": 1, "signature": ""}
    edge = {"source": node["key"], "target": other["key"], "kind": name, "how": name, "confidence": 0.25}
    return {
        "nodes": [{**node, "left_out": 0}, {**other, "left_out": None}],
        "edges": [edge],
        "truncated": False,
        "left_out": 0,
    }


@pytest.mark.parametrize("name", ATTACKS, ids=lambda name: ascii(name)[:24])
def test_the_page_holds_the_data_and_no_markup_of_it(name: str) -> None:
    data = _build(name)
    page = Page(as_html(data))
    assert json.loads(page.contents["data"]) == data
    assert page.tags == Page(as_html(_build("plain"))).tags
    assert not [attribute for _, attribute, _ in page.attributes if attribute.startswith("on")]


def test_the_page_loads_nothing_and_runs_its_own_script_alone() -> None:
    page = Page(as_html(_build("plain")))
    assert not {"link", "img", "iframe", "base", "form", "a"} & set(page.tags)
    assert not [value for _, attribute, value in page.attributes if attribute in {"src", "href", "style"}]
    policy = dict(part.strip().split(" ", 1) for part in _find_policy(page).split(";"))
    assert policy == {
        "default-src": "'none'",
        "style-src": f"'{_hash(page.contents['style'])}'",
        "script-src": f"'{_hash(page.contents['script'])}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def _find_policy(page: Page) -> str:
    return next(value for _, name, value in page.attributes if name == "content" and "default-src" in value)


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@pytest.mark.skipif(BROWSER is None, reason="no browser on this machine")
@pytest.mark.parametrize("name", ["plain", "</script><script>document.title='attacked'</script>"], ids=ascii)
def test_a_browser_draws_the_page(name: str, tmp_path: Path) -> None:
    page = Page(_browse(as_html(_build(name)), tmp_path))
    assert page.contents["status"] == "2 of 2 nodes, 1 of 1 edge."
    assert page.attributes.count(("g", "class", "node")) == 2
    assert page.tags.count("script") == 3
    assert not [attribute for _, attribute, _ in page.attributes if attribute.startswith("on")]


@pytest.mark.skipif(BROWSER is None, reason="no browser on this machine")
def test_boxes_of_the_page_do_not_overlap(tmp_path: Path) -> None:
    found = generate(7, 60, 90)
    nodes = [
        {**node._asdict(), "span": {"path": node.path, "first": node.first, "last": node.last}, "signature": ""}
        for node in found.nodes
    ]
    for node in nodes:
        node["left_out"] = 0
    data = {"nodes": nodes, "edges": [edge._asdict() for edge in found.edges], "truncated": False, "left_out": 0}
    shown = _browse(as_html(data), tmp_path)
    pattern = r'class="node[^"]*" transform="translate\((\S+) (\S+)\)".*?width="(\d+)" height="(\d+)"'
    places = re.findall(pattern, shown, re.S)
    boxes = [Rectangle(*map(float, place)) for place in places]
    assert len(boxes) > 10
    assert not [pair for pair in combinations(boxes, 2) if pair[0].overlaps(pair[1])]


def _browse(text: str, folder: Path) -> str:
    """The page as a browser shows it after its script ran."""
    assert BROWSER
    file = folder / "graph.html"
    file.write_text(text, encoding="utf-8")
    command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    options = [f"--user-data-dir={folder / 'profile'}", "--virtual-time-budget=3000", "--dump-dom", file.as_uri()]
    return subprocess.run([*command, *options], capture_output=True, text=True, timeout=60, check=True).stdout
