"""The lines that a box shows, and its size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from bottega.index import Node
from bottega.retrieve.picture.boxes import Box
from bottega.retrieve.picture.labels import describe_place, measure, name_node, shorten, shorten_start

# Widths of a column of the fixed-width fonts that svg.css asks for: 12 px for names, 10.5 px for the rest.
NAME_COLUMN, SMALL_COLUMN = 7.3, 6.4
PADDING = 12
_LINE_HEIGHTS = {"name": 18, "place": 16, "head": 20, "file": 17, "row": 16, "more": 16}
_MOST_NAME_COLUMNS, _MOST_SMALL_COLUMNS = 34, 40
_MOST_ROWS = 18

Look = Literal["name", "place", "head", "file", "row", "more"]


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, and the nodes that it stands for."""

    look: Look
    text: str
    nodes: tuple[Node, ...] = ()
    detail: str = ""

    @property
    def height(self) -> int:
        return _LINE_HEIGHTS[self.look]

    @property
    def width(self) -> float:
        is_large = self.look in {"name", "row"}
        return measure(self.text) * (NAME_COLUMN if is_large else SMALL_COLUMN) + len(self.detail) * SMALL_COLUMN


@dataclass(frozen=True, slots=True)
class Frame:
    """A box with its lines and its size."""

    box: Box
    lines: tuple[Line, ...]

    @property
    def width(self) -> int:
        return round(max(line.width for line in self.lines)) + 2 * PADDING

    @property
    def height(self) -> int:
        return sum(line.height for line in self.lines) + 10


def frame_box(box: Box) -> Frame:
    return Frame(box, tuple(_list_rows(box.nodes) if box.is_list else _describe(box.nodes[0])))


def _describe(node: Node) -> Iterator[Line]:
    yield Line("name", shorten(name_node(node), _MOST_NAME_COLUMNS), (node,))
    kind = node.kind.lower().replace("_", " ") or "not in the index"
    place = describe_place(node)
    room = _MOST_SMALL_COLUMNS - measure(kind) - 3
    yield Line("place", shorten(kind, 20) + (f" · {shorten_start(place, max(room, 12))}" if place else ""))


def _list_rows(nodes: Sequence[Node]) -> Iterator[Line]:
    """A heading, a line for each node below its file, and one line for those that do not fit."""
    yield Line("head", _describe_list(nodes))
    shown = nodes if len(nodes) <= _MOST_ROWS else nodes[: _MOST_ROWS - 1]
    has_headings = len({node.path for node in nodes}) > 1
    for (path, is_file), rows in groupby(shown, key=lambda node: (node.path, node.kind == "FILE")):
        if has_headings and not is_file:
            yield Line("file", shorten_start(path or "no file", _MOST_SMALL_COLUMNS))
        for node in rows:
            name = shorten_start(path, _MOST_NAME_COLUMNS) if is_file else shorten(name_node(node), _MOST_NAME_COLUMNS)
            yield Line("row", name, (node,), f" :{node.first}" if node.first and not is_file else "")
    rest = tuple(nodes[len(shown) :])
    if rest:
        yield Line("more", f"… {len(rest)} more", rest)


def _describe_list(nodes: Sequence[Node]) -> str:
    paths = {node.path for node in nodes}
    if all(node.kind == "FILE" for node in nodes):
        return f"{len(nodes)} files"
    if len(paths) > 1:
        return f"{len(nodes)} in {len(paths)} files"
    return f"{len(nodes)} in {shorten_start(paths.pop() or 'no file', _MOST_SMALL_COLUMNS - 8)}"
