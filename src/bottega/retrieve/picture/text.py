"""A neighbourhood as lines of text."""

from __future__ import annotations

from bottega.index import Neighbourhood, Node
from bottega.source import escape_breaks


def as_text(found: Neighbourhood) -> str:
    """The nodes, each with the edges that leave it."""
    lines = []
    nodes = {node.key: node for node in found.nodes}
    for node in found.nodes:
        lines.append(_name(node))
        lines += [
            f"  {edge.kind} → {_name(nodes[edge.target])}  ({edge.how}, {edge.confidence:g})"
            for edge in found.edges
            if edge.source == node.key and edge.target in nodes
        ]
    if found.is_cut:
        lines.append("… there is more: raise --nodes or narrow --edges")
    return "\n".join(map(escape_breaks, lines)) + "\n"


def _name(node: Node) -> str:
    """The lines of a node and its name with what it lies in; the key of what has no lines here."""
    if not node.path:
        return node.key
    if node.kind == "FILE":
        return node.path
    return f"{node.path}:{node.first}-{node.last}  {_find_qualified(node)} ({node.kind.lower()})"


def _find_qualified(node: Node) -> str:
    """The part of the key behind the module, whose last part the file is named after, or the name alone."""
    path = node.key.rpartition("|")[0].partition(":")[2]
    stem = node.path.rpartition("/")[2].partition(".")[0]
    _, found, inner = path.rpartition(f"{stem}.")
    return inner if found and inner.endswith(node.name) else node.name
