"""Split long links into segments between neighbouring layers, and order each layer so that few segments cross."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from bottega.retrieve.picture.boxes import Link

_SWEEPS = 24


@dataclass(frozen=True, slots=True)
class Tracks:
    """`layers` holds places from left to right and top to bottom. A place below `boxes` is a box, another one a bend.

    `routes` has for each link its places from left to right; links to one box share their bends.
    """

    boxes: int
    layers: tuple[tuple[int, ...], ...]
    routes: tuple[tuple[int, ...], ...]

    def list_segments(self) -> list[tuple[int, int]]:
        """Pairs of places in neighbouring layers, each once."""
        return sorted({pair for route in self.routes for pair in pairwise(route)})


def build_tracks(links: Sequence[Link], layers: Sequence[int]) -> Tracks:
    columns: list[list[int]] = [[] for _ in range(max(layers, default=-1) + 1)]
    for box, layer in enumerate(layers):
        columns[layer].append(box)
    routes = _build_routes(links, layers, columns)
    draft = Tracks(len(layers), tuple(map(tuple, columns)), routes)
    return Tracks(draft.boxes, _order(draft), routes)


def _build_routes(
    links: Sequence[Link], layers: Sequence[int], columns: list[list[int]]
) -> tuple[tuple[int, ...], ...]:
    """Add a bend to each layer that a link passes. Links of one kind share the bends at their busier end."""
    users = Counter((end, link.kind, link.is_sure) for link in links for end in (link.source, -1 - link.target))
    bends: dict[tuple[object, ...], int] = {}
    routes = []
    for link in links:
        first, last = sorted((link.source, link.target), key=lambda box: layers[box])
        look = (link.kind, link.is_sure)
        is_fan_out = users[link.source, *look] > users[-1 - link.target, *look]
        shared = (link.source, "from", *look) if is_fan_out else (link.target, "to", *look)
        route = [first]
        for layer in range(layers[first] + 1, layers[last]):
            key = (*shared, first == link.source, layer)
            if key not in bends:
                bends[key] = len(layers) + len(bends)
                columns[layer].append(bends[key])
            route.append(bends[key])
        routes.append((*route, last))
    return tuple(routes)


def _order(tracks: Tracks) -> tuple[tuple[int, ...], ...]:
    """The order with the fewest crossings among sweeps that move each place to the mean of its neighbours."""
    left: Mapping[int, list[int]] = defaultdict(list)
    right: Mapping[int, list[int]] = defaultdict(list)
    for a, b in tracks.list_segments():
        right[a].append(b)
        left[b].append(a)
    columns = [list(column) for column in tracks.layers]
    best, fewest = tracks.layers, count_crossings(columns, right)
    for sweep in range(_SWEEPS):
        goes_right = sweep % 2 == 0
        neighbours = left if goes_right else right
        order = range(1, len(columns)) if goes_right else range(len(columns) - 2, -1, -1)
        for at in order:
            _sort_column(columns, at, at - 1 if goes_right else at + 1, neighbours)
        crossings = count_crossings(columns, right)
        if crossings < fewest:
            best, fewest = tuple(map(tuple, columns)), crossings
    return best


def _sort_column(columns: list[list[int]], at: int, fixed: int, neighbours: Mapping[int, list[int]]) -> None:
    """Sort by the mean place of the neighbours in the fixed column; a place without any stays where it is."""
    places = {place: number / max(len(columns[fixed]) - 1, 1) for number, place in enumerate(columns[fixed])}
    own = {place: number / max(len(columns[at]) - 1, 1) for number, place in enumerate(columns[at])}

    def find_mean(place: int) -> float:
        ends = [places[other] for other in neighbours[place]]
        return sum(ends) / len(ends) if ends else own[place]

    columns[at].sort(key=lambda place: (find_mean(place), own[place]))


def count_crossings(columns: Sequence[Sequence[int]], right: Mapping[int, Sequence[int]]) -> int:
    """How many pairs of segments cross."""
    crossings = 0
    for column, following in pairwise(columns):
        places = {place: number for number, place in enumerate(following)}
        ends: list[int] = []
        for place in column:
            targets = sorted(places[other] for other in right.get(place, ()))
            crossings += sum(len(ends) - bisect_right(ends, target) for target in targets)
            for target in targets:
                insort(ends, target)
    return crossings
