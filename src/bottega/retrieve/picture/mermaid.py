"""A neighbourhood as a Mermaid graph."""

from __future__ import annotations

from bottega.index import Neighbourhood, Node

_LONGEST_LABEL = 34


def as_mermaid(found: Neighbourhood) -> str:
    numbers = {node.key: f"n{place}" for place, node in enumerate(found.nodes)}
    lines = ["graph LR"]
    lines += [f'  {numbers[node.key]}["{_render_label(node)}"]' for node in found.nodes]
    lines += [
        f"  {numbers[edge.source]} -->|{_replace_signs(edge.kind, ' ._-')}| {numbers[edge.target]}"
        for edge in found.edges
        if edge.source in numbers and edge.target in numbers
    ]
    return "\n".join(lines) + "\n"


def _render_label(node: Node) -> str:
    name = node.key.rpartition("|")[0].partition(":")[2] or node.name
    shown = name if len(name) <= _LONGEST_LABEL else "…" + name[1 - _LONGEST_LABEL :]
    return _replace_signs(f"{shown} {node.kind}", " ._-/:|")


def _replace_signs(text: str, allowed: str) -> str:
    """Replace what Mermaid could read as syntax."""
    return "".join(sign if sign.isalnum() or sign in allowed else "_" for sign in text)
