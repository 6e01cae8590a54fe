"""Draw a neighbourhood as text, as Mermaid or as SVG."""

from __future__ import annotations

from collections import defaultdict
from html import escape as escape_markup

from bottega.index import Neighbourhood, Node

_COLUMN, _ROW, _WIDTH, _HEIGHT, _MARGIN = 330, 46, 250, 30, 20
_LONGEST_LABEL = 34
_COLOURS = {
    "TYPE": "#dbeafe",
    "METHOD": "#dcfce7",
    "FUNCTION": "#dcfce7",
    "FILE": "#f3f4f6",
    "TABLE": "#fef3c7",
    "VIEW": "#fef3c7",
    "PROC": "#fae8ff",
    "VARIABLE": "#ffe4e6",
}
_PLAIN = "#ffffff"


def as_text(found: Neighbourhood) -> str:
    """The nodes, each with its outgoing and incoming edges."""
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
    return "\n".join(line.replace("\n", "\\n") for line in lines) + "\n"


def as_mermaid(found: Neighbourhood) -> str:
    numbers = {node.key: f"n{place}" for place, node in enumerate(found.nodes)}
    lines = ["graph LR"]
    lines += [f'  {numbers[node.key]}["{_render_mermaid_label(node)}"]' for node in found.nodes]
    lines += [
        f"  {numbers[edge.source]} -->|{_replace_signs(edge.kind)}| {numbers[edge.target]}"
        for edge in found.edges
        if edge.source in numbers and edge.target in numbers
    ]
    return "\n".join(lines) + "\n"


def as_svg(found: Neighbourhood) -> str:
    """Columns by distance: users of the start to its left, what it uses to its right."""
    places = _place_nodes(found)
    across = max((x for x, _ in places.values()), default=0) + _WIDTH + _MARGIN
    down = max((y for _, y in places.values()), default=0) + _HEIGHT + _MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{across}" height="{down}" viewBox="0 0 {across} {down}"'
        ' font-family="ui-monospace, monospace" font-size="11">',
        '<defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7"'
        ' orient="auto-start-reverse"><path d="M 0 0 L 10 5 L 0 10 z" fill="#64748b"/></marker></defs>',
        f'<rect width="{across}" height="{down}" fill="#ffffff"/>',
    ]
    parts += [
        _draw_line(places[edge.source], places[edge.target], edge.kind, edge.confidence)
        for edge in found.edges
        if edge.source in places and edge.target in places
    ]
    parts += [_draw_box(node, *places[node.key]) for node in found.nodes]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _place_nodes(found: Neighbourhood) -> dict[str, tuple[int, int]]:
    sides = _assign_sides(found)
    columns: dict[int, list[str]] = defaultdict(list)
    for node in found.nodes:
        columns[node.depth * sides[node.key]].append(node.key)
    leftmost = min(columns, default=0)
    tallest = max((len(keys) for keys in columns.values()), default=1)
    places = {}
    for column, keys in columns.items():
        top = _MARGIN + (tallest - len(keys)) * _ROW // 2
        for row, key in enumerate(keys):
            places[key] = (_MARGIN + (column - leftmost) * _COLUMN, top + row * _ROW)
    return places


def _assign_sides(found: Neighbourhood) -> dict[str, int]:
    """-1 for nodes that were reached against the direction of edges, 1 for the others."""
    sides = {node.key: 1 for node in found.nodes}
    depth = {node.key: node.depth for node in found.nodes}
    for node in sorted(found.nodes, key=lambda node: node.depth):
        if node.depth == 1:
            forward = any(edge.target == node.key and depth.get(edge.source) == 0 for edge in found.edges)
            sides[node.key] = 1 if forward else -1
        elif node.depth > 1:
            near = [
                sides[other]
                for edge in found.edges
                for other in (edge.source, edge.target)
                if node.key in {edge.source, edge.target} and depth.get(other) == node.depth - 1
            ]
            sides[node.key] = near[0] if near else 1
    return sides


def _draw_box(node: Node, x: int, y: int) -> str:
    colour = _COLOURS.get(node.kind, _PLAIN)
    border = ' stroke-width="2.5"' if node.depth == 0 else ""
    return (
        f"<g><title>{escape(node.key)}&#10;{escape(node.path)}:{node.first}-{node.last}</title>"
        f'<rect x="{x}" y="{y}" width="{_WIDTH}" height="{_HEIGHT}" rx="5" fill="{colour}" stroke="#334155"{border}/>'
        f'<text x="{x + 8}" y="{y + 19}" fill="#0f172a">{escape(_render_label(node))}</text></g>'
    )


def _draw_line(start: tuple[int, int], end: tuple[int, int], kind: str, confidence: float) -> str:
    (x1, y1), (x2, y2) = start, end
    forward = x2 >= x1
    a, b = (x1 + _WIDTH, x2) if forward else (x1, x2 + _WIDTH)
    if x1 == x2:
        a, b = x1 + _WIDTH, x2 + _WIDTH
    y1, y2 = y1 + _HEIGHT // 2, y2 + _HEIGHT // 2
    bend = 40 if forward else -40
    other = bend if x1 == x2 else -bend
    dashed = ' stroke-dasharray="4 3"' if confidence < 0.5 else ""
    return (
        f'<path d="M {a} {y1} C {a + bend} {y1}, {b + other} {y2}, {b} {y2}" fill="none" stroke="#64748b"{dashed}'
        f' marker-end="url(#arrow)"><title>{escape(kind)} ({confidence:g})</title></path>'
        f'<text x="{(a + b) // 2}" y="{(y1 + y2) // 2 - 3}" fill="#475569" font-size="9" text-anchor="middle">'
        f"{escape(kind)}</text>"
    )


def escape(text: str) -> str:
    """Escape for XML; characters that XML forbids become a replacement character."""
    return escape_markup("".join(sign if _is_writable(sign) else "\ufffd" for sign in text))


def _is_writable(sign: str) -> bool:
    code = ord(sign)
    return sign in "\t\n" or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or code >= 0x10000


def _render_label(node: Node) -> str:
    name = node.key.rpartition("|")[0].partition(":")[2] or node.name
    return name if len(name) <= _LONGEST_LABEL else "…" + name[1 - _LONGEST_LABEL :]


def _render_mermaid_label(node: Node) -> str:
    return "".join(
        sign if sign.isalnum() or sign in " ._-/:|" else "_" for sign in f"{_render_label(node)} {node.kind}"
    )


def _replace_signs(kind: str) -> str:
    return "".join(sign if sign.isalnum() or sign in " ._-" else "_" for sign in kind)
