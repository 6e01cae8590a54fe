"""The three results of a syntax check: it parses, it has a fault, or it was not checked."""

from __future__ import annotations

from dataclasses import dataclass

_EXCERPT_WIDTH = 120


@dataclass(frozen=True, slots=True)
class Parses:
    """The source parses."""

    def __str__(self) -> str:
        return "parses"


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """The first position that does not parse; line and column count from 1, in characters."""

    line: int
    column: int
    what: str
    excerpt: str

    def __str__(self) -> str:
        where = f"line {self.line}, column {self.column}: {self.what}"
        return f"{where}\n    {self.excerpt}" if self.excerpt else where


@dataclass(frozen=True, slots=True)
class Unchecked:
    """It is not known whether the source parses; `why` completes "not checked: "."""

    why: str

    def __str__(self) -> str:
        return f"not checked: {self.why}"


Syntax = Parses | SyntaxFault | Unchecked


def locate_fault(code: str, line: int, column: int, what: str) -> SyntaxFault:
    """A fault at this position, moved inside `code` where the parser reports one outside of it."""
    lines = code.split("\n")
    line = min(max(line, 1), len(lines))
    excerpt = lines[line - 1].strip()[:_EXCERPT_WIDTH]
    return SyntaxFault(line, max(column, 1), what, excerpt)
