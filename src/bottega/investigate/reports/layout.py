"""Lay out the areas of a tree map (squarified: close to squares)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Box(NamedTuple):
    x: float
    y: float
    width: float
    height: float

    @property
    def side(self) -> float:
        return min(self.width, self.height)


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
