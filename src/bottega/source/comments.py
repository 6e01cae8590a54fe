"""Render any text as a one-line comment of a language."""

from __future__ import annotations

import re

from bottega.source.languages import Language

# Comment text that has an effect in some language, and a spelling without that effect.
_DEFUSED: tuple[tuple[frozenset[str], re.Pattern[str], str], ...] = (
    # An unknown encoding named in the first lines stops both interpreters.
    (frozenset({"Python", "Ruby"}), re.compile(r"coding\s*[:=]"), "coding -"),
    # Builders read `# escape=x` and `# syntax=x` at the top as directives.
    (frozenset({"Dockerfile"}), re.compile(r"^(\w+)\s*="), r"\1 -"),
    (frozenset({"PHP"}), re.compile(r"\?(?=>)"), "? "),
    (frozenset({"PHP"}), re.compile(r"<(?=\?)"), "< "),
    # javac turns \\u000a into a line break before it looks for comments, and refuses a bad escape.
    (frozenset({"Java", "Scala", "Groovy"}), re.compile(r"\\(?=u)"), r"\\ "),
    # OCaml reads string literals inside comments and wants them closed.
    (frozenset({"OCaml"}), re.compile(r'["{]'), "'"),
)
_SPLICE = re.compile(r"(?:\\|\?\?/|\s)+$")
# OCaml's comments nest, so its opening mark counts as well.
_MARKS = {"-->": ("--",), "*/": ("*/",), "*)": ("*)", "(*")}


def render_comment(language: Language, text: str) -> str | None:
    """Render `text` as one comment that cannot end early, or `None` for a language without comments.

    The text is joined onto one line and loses what has an effect inside a comment: closing marks, a backslash
    at the end of the line, control and direction characters. The caller must insert it below a shebang, an XML
    declaration or `<?php`.
    """
    if language.comment is None:
        return None
    opening, closing = language.comment
    folded = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    safe = _SPLICE.sub("", _remove_closer(_defuse(language, folded), closing.strip()))
    return f"{opening}{safe}{closing}".rstrip()


def _defuse(language: Language, text: str) -> str:
    for names, pattern, harmless in _DEFUSED:
        if language.name in names:
            text = pattern.sub(harmless, text)
    return text


def _remove_closer(text: str, closer: str) -> str:
    for mark in _MARKS.get(closer, ()):
        while mark in text:
            text = text.replace(mark, " ".join(mark))
    return text
