"""Whether code parses in its language."""

from __future__ import annotations

from bottega.source import SyntaxFault, check_syntax, language_named


def fault_of(code: str, language: str) -> str:
    """What keeps the code from parsing, "" when it parses or when nobody can tell."""
    known = language_named(language)
    result = check_syntax(code, known) if known else None
    return str(result) if isinstance(result, SyntaxFault) else ""
