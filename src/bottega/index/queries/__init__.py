"""Queries for syntax trees: for each language one file of definitions and one of uses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter

# A query is used with the grammar it was written for; TSX and JavaScript share files with their relatives.
GRAMMARS: dict[str, tuple[str, str]] = {
    "Python": ("python", "python"),
    "JavaScript": ("javascript", "javascript"),
    "TypeScript": ("typescript", "typescript"),
    "TSX": ("tsx", "typescript"),
    "Java": ("java", "java"),
    "Kotlin": ("kotlin", "kotlin"),
    "Scala": ("scala", "scala"),
    "C#": ("csharp", "csharp"),
    "Swift": ("swift", "swift"),
    "Go": ("go", "go"),
    "Rust": ("rust", "rust"),
    "C": ("c", "c"),
    "C++": ("cpp", "cpp"),
    "Zig": ("zig", "zig"),
    "Ruby": ("ruby", "ruby"),
    "PHP": ("php", "php"),
    "Lua": ("lua", "lua"),
    "Haskell": ("haskell", "haskell"),
    "Elixir": ("elixir", "elixir"),
    "Bash": ("bash", "bash"),
}


@dataclass(frozen=True, slots=True)
class SyntaxQueries:
    grammar: str
    definitions: tree_sitter.Query
    uses: tree_sitter.Query


@cache
def queries_of(language: str) -> SyntaxQueries | None:
    """What to ask of a language's tree, or `None` where nobody wrote it down."""
    if language not in GRAMMARS:
        return None
    grammar, name = GRAMMARS[language]
    return SyntaxQueries(grammar, _query(grammar, f"{name}-definitions.scm"), _query(grammar, f"{name}-uses.scm"))


@cache
def _query(grammar: str, file: str) -> tree_sitter.Query:
    from tree_sitter import Query

    from bottega.source.grammar import load_grammar

    return Query(load_grammar(grammar), resources.files(__name__).joinpath(file).read_text(encoding="utf-8"))
