"""Links of Markdown pages, and the anchors that their headings have on GitHub and on the site."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_FENCED = re.compile(r"^(?P<fence>`{3,}|~{3,}).*?^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`[^`\n]*`")
_LINK = re.compile(r"\]\((?P<target>[^()\s]+)\)")
_HEADING = re.compile(r"^#{1,6} +(?P<title>.+?)[ \t]*$", re.MULTILINE)
_NAMED_LINK = re.compile(r"\[(?P<words>[^]]*)\]\([^)]*\)")
_NO_WORD = re.compile(r"[^\w\- ]")


@dataclass(frozen=True)
class Link:
    line: int
    target: str

    @property
    def path(self) -> str:
        return self.target.partition("#")[0]

    @property
    def anchor(self) -> str:
        return self.target.partition("#")[2]

    @property
    def is_outside(self) -> bool:
        return re.match(r"[a-z]+:", self.target) is not None


def find_links(text: str) -> Iterator[Link]:
    """Every link outside code."""
    text = _CODE.sub(_blank, _FENCED.sub(_blank, text))
    for found in _LINK.finditer(text):
        yield Link(text.count("\n", 0, found.start()) + 1, found["target"])


def find_anchors(text: str) -> Counter[str]:
    """Headings as anchors, with how often each is there."""
    return Counter(_slug(found["title"]) for found in _HEADING.finditer(_FENCED.sub(_blank, text)))


def find_faults(page: Path) -> list[str]:
    """Links of a page that lead to no file or to no heading, or to one of several headings of the same words."""
    faults = []
    for link in find_links(page.read_text(encoding="utf-8")):
        if link.is_outside:
            continue
        target = (page.parent / link.path) if link.path else page
        if not target.exists():
            faults.append(f"{page}:{link.line}: {link.target}: no such file")
        elif link.anchor and find_anchors(target.read_text(encoding="utf-8"))[link.anchor] != 1:
            faults.append(f"{page}:{link.line}: {link.target}: no such heading, or more than one")
    return faults


def _slug(title: str) -> str:
    words = _NAMED_LINK.sub(r"\g<words>", title).replace("`", "")
    return _NO_WORD.sub("", words.lower()).strip().replace(" ", "-")


def _blank(found: re.Match[str]) -> str:
    """As many lines, without their text."""
    return "\n" * found.group().count("\n")
