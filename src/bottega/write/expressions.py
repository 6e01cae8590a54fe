"""Python text parsed without being run; what a model or a request nests too deeply is refused, not followed."""

from __future__ import annotations

import ast

# Functions that walk a tree recursively, such as `ast.unparse`, fail at about 300 levels.
_DEEPEST = 100
NOT_PARSED = (SyntaxError, ValueError, RecursionError, MemoryError)
NO_LITERAL = (*NOT_PARSED, TypeError)


def parse_expression(text: str) -> ast.expr | None:
    """`None` for what is no single expression, or is nested too deeply."""
    try:
        expression = ast.parse(text.strip(), mode="eval").body
    except NOT_PARSED:
        return None
    return expression if is_shallow(expression) else None


def parse_statements(code: str) -> list[ast.stmt]:
    """The statements of a module; none where it does not parse."""
    try:
        return ast.parse(code).body
    except NOT_PARSED:
        return []


def is_shallow(node: ast.AST) -> bool:
    level = [node]
    for _ in range(_DEEPEST):
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
        if not level:
            return True
    return False
