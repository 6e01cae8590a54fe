"""Questions put to a syntax tree, one `.scm` file each."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter


def captured(root: tree_sitter.Node, grammar: str, question: str, capture: str) -> list[tree_sitter.Node]:
    """Ask `question` of the tree under `root` and return the nodes it calls `@capture`."""
    from tree_sitter import QueryCursor

    return QueryCursor(_query(grammar, question)).captures(root).get(capture, [])


@cache
def _query(grammar: str, question: str) -> tree_sitter.Query:
    from tree_sitter import Query

    from bottega.source.grammar import loaded

    text = resources.files(__name__).joinpath(f"{question}.scm").read_text(encoding="utf-8")
    return Query(loaded(grammar), text)
