"""Whether code parses in its language: yes, no, or nobody can tell."""

from __future__ import annotations

from typing import Literal

from bottega.source import Parses, SyntaxFault, check_syntax, language_named, undefined_names

Result = Literal["passed", "failed", "unknown"]


def verdict_on(code: str, language: str) -> tuple[Result, str]:
    """The result, and what there is to say about it."""
    known = language_named(language)
    if known is None:
        return "unknown", f"no grammar for {language}"
    found = check_syntax(code, known)
    if isinstance(found, SyntaxFault):
        return "failed", f"line {found.line}, column {found.column}: {found.what}"
    return ("passed", known.name) if isinstance(found, Parses) else ("unknown", str(found))


def proven_fault(code: str, language: str) -> str:
    """What is wrong with the code beyond doubt, without running it: it does not parse, or uses what nothing defines."""
    fault = fault_of(code, language)
    if fault:
        return f"does not parse: {fault}"
    known = language_named(language)
    missing = undefined_names(code, known) if known else None
    return f"uses {', '.join(sorted(missing))}, which nothing defines or imports" if missing else ""


def fault_of(code: str, language: str) -> str:
    """What keeps the code from parsing, "" when it parses or when nobody can tell."""
    result, detail = verdict_on(code, language)
    return detail if result == "failed" else ""
