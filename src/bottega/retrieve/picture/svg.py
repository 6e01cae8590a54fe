"""A neighbourhood as SVG that needs nothing else: layers, lists, a legend, light and dark."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from bottega.index import Edge, Neighbourhood, Node
from bottega.retrieve.picture.boxes import group_nodes
from bottega.retrieve.picture.frames import PADDING, Line
from bottega.retrieve.picture.labels import describe_node, escape, link_to, name_node
from bottega.retrieve.picture.layout import PlacedFrame, PlacedLink, lay_out
from bottega.retrieve.picture.legend import draw_head
from bottega.retrieve.picture.styles import choose_edge_class, choose_node_class, draw_markers, read_asset

_MARGIN = 24
_LEAST_WIDTH = 720
_MOST_IN_TITLE = 40


def as_svg(found: Neighbourhood, base: str = "") -> str:
    """Draw what uses the start to its left and what it uses to its right.

    Links lead to the files, with paths below `base`: the way from where the picture lies to the root of the repository.
    """
    diagram = group_nodes(found)
    layout = lay_out(diagram)
    inside = max(layout.width, _LEAST_WIDTH - 2 * _MARGIN)
    head = draw_head(found, diagram, inside)
    width, height = round(inside + 2 * _MARGIN), round(head.height + layout.height + 2 * _MARGIN)
    starts = ", ".join(name_node(node) for node in found.nodes if node.depth == 0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">',
        f"<title>{escape(f'graph around {starts}')}</title>",
        f"<style>\n{read_asset('colours.css')}{read_asset('svg.css')}</style>",
        "<defs>",
        *draw_markers(),
        "</defs>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        f'<g transform="translate({_MARGIN} {_MARGIN})">',
        *head.elements,
        "</g>",
        f'<g transform="translate({_MARGIN + round((inside - layout.width) / 2)} {_MARGIN + head.height})">',
        *map(_draw_link, layout.links),
        *(element for frame in layout.frames for element in _draw_frame(frame, base)),
        "</g>",
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _draw_frame(placed: PlacedFrame, base: str) -> Iterator[str]:
    box = placed.frame.box
    node = box.nodes[0]
    kinds = {choose_node_class(node.kind) for node in box.nodes}
    look = " ".join(["box", *(kinds if len(kinds) == 1 else ["plain"]), *(["start"] if box.is_start else [])])
    rect = (
        f'<rect class="{look}" x="{_number(placed.x)}" y="{_number(placed.y)}" width="{_number(placed.width)}"'
        f' height="{placed.frame.height}" rx="5"/>'
    )
    y = placed.y + 4
    texts = []
    for line in placed.frame.lines:
        y += line.height
        detail = f'<tspan class="small">{escape(line.detail)}</tspan>' if line.detail else ""
        place = f'x="{_number(placed.x + PADDING)}" y="{_number(y - 4)}"'
        text = f'<text class="{line.look}" {place}>{escape(line.text)}{detail}</text>'
        if line.look == "row" and len(kinds) > 1:
            text = _draw_mark(line.nodes[0], placed.x + 3, y - 13) + text
        texts.append(_wrap_row(line, text, base) if box.is_list else text)
    if box.is_list:
        yield "".join(["<g>", rect, *texts, "</g>"])
    else:
        yield _wrap(node, rect + "".join(texts), base)


def _draw_mark(node: Node, x: float, y: float) -> str:
    """The colour of the kind, for a row of a list of several kinds."""
    look = choose_node_class(node.kind)
    return f'<rect class="sample {look}" x="{_number(x)}" y="{_number(y)}" width="5" height="11" rx="1"/>'


def _wrap_row(line: Line, text: str, base: str) -> str:
    if line.look == "row":
        return _wrap(line.nodes[0], text, base)
    if not line.nodes:
        return text
    return f"<g><title>{escape(_list_lines([node.key for node in line.nodes], 'nodes'))}</title>{text}</g>"


def _wrap(node: Node, content: str, base: str) -> str:
    """A link to the file, or a plain group for a node without one, with a tooltip."""
    title = f"<title>{escape(describe_node(node))}</title>"
    address = link_to(node, base)
    return f'<a href="{escape(address)}">{title}{content}</a>' if address else f"<g>{title}{content}</g>"


def _draw_link(placed: PlacedLink) -> str:
    link, points = placed.link, placed.points
    name = choose_edge_class(link.kind)
    steps = [f"M {_number(points[0][0])} {_number(points[0][1])}"]
    for at, ((x1, y1), (x2, y2)) in enumerate(pairwise(points)):
        middle = _number((x1 + x2) / 2)
        steps.append(
            f"L {_number(x2)} {_number(y2)}"
            if at % 2
            else f"C {middle} {_number(y1)} {middle} {_number(y2)} {_number(x2)} {_number(y2)}"
        )
    end = "marker-start" if placed.points_left else "marker-end"
    look = f"edge {name}" if link.is_sure else f"edge {name} unsure"
    title = escape(_list_lines([_describe_edge(edge) for edge in link.edges], "edges"))
    return f'<path class="{look}" d="{" ".join(steps)}" {end}="url(#{name})"><title>{title}</title></path>'


def _describe_edge(edge: Edge) -> str:
    return f"{edge.source} {edge.kind} {edge.target} ({edge.how}, {edge.confidence:g})"


def _list_lines(lines: list[str], noun: str) -> str:
    rest = len(lines) - _MOST_IN_TITLE
    return "\n".join([*lines[:_MOST_IN_TITLE], *([f"… {rest} more {noun}"] if rest > 0 else [])])


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
