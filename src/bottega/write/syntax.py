"""What is wrong with code beyond doubt, found without running it."""

from __future__ import annotations

from bottega.source import SyntaxFault, check_syntax, find_undefined_names, language_named


def find_proven_fault(code: str, language: str) -> str:
    """That the code does not parse, or uses names that nothing defines or imports; "" where neither is known."""
    fault = find_syntax_fault(code, language)
    if fault:
        return f"does not parse: {fault}"
    known = language_named(language)
    missing = find_undefined_names(code, known) if known else None
    return f"uses {', '.join(sorted(missing))}, which nothing defines or imports" if missing else ""


def find_syntax_fault(code: str, language: str) -> str:
    """What keeps the code from parsing, "" when it parses or when no parser here can tell."""
    known = language_named(language)
    found = check_syntax(code, known) if known else None
    return f"line {found.line}, column {found.column}: {found.what}" if isinstance(found, SyntaxFault) else ""
