"""The places of frames and the way of links between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bottega.retrieve.picture.boxes import Diagram, Link
from bottega.retrieve.picture.frames import Frame, frame_box
from bottega.retrieve.picture.heights import place_centres
from bottega.retrieve.picture.layers import assign_layers
from bottega.retrieve.picture.tracks import Tracks, build_tracks

_GAP_BETWEEN_BOXES, _GAP_BETWEEN_BENDS = 14.0, 8.0
_LEAST_GUTTER, _MOST_GUTTER, _GUTTER_PER_SEGMENT = 64.0, 190.0, 3.0
_MOST_PORT_DISTANCE = 9.0
# These links are the skeleton of the code: when links form a cycle, others are drawn backwards.
_STRUCTURAL = frozenset({"contains", "inherits"})

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PlacedFrame:
    frame: Frame
    x: float
    y: float
    width: float


@dataclass(frozen=True, slots=True)
class PlacedLink:
    """Points from left to right: curves lead from odd to even ones (in a gutter), straight lines back (past a layer).

    `points_left` when the source is the right end.
    """

    link: Link
    points: tuple[Point, ...]
    points_left: bool


@dataclass(frozen=True, slots=True)
class Layout:
    frames: tuple[PlacedFrame, ...]
    links: tuple[PlacedLink, ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class _Column:
    x: float
    width: float


def lay_out(diagram: Diagram) -> Layout:
    """Layers from left to right; every frame of a layer has the width of the widest."""
    frames = [frame_box(box) for box in diagram.boxes]
    tracks = build_tracks(diagram.links, assign_layers(len(frames), _weigh(diagram.links)))
    bends = sum(map(len, tracks.layers)) - len(frames)
    heights = [*(float(frame.height) for frame in frames), *[0.0] * bends]
    gaps = [*[_GAP_BETWEEN_BOXES] * len(frames), *[_GAP_BETWEEN_BENDS] * bends]
    centres = place_centres(tracks, heights, gaps)
    top = min((centre - height / 2 for centre, height in zip(centres, heights, strict=True)), default=0.0)
    centres = [centre - top for centre in centres]
    columns = list(_place_columns(tracks, frames))
    return Layout(
        tuple(_place_frames(tracks, frames, columns, centres)),
        tuple(_place_links(diagram.links, tracks, heights, columns, centres)),
        columns[-1].x + columns[-1].width if columns else 0.0,
        max((centre + height / 2 for centre, height in zip(centres, heights, strict=True)), default=0.0),
    )


def _weigh(links: Sequence[Link]) -> dict[tuple[int, int], int]:
    weights: dict[tuple[int, int], int] = defaultdict(int)
    for link in links:
        weights[link.source, link.target] += 5 if link.kind in _STRUCTURAL else 2 if link.is_sure else 1
    return weights


def _place_columns(tracks: Tracks, frames: Sequence[Frame]) -> Iterator[_Column]:
    layer_of = {place: at for at, column in enumerate(tracks.layers) for place in column}
    segments: dict[int, int] = defaultdict(int)
    for a, _ in tracks.list_segments():
        segments[layer_of[a]] += 1
    x = 0.0
    for at, column in enumerate(tracks.layers):
        width = float(max(frames[place].width for place in column if place < len(frames)))
        yield _Column(x, width)
        x += width + min(_MOST_GUTTER, _LEAST_GUTTER + _GUTTER_PER_SEGMENT * segments[at])


def _place_frames(
    tracks: Tracks, frames: Sequence[Frame], columns: Sequence[_Column], centres: Sequence[float]
) -> Iterator[PlacedFrame]:
    column_of = {place: columns[at] for at, layer in enumerate(tracks.layers) for place in layer}
    for place, frame in enumerate(frames):
        column = column_of[place]
        yield PlacedFrame(frame, column.x, centres[place] - frame.height / 2, column.width)


def _place_links(
    links: Sequence[Link],
    tracks: Tracks,
    heights: Sequence[float],
    columns: Sequence[_Column],
    centres: Sequence[float],
) -> Iterator[PlacedLink]:
    column_of = {place: columns[at] for at, layer in enumerate(tracks.layers) for place in layer}
    right = _place_ports(links, tracks.routes, heights, centres)
    left = _place_ports(links, [route[::-1] for route in tracks.routes], heights, centres)
    for at, (link, route) in enumerate(zip(links, tracks.routes, strict=True)):
        first, last = column_of[route[0]], column_of[route[-1]]
        points: list[Point] = [(first.x + first.width, right[at])]
        for bend in route[1:-1]:
            column = column_of[bend]
            points += [(column.x, centres[bend]), (column.x + column.width, centres[bend])]
        points.append((last.x, left[at]))
        yield PlacedLink(link, tuple(points), route[0] != link.source)


def _place_ports(
    links: Sequence[Link], routes: Sequence[Sequence[int]], heights: Sequence[float], centres: Sequence[float]
) -> list[float]:
    """The height at which each link meets the first box of its route; links of one look and direction meet together."""
    groups: Mapping[int, dict[tuple[str, bool, bool], list[int]]] = defaultdict(lambda: defaultdict(list))
    for at, (link, route) in enumerate(zip(links, routes, strict=True)):
        groups[route[0]][link.kind, link.is_sure, route[0] == link.source].append(at)
    ports = [0.0] * len(links)
    for box, looks in groups.items():
        order = sorted(looks, key=lambda look: sum(centres[routes[at][1]] for at in looks[look]) / len(looks[look]))
        distance = min(_MOST_PORT_DISTANCE, (heights[box] - 10) / len(order))
        for number, look in enumerate(order):
            for at in looks[look]:
                ports[at] = centres[box] + (number - (len(order) - 1) / 2) * distance
    return ports
