"""Assign boxes to layers, so that links point to the right: users left of what they use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

_TIGHTENING_ROUNDS = 8

# Links by source and target; the weight says how much a link ought to keep its direction.
Weights = Mapping[tuple[int, int], int]


def assign_layers(count: int, weights: Weights) -> list[int]:
    """The layer of each box, from 0; no link stays inside a layer, and links that close a cycle point left."""
    forward = _break_cycles(count, weights)
    before, after = _find_ends(count, forward)
    layers = _find_longest_paths(count, before, after)
    for _ in range(_TIGHTENING_ROUNDS):
        for box in sorted(range(count), key=lambda box: (-layers[box], box)):
            layers[box] = _shorten_links(box, layers, before, after)
    used = {layer: at for at, layer in enumerate(sorted(set(layers)))}
    return [used[layer] for layer in layers]


def _break_cycles(count: int, weights: Weights) -> list[tuple[int, int]]:
    """The links with those reversed that point backwards in an order with few such links (Eades, Lin and Smyth)."""
    out: dict[int, dict[int, int]] = defaultdict(dict)
    into: dict[int, dict[int, int]] = defaultdict(dict)
    for (source, target), weight in weights.items():
        out[source][target] = weight
        into[target][source] = weight
    left: list[int] = []
    right: list[int] = []
    waiting = set(range(count))
    while waiting:
        box = _choose_next(waiting, out, into)
        (left if out[box] or not into[box] else right).append(box)
        waiting.remove(box)
        for other in out.pop(box):
            del into[other][box]
        for other in into.pop(box):
            del out[other][box]
    rank = {box: at for at, box in enumerate([*left, *reversed(right)])}
    return sorted({(a, b) if rank[a] < rank[b] else (b, a) for a, b in weights})


def _choose_next(waiting: set[int], out: Mapping[int, dict[int, int]], into: Mapping[int, dict[int, int]]) -> int:
    """A sink, else a source, else the box whose outgoing weight exceeds its incoming weight most."""

    def rank(box: int) -> tuple[bool, bool, int, int]:
        excess = sum(out[box].values()) - sum(into[box].values())
        return (bool(out[box]), bool(into[box]), -excess, box)

    return min(waiting, key=rank)


def _find_ends(count: int, links: Sequence[tuple[int, int]]) -> tuple[list[list[int]], list[list[int]]]:
    before: list[list[int]] = [[] for _ in range(count)]
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in links:
        before[target].append(source)
        after[source].append(target)
    return before, after


def _find_longest_paths(count: int, before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> list[int]:
    layers = [0] * count
    missing = [len(sources) for sources in before]
    ready = [box for box in range(count) if not missing[box]]
    for box in ready:
        for target in after[box]:
            layers[target] = max(layers[target], layers[box] + 1)
            missing[target] -= 1
            if not missing[target]:
                ready.append(target)
    return layers


def _shorten_links(
    box: int, layers: Sequence[int], before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]
) -> int:
    """The layer at the median of the neighbours, between the last source and the first target."""
    wanted = sorted([*(layers[other] + 1 for other in before[box]), *(layers[other] - 1 for other in after[box])])
    if not wanted:
        return layers[box]
    least = max((layers[other] + 1 for other in before[box]), default=wanted[0])
    most = min((layers[other] - 1 for other in after[box]), default=wanted[-1])
    return max(least, min(most, wanted[len(wanted) // 2]))
