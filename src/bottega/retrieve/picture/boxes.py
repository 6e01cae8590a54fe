"""What a picture draws: one box for each node, and one box with a list for many nodes of the same neighbours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from bottega.index import Edge, Neighbourhood, Node

# More boxes than this make a picture of many screens: lists by file come first, then nodes are left out.
_MOST_BOXES = 70
_FEWEST_IN_LIST = 3


@dataclass(frozen=True, slots=True)
class Box:
    """One node, or several as a list."""

    nodes: tuple[Node, ...]

    @property
    def is_list(self) -> bool:
        return len(self.nodes) > 1

    @property
    def is_start(self) -> bool:
        return self.nodes[0].depth == 0


@dataclass(frozen=True, slots=True)
class Link:
    """The edges of one kind and sureness from one box to another; both ends are places in `Diagram.boxes`."""

    source: int
    target: int
    kind: str
    is_sure: bool
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Diagram:
    """`left_out` counts the nodes without a place in a box, `inner` the edges inside one box."""

    boxes: tuple[Box, ...]
    links: tuple[Link, ...]
    left_out: int
    inner: int


def group_nodes(found: Neighbourhood) -> Diagram:
    """Nodes with the same neighbours share a box; too many boxes are grouped by file, then the farthest left out."""
    boxes = _merge(found.nodes, _find_neighbours(found.edges))
    if len(boxes) > _MOST_BOXES:
        boxes = _merge_by_file(boxes, _find_ways(found))
    drawn = sorted(boxes, key=lambda box: box.nodes[0].depth)[:_MOST_BOXES]
    shown = {node.key: at for at, box in enumerate(drawn) for node in box.nodes}
    links, inner = _link(found.edges, shown)
    return Diagram(tuple(drawn), links, len(found.nodes) - len(shown), inner)


def _find_neighbours(edges: Iterable[Edge]) -> Callable[[Node], Hashable]:
    ends: dict[str, set[Hashable]] = defaultdict(set)
    for edge in edges:
        ends[edge.source].add((edge.target, edge.kind, edge.is_sure, True))
        ends[edge.target].add((edge.source, edge.kind, edge.is_sure, False))
    return lambda node: (node.depth == 0, frozenset(ends[node.key]))


def _merge(nodes: Sequence[Node], find_group: Callable[[Node], Hashable]) -> list[Box]:
    """Boxes in the order of their first node."""
    groups: dict[Hashable, list[Node]] = defaultdict(list)
    for node in nodes:
        groups[find_group(node)].append(node)
    boxes: list[Box] = []
    for group in groups.values():
        if len(group) < _FEWEST_IN_LIST:
            boxes += (Box((node,)) for node in group)
        else:
            boxes.append(Box(tuple(sorted(group, key=lambda node: (node.path, node.first, node.key)))))
    return boxes


def _merge_by_file(boxes: Sequence[Box], ways: Mapping[str, str]) -> list[Box]:
    """The farthest single nodes as one list for each file and way, nearer ones too while there are too many boxes."""
    merged = list(boxes)
    for depth in range(max(box.nodes[0].depth for box in boxes), -1, -1):
        far = [box.nodes[0] for box in boxes if not box.is_list and box.nodes[0].depth >= depth]
        near = [box for box in boxes if box.is_list or box.nodes[0].depth < depth]
        merged = [*near, *_merge(far, lambda node: (node.path, node.depth, ways.get(node.key, "")))]
        if len(merged) <= _MOST_BOXES:
            break
    return merged


def _find_ways(found: Neighbourhood) -> dict[str, str]:
    """How each node was reached: `>` for a step along an edge, `<` for one against it.

    Users and used of one file are not put into one list, so that links of lists have a direction.
    """
    steps: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for edge in found.edges:
        steps[edge.source].append((edge.target, ">"))
        steps[edge.target].append((edge.source, "<"))
    depths = {node.key: node.depth for node in found.nodes}
    ways = {node.key: "" for node in found.nodes if node.depth == 0}
    for node in found.nodes:
        for other, sign in steps[node.key]:
            if other not in ways and depths.get(other) == node.depth + 1:
                ways[other] = ways.get(node.key, "") + sign
    return ways


def _link(edges: Iterable[Edge], shown: dict[str, int]) -> tuple[tuple[Link, ...], int]:
    between: dict[tuple[int, int, str, bool], list[Edge]] = defaultdict(list)
    inner = 0
    for edge in edges:
        source, target = shown.get(edge.source), shown.get(edge.target)
        if source is None or target is None:
            continue
        if source == target:
            inner += 1
        else:
            between[source, target, edge.kind, edge.is_sure].append(edge)
    return tuple(Link(*ends, tuple(found)) for ends, found in sorted(between.items())), inner
