"""Tree-sitter queries, one `.scm` file each."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter


def find_captures(root: tree_sitter.Node, grammar: str, query_name: str, capture: str) -> list[tree_sitter.Node]:
    """Run a query on the tree under `root` and return the nodes captured as `@capture`."""
    from tree_sitter import QueryCursor

    return QueryCursor(_load_query(grammar, query_name)).captures(root).get(capture, [])


@cache
def _load_query(grammar: str, query_name: str) -> tree_sitter.Query:
    from tree_sitter import Query

    from bottega.source.grammar import load_grammar

    text = resources.files(__name__).joinpath(f"{query_name}.scm").read_text(encoding="utf-8")
    return Query(load_grammar(grammar), text)
