"""A subset of Markdown: what a readme looks like on a page, and that nothing in it is more than text."""

from __future__ import annotations

import re
import time
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.pages import render_line, render_prose, render_readme

_ALLOWED = set(
    "a b blockquote code div em h3 h4 h5 h6 hr li ol p pre span strong table tbody td th thead tr ul".split()
)
_ATTRIBUTES = {"href", "title", "rel", "class", "id", "scope", "start"}
_PIECES = [
    *"<>&\"'`*_[]()!#|\\ \n-+.:;=~/",
    "<script>",
    "</code>",
    "<img src=x onerror=attack()>",
    "[a](",
    "javascript:attack()",
    "data:text/html,x",
    "https://example.org/",
    "```\n",
    "- ",
    "1. ",
    "> ",
    "| a | b |\n|---|---|\n",
    "<!--",
    "-->",
    "word",
    "\u202e",
    "\x1b",
    "&#106;avascript:x",
    "[r]: javascript:attack()\n",
    "![",
    "<https://x>",
]


class _Elements(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag != "hr":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def assert_harmless(page: str) -> None:
    elements = _Elements(page)
    assert elements.open == []
    for tag, attributes in elements.found:
        assert tag in _ALLOWED
        assert attributes.keys() <= _ATTRIBUTES
        assert re.match(r"https?://|#", attributes.get("href") or "#")
    assert not re.search("[\u202a-\u202e\u2066-\u2069\x00-\x08\x1b]", page)


def test_a_readme_becomes_a_page() -> None:
    page = render_readme(
        """Museum
======

Paintings, **all** of them, and `code` in *one* paragraph
that goes on.

## What there is

- a hall
  - with a door
- an attic

3. third
4. fourth

> [!NOTE]
> Closed on Monday.

| room | size |
|---|---|
| hall | `a|b` |

```python
def open_door(): ...
```
""",
        "README.md",
    )
    assert_harmless(page)
    for part in (
        '<h3 id="readme-museum">Museum</h3>',
        "Paintings, <strong>all</strong> of them, and <code>code</code> in <em>one</em> paragraph\nthat goes on.",
        '<h4 id="readme-what-there-is">',
        "<li>a hall<ul><li>with a door</li></ul></li><li>an attic</li>",
        '<ol start="3"><li>third</li><li>fourth</li></ol>',
        "<strong>Note:</strong>\nClosed on Monday.",
        "<td>hall</td><td><code>a|b</code></td>",
        '<span class="k">def</span>',
    ):
        assert part in page


def test_links_lead_to_the_web_and_within_the_readme() -> None:
    page = render_readme(
        "# Use\n[a](https://example.org/x?a=1&b=2) [b](#use) [c](docs/x.md) [d](javascript:attack()) [e](data:,x)"
        " [f](//evil) [g](FILE:///etc/passwd) [h][r] [i](#nowhere) <https://example.org/y> https://example.org/z.\n\n"
        "[r]: https://example.org/r\n",
        "README.md",
    )
    links = [attributes["href"] for tag, attributes in _Elements(page).found if tag == "a"]
    assert links == [
        "https://example.org/x?a=1&b=2",
        "#readme-use",
        "https://example.org/r",
        "https://example.org/y",
        "https://example.org/z",
    ]
    assert '<span class="path" title="docs/x.md">c</span>' in page


def test_tags_are_dropped_and_images_are_their_words() -> None:
    page = render_readme(
        '<h1 align="center">Fuzzy <b>finder</b></h1>\n\n<div onclick="attack()">\n'
        '<img src="x" alt="a logo" onerror=attack()>\n</div>\n\n'
        "[![build](https://example.org/b.svg)](https://example.org/ci)\n<!-- hidden\ncomment -->\n\n"
        "<script>attack()</script> `List<T>` 👩\u200d💻\n",
        "README.md",
    )
    assert_harmless(page)
    assert '<h3 id="readme-fuzzy-finder">Fuzzy finder</h3>' in page
    assert '<span class="image">a logo</span>' in page
    assert '><span class="image">build</span></a>' in page
    assert "hidden" not in page
    assert "<code>List&lt;T&gt;</code> 👩\u200d💻" in page


def test_what_a_model_writes_shows_its_tags_and_where_its_links_lead() -> None:
    page = render_prose(
        "A `List<T>` and <b>bold</b>, see [here](https://evil.example/x) or https://example.org.\n\n# Head"
    )
    assert_harmless(page)
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    assert "here (https://evil.example/x)" in page
    assert "<a" not in page
    assert "<p><strong>Head</strong></p>" in page
    assert render_line("`eval`\n# [x](y)") == "<code>eval</code> # x (y)"


def test_a_readme_that_is_no_markdown_is_shown_as_it_is() -> None:
    page = render_readme("=====\nTitle\n=====\n<script>\n", "README.rst")
    assert page.startswith('<pre class="plain">')
    assert "&lt;script&gt;" in page


@given(st.lists(st.sampled_from(_PIECES), max_size=60).map("".join))
def test_no_text_makes_anything_but_the_subset(text: str) -> None:
    assert_harmless(render_readme(text, "README.md"))
    assert_harmless(render_prose(text))
    assert_harmless(render_line(text))


@pytest.mark.parametrize(
    "piece", [*_PIECES, "[a", "[a[]", "**a", "<a ", "``` ", "`a``b```", "> ", "- a\n  ", "![[", "((", "_a *b "]
)
def test_hostile_text_takes_no_time(piece: str) -> None:
    text = piece * (40_000 // len(piece))
    began = time.process_time()
    render_readme(text, "README.md")
    render_prose(text)
    assert time.process_time() - began < 5
