"""How nodes and edges of each kind look. The names are classes of colours.css; the legend explains them."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import resources

# Kinds of nodes by class; another kind is drawn plain.
NODE_CLASSES = {
    "TYPE": "type",
    "METHOD": "function",
    "FUNCTION": "function",
    "FILE": "file",
    "TABLE": "table",
    "VIEW": "table",
    "PROC": "procedure",
    "VARIABLE": "value",
    "FIELD": "value",
}
NODE_NAMES = {
    "type": "type",
    "function": "function or method",
    "value": "variable or field",
    "file": "file",
    "table": "table or view",
    "procedure": "procedure",
    "plain": "other",
}
# Kinds of edges and the shape at their target; another kind is drawn as `other`.
EDGE_SHAPES = {
    "calls": "arrow",
    "inherits": "triangle",
    "uses": "open",
    "refers": "dot",
    "reads": "open",
    "writes": "arrow",
    "imports": "open",
    "tests": "diamond",
    "contains": "bar",
    "other": "arrow",
}
_SHAPES = {
    "arrow": ("M 1 1 L 9 5 L 1 9 z", "solid"),
    "triangle": ("M 1 1 L 9 5 L 1 9 z", "hollow"),
    "open": ("M 1 1 L 9 5 L 1 9", "line"),
    "dot": ("M 3 5 a 3 3 0 1 0 6 0 a 3 3 0 1 0 -6 0 z", "solid"),
    "diamond": ("M 0 5 L 4.5 1.5 L 9 5 L 4.5 8.5 z", "solid"),
    "bar": ("M 8 0 L 8 10", "line"),
}


def choose_node_class(kind: str) -> str:
    return NODE_CLASSES.get(kind, "plain")


def choose_edge_class(kind: str) -> str:
    return kind if kind in EDGE_SHAPES else "other"


def draw_markers() -> Iterator[str]:
    """The ends of edges; the identifier of each is the class of the edge."""
    for name, shape in EDGE_SHAPES.items():
        path, look = _SHAPES[shape]
        yield (
            f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9"'
            ' markerUnits="userSpaceOnUse" orient="auto-start-reverse">'
            f'<path class="{look} {name}" d="{path}"/></marker>'
        )


def read_asset(*path: str) -> str:
    """A style sheet, script or page of this package."""
    return resources.files("bottega.retrieve.picture").joinpath(*path).read_text(encoding="utf-8")
