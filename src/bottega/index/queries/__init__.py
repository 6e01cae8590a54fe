"""Questions put to a syntax tree: for each language one file of definitions and one of uses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter

# A question is asked with the grammar it was written for; TSX and JavaScript share files with their relatives.
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
class Questions:
    grammar: str
    definitions: tree_sitter.Query
    uses: tree_sitter.Query


@cache
def questions(language: str) -> Questions | None:
    """What to ask of a language's tree, or `None` where nobody wrote it down."""
    if language not in GRAMMARS:
        return None
    grammar, name = GRAMMARS[language]
    return Questions(grammar, _query(grammar, f"{name}-definitions.scm"), _query(grammar, f"{name}-uses.scm"))


@cache
def _query(grammar: str, file: str) -> tree_sitter.Query:
    from tree_sitter import Query

    from bottega.source.grammar import loaded

    return Query(loaded(grammar), resources.files(__name__).joinpath(file).read_text(encoding="utf-8"))
