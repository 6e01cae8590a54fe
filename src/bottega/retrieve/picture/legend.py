"""The head of a picture: what it shows, what its colours and lines mean, and what it leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from bottega.index import Neighbourhood
from bottega.retrieve.picture.boxes import Diagram
from bottega.retrieve.picture.frames import SMALL_COLUMN
from bottega.retrieve.picture.labels import escape, measure, name_node, shorten
from bottega.retrieve.picture.styles import EDGE_SHAPES, NODE_NAMES, choose_edge_class, choose_node_class

_SAMPLE_WIDTH, _ENTRY_GAP, _ROW_HEIGHT = 30, 22, 20
_MOST_TITLE_COLUMNS = 60


class _Entry(NamedTuple):
    sample: str
    text: str


class Head(NamedTuple):
    """SVG elements and the height that they take."""

    elements: tuple[str, ...]
    height: int


def draw_head(found: Neighbourhood, diagram: Diagram, width: float) -> Head:
    """Draw title, legend and notes within a width."""
    elements = [f'<text class="title" x="0" y="16">{escape(_write_title(found))}</text>']
    x, y = 0.0, 30
    for sample, text in [*_list_node_entries(found), *_list_edge_entries(found)]:
        space = _SAMPLE_WIDTH + measure(text) * SMALL_COLUMN
        if x and x + space > width:
            x, y = 0.0, y + _ROW_HEIGHT
        elements.append(
            f'<g class="legend" transform="translate({x:.0f} {y})">{sample}'
            f'<text class="small" x="{_SAMPLE_WIDTH}" y="12">{escape(text)}</text></g>'
        )
        x += space + _ENTRY_GAP
    y += _ROW_HEIGHT + 14
    for note in list_notes(found, diagram):
        elements.append(f'<text class="note" x="0" y="{y}">{escape(note)}</text>')
        y += 16
    return Head(tuple(elements), y + 6)


def _write_title(found: Neighbourhood) -> str:
    starts = [name_node(node) for node in found.nodes if node.depth == 0]
    more = f" and {len(starts) - 1} more" if len(starts) > 1 else ""
    name = shorten(starts[0], _MOST_TITLE_COLUMNS) if starts else "nothing"
    steps = max((node.depth for node in found.nodes), default=0)
    far = f", at most {steps} {'step' if steps == 1 else 'steps'} away" if steps else ""
    return f"{name}{more} · {_count(len(found.nodes), 'node')}, {_count(len(found.edges), 'edge')}{far}"


def list_notes(found: Neighbourhood, diagram: Diagram) -> Iterator[str]:
    """What the picture does not show, one sentence each."""
    if found.left_out:
        yield f"Left out: {_count(found.left_out, 'node')} or more next to these. Raise --nodes or narrow --edges."
    if diagram.left_out:
        yield f"Not drawn: {_count(diagram.left_out, 'node')}, the farthest. --format html and json have all."
    if diagram.inner:
        yield f"Not drawn: {_count(diagram.inner, 'edge')} between nodes of one list."


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _list_node_entries(found: Neighbourhood) -> Iterator[_Entry]:
    yield _Entry('<rect class="sample start" x="1" y="1" width="22" height="13" rx="3"/>', "start")
    used = {choose_node_class(node.kind) for node in found.nodes}
    for name, text in NODE_NAMES.items():
        if name in used:
            yield _Entry(f'<rect class="sample {name}" x="1" y="1" width="22" height="13" rx="3"/>', text)


def _list_edge_entries(found: Neighbourhood) -> Iterator[_Entry]:
    used = Counter(choose_edge_class(edge.kind) for edge in found.edges)
    for name in EDGE_SHAPES:
        if name in used:
            line = f'<path class="edge {name}" d="M 0 8 L 24 8" marker-end="url(#{name})"/>'
            yield _Entry(line, f"{name} ({used[name]})")
    doubtful = sum(not edge.is_sure for edge in found.edges)
    if doubtful:
        yield _Entry('<path class="edge other unsure" d="M 0 8 L 24 8"/>', f"not sure, below 0.5 ({doubtful})")
