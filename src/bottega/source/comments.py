"""One line of comment in any language, whatever the text."""

from __future__ import annotations

import re

from bottega.source.languages import Language

# What a comment's own text can do in some language, and how it is spelt so that it does nothing.
_DEFUSED: tuple[tuple[frozenset[str], re.Pattern[str], str], ...] = (
    # An unknown encoding named in the first lines stops both interpreters.
    (frozenset({"Python", "Ruby"}), re.compile(r"coding\s*[:=]"), "coding -"),
    # Builders read `# escape=x` and `# syntax=x` at the top as orders.
    (frozenset({"Dockerfile"}), re.compile(r"^(\w+)\s*="), r"\1 -"),
    (frozenset({"PHP"}), re.compile(r"\?(?=>)"), "? "),
    # javac turns \\u000a into a line break before it looks for comments, and refuses a bad escape.
    (frozenset({"Java", "Scala", "Groovy"}), re.compile(r"\\(?=u)"), r"\\ "),
    # OCaml reads string literals inside comments and wants them closed.
    (frozenset({"OCaml"}), re.compile(r'["{]'), "'"),
)
_SPLICE = re.compile(r"(?:\\|\?\?/|\s)+$")
# OCaml's comments nest, so its opening mark counts as well.
_MARKS = {"-->": ("--",), "*/": ("*/",), "*)": ("*)", "(*")}


def comment_line(language: Language, text: str) -> str | None:
    """Render `text` as one comment that cannot end early, or `None` where there are no comments.

    The text is folded onto one line and loses what would act inside a comment: closing marks, a backslash
    at the end of the line, control and direction signs. The caller finds the place: below a shebang, an XML
    declaration or `<?php`, never above it.
    """
    if language.comment is None:
        return None
    opening, closing = language.comment
    folded = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    safe = _SPLICE.sub("", _without_closer(_defused(language, folded), closing.strip()))
    return f"{opening}{safe}{closing}".rstrip()


def _defused(language: Language, text: str) -> str:
    for names, pattern, harmless in _DEFUSED:
        if language.name in names:
            text = pattern.sub(harmless, text)
    return text


def _without_closer(text: str, closer: str) -> str:
    for mark in _MARKS.get(closer, ()):
        while mark in text:
            text = text.replace(mark, " ".join(mark))
    return text
