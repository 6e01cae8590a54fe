"""What a tree says of itself: the first sentences of its readme."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bottega.errors import InputError
from bottega.investigate.toolbox import Looking
from bottega.investigate.units import shortened

LONGEST = 700
_READ = 20_000
_NAMES = ("readme.md", "readme.rst", "readme.txt", "readme", "readme.adoc", "readme.org", "readme.markdown")
_COMMENT = re.compile(r"<!--.{0,5000}?-->", re.S)
_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")
_IMAGE = re.compile(r"!\[[^\]\n]{0,300}\](?:\([^)\n]{0,1000}\)|\[[^\]\n]{0,100}\])")
_LINK = re.compile(r"\[([^\]\n]{0,300})\](?:\([^)\n]{0,1000}\)|\[[^\]\n]{0,100}\])")
_TAG = re.compile(r"<[^>\n]{1,500}>")
_HEADING = re.compile(r"^#{1,6} (\w.{0,199})")
_UNDERLINE = re.compile(r"^(?:=+|-+)$")
_RULE = re.compile(r"^\W+$")
_DIRECTIVE = re.compile(r"^\.\. |^:\w+:")
_ITEM = re.compile(r"^(?:[-*+]|\d{1,3}[.)])\s")
_FEW_WORDS = 5


def introduction(looking: Looking, names: Iterable[str]) -> str:
    """Prose alone: no badges, pictures, code or lists of links; "" where there is none."""
    by_name = {name.lower(): name for name in names}
    for low in _NAMES:
        if low in by_name:
            try:
                text = looking.beginning(by_name[low], _READ)
            except InputError:
                continue
            if said := " ".join(_prose(text)):
                return shortened(said, LONGEST)
    return ""


def _prose(text: str) -> Iterator[str]:
    """Headings at the very beginning, then paragraphs of some length, as running text."""
    has_begun = False
    for part, is_heading in _paragraphs(_COMMENT.sub("", text)):
        if is_heading and not has_begun:
            yield part.rstrip(".:") + "."
        elif not is_heading and len(part.split()) >= _FEW_WORDS:
            has_begun = True
            yield part


def _paragraphs(text: str) -> Iterator[tuple[str, bool]]:
    """Each with whether it is a heading."""
    lines: list[str] = []
    is_code = False
    for line in [*text.split("\n"), ""]:
        if _FENCE.match(line):
            is_code = not is_code
            continue
        told = " ".join(_TAG.sub("", _LINK.sub(r"\1", _IMAGE.sub("", line))).replace("**", "").strip("| \t").split())
        if _UNDERLINE.match(told) and len(lines) == 1:
            yield lines.pop(), True
        ends = is_code or not told or bool(_RULE.match(told)) or bool(_DIRECTIVE.match(told)) or told.startswith("#")
        if lines and (ends or _ITEM.match(told)):
            yield " ".join(lines), False
            lines = []
        if not is_code and (heading := _HEADING.match(told)):
            yield heading[1], True
        if not ends:
            lines.append(told)
