"""A tree map of sizes as SVG: areas are bytes, nested by directory, coloured by language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bottega.investigate.reports.safe import escape_text
from bottega.investigate.reports.scanned import format_size

_WIDTH, _HEIGHT = 1000.0, 420.0
_LEAST_SIDE, _LABEL_WIDTH, _LABEL_HEIGHT, _HEAD = 3.0, 60.0, 14.0, 14.0
_COLOURS = (
    "#4e79a7 #f28e2b #59a14f #e15759 #76b7b2 #edc948 #b07aa1 #ff9da7 #9c755f #86bcb6 #d37295 #a0cbe8 #8cd17d".split()
)
_MAX_DEPTH = 60
_OTHER = "#bab0ac"


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    @property
    def side(self) -> float:
        return min(self.width, self.height)


@dataclass(slots=True)
class _Node:
    name: str
    path: str
    kinds: Sequence[tuple[str, int]] = ()
    below: dict[str, _Node] = field(default_factory=dict)
    size: int = 0


def render_treemap(cells: Sequence[Mapping[str, Any]]) -> str:
    """An SVG with its legend; "" when all files are empty."""
    root = _build_tree(cells)
    if not root.size:
        return ""
    colours = _choose_colours(cells)
    shapes = "".join(_draw(root, Box(0, 0, _WIDTH, _HEIGHT), colours, 0))
    legend = "".join(
        f'<span><i style="background:{colour}"></i>{escape_text(name)}</span>' for name, colour in colours.items()
    )
    title = f"{format_size(root.size)} by directory and language"
    return (
        f'<svg class="map" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" role="img" aria-label="{escape_text(title)}">'
        f"{shapes}</svg>"
        f'<p class="legend">{legend}<span><i style="background:{_OTHER}"></i>other</span></p>'
    )


def lay_out(sizes: Sequence[float], box: Box) -> list[Box]:
    """Rectangles with these areas that fill the box, close to squares (squarified tree map); sizes are descending."""
    total = sum(sizes)
    if total <= 0 or box.width <= 0 or box.height <= 0:
        return [Box(box.x, box.y, 0, 0) for _ in sizes]
    scale = box.width * box.height / total
    areas = [size * scale for size in sizes]
    placed: list[Box] = []
    at = 0
    while at < len(areas):
        row = [areas[at]]
        while at + len(row) < len(areas) and _measure_worst_ratio(
            [*row, areas[at + len(row)]], box.side
        ) <= _measure_worst_ratio(row, box.side):
            row.append(areas[at + len(row)])
        boxes, box = _place_row(row, box)
        placed += boxes
        at += len(row)
    return placed


def _measure_worst_ratio(row: list[float], side: float) -> float:
    total = sum(row)
    if total <= 0 or side <= 0:
        return float("inf")
    return max(max(side * side * area / total**2, total**2 / (side * side * area)) if area > 0 else 1e9 for area in row)


def _place_row(row: list[float], box: Box) -> tuple[list[Box], Box]:
    total = sum(row)
    boxes: list[Box] = []
    if box.width >= box.height:
        width = total / box.height if box.height else 0
        y = box.y
        for area in row:
            height = area / width if width else 0
            boxes.append(Box(box.x, y, width, height))
            y += height
        return boxes, Box(box.x + width, box.y, max(0.0, box.width - width), box.height)
    height = total / box.width if box.width else 0
    x = box.x
    for area in row:
        width = area / height if height else 0
        boxes.append(Box(x, box.y, width, height))
        x += width
    return boxes, Box(box.x, box.y + height, box.width, max(0.0, box.height - height))


def _build_tree(cells: Sequence[Mapping[str, Any]]) -> _Node:
    root = _Node(".", ".")
    for cell in cells:
        node = root
        node.size += cell["bytes"]
        path = "" if cell["path"] == "." else cell["path"]
        for name in filter(None, path.split("/")):
            whole = f"{node.path}/{name}" if node.path != "." else name
            node = node.below.setdefault(name, _Node(name, whole))
            node.size += cell["bytes"]
        node.kinds = [(name, size) for name, size in cell["kinds"] if size > 0]
    return root


def _choose_colours(cells: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    sums: dict[str, int] = {}
    for cell in cells:
        for name, size in cell["kinds"]:
            sums[name] = sums.get(name, 0) + max(0, size)
    ranked = sorted(sums, key=lambda name: -sums[name])[: len(_COLOURS)]
    return dict(zip(ranked, _COLOURS, strict=False))


def _draw(node: _Node, box: Box, colours: Mapping[str, str], depth: int) -> Iterator[str]:
    if box.side < _LEAST_SIDE or depth > _MAX_DEPTH:
        return
    inner = box
    if depth and node.below and box.height > 3 * _HEAD and box.width > _LABEL_WIDTH:
        yield _draw_rectangle(box, "#8883", f"{node.path}, {format_size(node.size)}")
        yield _draw_label(box, node.name)
        inner = Box(box.x + 1, box.y + _HEAD, box.width - 2, box.height - _HEAD - 1)
    parts: list[tuple[int, _Node | tuple[str, int]]] = [(child.size, child) for child in node.below.values()]
    parts += [(size, (name, size)) for name, size in node.kinds]
    parts.sort(key=lambda part: -part[0])
    for (_, part), place in zip(parts, lay_out([float(size) for size, _ in parts], inner), strict=True):
        if isinstance(part, _Node):
            yield from _draw(part, place, colours, depth + 1)
        elif place.side >= 1:
            name, size = part
            yield _draw_rectangle(place, colours.get(name, _OTHER), f"{node.path}: {name}, {format_size(size)}")
            if not node.below and place.width > _LABEL_WIDTH and place.height > _LABEL_HEIGHT:
                yield _draw_label(place, node.name)


def _draw_rectangle(box: Box, colour: str, title: str) -> str:
    return (
        f'<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" fill="{colour}">'
        f"<title>{escape_text(title)}</title></rect>"
    )


def _draw_label(box: Box, text: str) -> str:
    room = int(box.width / 6.5)
    shown = text if len(text) <= room else text[: max(1, room - 1)] + "…"
    return f'<text x="{box.x + 3:.1f}" y="{box.y + 11:.1f}">{escape_text(shown)}</text>'
