"""How comments are written in each language, and regexes that tell them from strings."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from bottega.source import language_named

_C_LIKE = (b"/*", b"*/")
_MARKUP = (b"<!--", b"-->")
_BLOCKS: Mapping[str, tuple[bytes, bytes]] = {
    **dict.fromkeys(
        """JavaScript TypeScript TSX Java C C++ C# Go Rust PHP Kotlin Swift Scala Dart SQL CSS SCSS Groovy Solidity
        Objective-C Protobuf Terraform""".split(),
        _C_LIKE,
    ),
    "JSON with Comments": _C_LIKE,
    **dict.fromkeys("HTML XML Markdown Vue Svelte".split(), _MARKUP),
    "Lua": (b"--[[", b"]]"),
    "Haskell": (b"{-", b"-}"),
    "Elm": (b"{-", b"-}"),
    "OCaml": (b"(*", b"*)"),
    "F#": (b"(*", b"*)"),
    "PowerShell": (b"<#", b"#>"),
    "Julia": (b"#=", b"=#"),
    "Ruby": (b"=begin", b"=end"),
    "Nix": _C_LIKE,
    "MATLAB": (b"%{", b"%}"),
}
_EXTRA_MARKS: Mapping[str, tuple[bytes, ...]] = {
    "PHP": (b"#",),
    "Assembly": (b"#", b"//", b"@"),
    "SQL": (b"#",),
    "Terraform": (b"//",),
    "Makefile": (),
}
_LONG_STRING_LANGUAGES = frozenset({"JavaScript", "TypeScript", "TSX", "Go"})


class CommentStyle(NamedTuple):
    """`marks` begin a comment to the end of the line; `documents` is true where a string can be documentation."""

    marks: tuple[bytes, ...]
    opener: bytes
    closer: bytes
    documents: bool
    has_strings: bool = True
    has_long_strings: bool = False


@cache
def closed_block(style: CommentStyle) -> re.Pattern[bytes]:
    """A block comment with its end."""
    return re.compile(re.escape(style.opener) + rb".*?" + re.escape(style.closer), re.S)


@cache
def string_or_comment(style: CommentStyle) -> re.Pattern[bytes]:
    """A string, in the group `text`, or a comment."""
    # An unterminated string ends with its line; a lone apostrophe is a character like any other.
    strings = rb"\"(?:\\.|[^\"\\\n])*+(?:\"|(?=\n)|\Z)|'(?:\\.|[^'\\\n]){0,300}+'|`[^`]*+`"
    block = re.escape(style.opener) + rb".*?(?:" + re.escape(style.closer) + rb"|\Z)"
    marks = rb"|".join(re.escape(mark) + rb"[^\n]*+" for mark in style.marks)
    return re.compile(rb"(?P<text>" + strings + rb")|" + block + (rb"|" + marks if marks else b""), re.S)


@cache
def comment_style(language: str) -> CommentStyle | None:
    """`None` for a language that is not known."""
    known = language_named(language)
    if known is None:
        return None
    opener, closer = _BLOCKS.get(known.name, (b"", b""))
    marks = list(_EXTRA_MARKS.get(known.name, ()))
    if known.comment is not None and not known.comment[1]:
        marks.insert(0, known.comment[0].strip().encode())
    return CommentStyle(
        tuple(marks),
        opener,
        closer,
        documents=known.name == "Python",
        has_strings=opener != _MARKUP[0],
        has_long_strings=known.name in _LONG_STRING_LANGUAGES,
    )
