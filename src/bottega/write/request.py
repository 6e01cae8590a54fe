"""What a person asks `write` for: a mode, from a tag on the first line or a flag, and the request itself."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from typing import Literal

from bottega.errors import InputError

Mode = Literal["code_reviewed", "code_raw", "review_only", "code_reviewed_ctx"]

TAGS: dict[str, Mode] = {
    "raw": "code_raw",
    "review-only": "review_only",
    "ctx": "code_reviewed_ctx",
    "continue": "code_reviewed_ctx",
}
MODES: dict[str, Mode] = {"reviewed": "code_reviewed", **TAGS}

_TAG = re.compile(r"///(?!/)([A-Za-z][\w-]*)(?:[ \t]+|(?=\n)|\Z)")
_LOOKS_LIKE_TAG = re.compile(r"///(?=[^\s/])")


@dataclass(frozen=True, slots=True)
class ParsedRequest:
    mode: Mode
    prompt: str


def parse_request(text: str, *, mode: str | None = None) -> ParsedRequest:
    """Split `///tag` from the first line; text behind the tag on that line belongs to the request.

    `////` at the start stands for a literal `///`. A doc comment (`/// text`) is no tag.
    """
    if mode is not None and mode not in MODES:
        raise InputError(f"there is no mode {mode}", hint=_suggest(mode, list(MODES)))
    body = text.removeprefix("\ufeff").replace("\r\n", "\n").lstrip()
    tagged, body = _split_tag(body, strict=mode is None)
    chosen = MODES[mode] if mode else None
    if tagged and chosen and tagged != chosen:
        raise InputError(f"the tag asks for {tagged}, --mode for {chosen}", hint="Give one of the two.")
    prompt = body.strip()
    if not prompt:
        raise InputError("the request is empty", hint='Say what to write: bottega write "a function that …"')
    return ParsedRequest(tagged or chosen or "code_reviewed", prompt)


def _split_tag(body: str, *, strict: bool) -> tuple[Mode | None, str]:
    """The mode a tag names and the text without it. With --mode given, what is no known tag is text."""
    if body.startswith("////"):
        return None, body[1:]
    found = _TAG.match(body)
    name = found.group(1).lower() if found else ""
    if found and name in TAGS:
        return TAGS[name], body[found.end() :]
    if strict and _LOOKS_LIKE_TAG.match(body):
        word = body.split(maxsplit=1)[0]
        hint = _suggest(word.removeprefix("///").lower(), list(TAGS))
        raise InputError(f"unknown tag {word[:40]}", hint=f"{hint} Write //// for a literal ///.")
    return None, body


def _suggest(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    return f"Did you mean {close[0]}?" if close else f"Known: {', '.join(known)}."
