"""Tree-sitter queries: for each language one file for definitions and one for uses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

from bottega.source.languages import language_named

if TYPE_CHECKING:
    import tree_sitter

# Languages whose query files have another name: TSX shares those of TypeScript.
_QUERY_NAMES = {"TSX": "typescript", "C#": "csharp", "C++": "cpp"}
_GRAMMARS = {"TSX": "tsx"}


@dataclass(frozen=True, slots=True)
class SyntaxQueries:
    grammar: str
    definitions: tree_sitter.Query
    uses: tree_sitter.Query


@cache
def load_queries(language: str) -> SyntaxQueries | None:
    """The queries of a language, or `None` where it has no query files."""
    known = language_named(language)
    name = _QUERY_NAMES.get(language, language.lower())
    if known is None or not resources.files(__name__).joinpath(f"{name}-definitions.scm").is_file():
        return None
    grammar = known.grammar or _GRAMMARS.get(language, "")
    return SyntaxQueries(
        grammar, _load_query(grammar, f"{name}-definitions.scm"), _load_query(grammar, f"{name}-uses.scm")
    )


@cache
def _load_query(grammar: str, file: str) -> tree_sitter.Query:
    from tree_sitter import Query

    from bottega.source.grammar import load_grammar

    return Query(load_grammar(grammar), resources.files(__name__).joinpath(file).read_text(encoding="utf-8"))
