"""Suggestions tried on a copy: one that does not parse is not shown as a fix."""

from __future__ import annotations

import re
from collections.abc import Callable

from bottega.review.findings import Finding
from bottega.source import Parses, SyntaxFault, check_syntax, language_of_path

_BLOCK = re.compile(r"```[\w+#.-]*[ \t]*\r?\n(.*?)\r?\n?[ \t]*```", re.S)


def extract_code(suggestion: str) -> str | None:
    """The code of a suggestion; None for words alone."""
    block = _BLOCK.search(suggestion)
    return block[1] if block else None


def apply_suggestion(text: str, finding: Finding) -> str | None:
    """The file with the cited lines replaced, indented as they are; None when there are no such lines."""
    code = extract_code(finding.suggestion)
    lines = text.split("\n")
    if code is None or finding.span.last > len(lines):
        return None
    old = lines[finding.span.first - 1 : finding.span.last]
    new = _reindent(code.split("\n"), _get_indent(old))
    return "\n".join([*lines[: finding.span.first - 1], *new, *lines[finding.span.last :]])


def try_suggestion(finding: Finding, text: Callable[[str], str | None], lint: Callable[[str, str, str], str]) -> str:
    """How a suggestion does on a copy of the file: `fits`, `does not fit: …` or `not checked: …`.

    `lint(path, old, new)` says what the tools that ran have against the new text, or "".
    """
    if extract_code(finding.suggestion) is None:
        return "not checked: it is no code"
    before = text(finding.span.path)
    language = language_of_path(finding.span.path)
    after = apply_suggestion(before, finding) if before is not None else None
    if before is None or after is None or language is None:
        return "not checked: the lines cannot be read"
    result = check_syntax(after, language)
    if isinstance(result, SyntaxFault):
        if isinstance(check_syntax(before, language), SyntaxFault):
            return "not checked: the file does not parse without it either"
        return f"does not fit: {result.what} at line {result.line}"
    if not isinstance(result, Parses):
        return str(result)
    against = lint(finding.span.path, before, after)
    return f"does not fit: {against}" if against else "fits"


def _get_indent(lines: list[str]) -> str:
    first = next((line for line in lines if line.strip()), "")
    return first[: len(first) - len(first.lstrip())]


def _reindent(lines: list[str], wanted: str) -> list[str]:
    have = _get_indent(lines)
    return [wanted + line.removeprefix(have) if line.strip() else line for line in lines]
