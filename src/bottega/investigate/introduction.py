"""How a target introduces itself: its readme, and the first sentences of it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bottega.errors import InputError
from bottega.investigate.files import TargetFiles
from bottega.investigate.units import fit_words

MAX_CHARS = 700
_MAX_READ_CHARS = 20_000
_MAX_README_CHARS = 40_000
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


class Readme(NamedTuple):
    """The beginning of a readme, secrets masked."""

    path: str
    text: str
    is_cut: bool


def read_readme(files: TargetFiles, names: Iterable[str]) -> Readme | None:
    """The first readme among `names` that has any text, None when there is none."""
    return next((readme for readme in _read_all(files, names) if readme.text.strip()), None)


def introduce(files: TargetFiles, names: Iterable[str]) -> str:
    """Prose of the first readme among `names`, without badges, images, code or lists; "" when there is none."""
    for readme in _read_all(files, names):
        if prose := " ".join(_extract_prose(readme.text[:_MAX_READ_CHARS])):
            return fit_words(prose, MAX_CHARS)
    return ""


def _read_all(files: TargetFiles, names: Iterable[str]) -> Iterator[Readme]:
    by_name = {name.lower(): name for name in names}
    for name in (by_name[known] for known in _NAMES if known in by_name):
        try:
            text = files.read_beginning(name, _MAX_README_CHARS + 1)
        except InputError:
            continue
        yield Readme(name, text[:_MAX_README_CHARS], len(text) > _MAX_README_CHARS)


def _extract_prose(text: str) -> Iterator[str]:
    """The headings before the first paragraph, and every paragraph of some length."""
    has_begun = False
    for part, is_heading in _split_paragraphs(_COMMENT.sub("", text)):
        if is_heading and not has_begun:
            yield part.rstrip(".:") + "."
        elif not is_heading and len(part.split()) >= _FEW_WORDS:
            has_begun = True
            yield part


def _split_paragraphs(text: str) -> Iterator[tuple[str, bool]]:
    """Paragraphs and headings in order, each with whether it is a heading."""
    lines: list[str] = []
    is_code = False
    for line in [*text.split("\n"), ""]:
        if _FENCE.match(line):
            is_code = not is_code
            continue
        plain = _strip_markup(line)
        if _UNDERLINE.match(plain) and len(lines) == 1:
            yield lines.pop(), True
        ends = is_code or not plain or plain.startswith("#") or any(mark.match(plain) for mark in (_RULE, _DIRECTIVE))
        if lines and (ends or _ITEM.match(plain)):
            yield " ".join(lines), False
            lines = []
        if not is_code and (heading := _HEADING.match(plain)):
            yield heading[1], True
        if not ends:
            lines.append(plain)


def _strip_markup(line: str) -> str:
    text = _TAG.sub("", _LINK.sub(r"\1", _IMAGE.sub("", line)))
    return " ".join(text.replace("**", "").strip("| \t").split())
