"""A neighbourhood as lines of text."""

from __future__ import annotations

from bottega.index import Neighbourhood
from bottega.source import escape_breaks


def as_text(found: Neighbourhood) -> str:
    """The nodes, each with the edges that leave it."""
    lines = []
    names = {node.key: node for node in found.nodes}
    for node in found.nodes:
        place = f"  {node.path}:{node.first}-{node.last}" if node.path else ""
        lines.append(f"{node.key}{place}")
        lines += [
            f"  {edge.kind} → {edge.target}  ({edge.how}, {edge.confidence:g})"
            for edge in found.edges
            if edge.source == node.key and edge.target in names
        ]
    if found.is_cut:
        lines.append("… there is more: raise --nodes or narrow --edges")
    return "\n".join(map(escape_breaks, lines)) + "\n"
