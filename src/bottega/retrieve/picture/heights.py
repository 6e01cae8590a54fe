"""Place what stands in a layer from top to bottom: near its neighbours, in the given order, never overlapping."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from bottega.retrieve.picture.tracks import Tracks

_ROUNDS = 16
_MOST_FREE = 40.0
# How strongly a segment pulls: segments between two bends most, so that long links run straight.
_PULL_OF_BOXES, _PULL_OF_BEND, _PULL_OF_BENDS = 1.0, 3.0, 10.0


def place_centres(tracks: Tracks, heights: Sequence[float], gaps: Sequence[float]) -> list[float]:
    """The vertical centre of each place; `heights` and `gaps` (free space below) are by place."""
    pulls: Mapping[int, list[tuple[int, float]]] = defaultdict(list)
    for a, b in tracks.list_segments():
        weight = (_PULL_OF_BOXES, _PULL_OF_BEND, _PULL_OF_BENDS)[(a >= tracks.boxes) + (b >= tracks.boxes)]
        pulls[a].append((b, weight))
        pulls[b].append((a, weight))
    centres = [0.0] * len(heights)
    for column in tracks.layers:
        _stack(column, dict.fromkeys(column, (0.0, 1.0)), heights, gaps, centres)
    layer_of = {place: at for at, column in enumerate(tracks.layers) for place in column}
    for turn in range(_ROUNDS):
        side = 0 if turn >= _ROUNDS - 2 else (-1 if turn % 2 == 0 else 1)
        for column in tracks.layers if side <= 0 else tracks.layers[::-1]:
            wanted = {place: _find_wanted(place, side, pulls, centres, layer_of) for place in column}
            _stack(column, wanted, heights, gaps, centres)
    return _close_gaps(centres, heights)


def _close_gaps(centres: Sequence[float], heights: Sequence[float]) -> list[float]:
    """Move up what lies below a band that nothing reaches into, so that no band is higher than `_MOST_FREE`."""
    order = sorted(range(len(centres)), key=lambda place: centres[place] - heights[place] / 2)
    moved = list(centres)
    bottom, shift = float("-inf"), 0.0
    for place in order:
        top = centres[place] - heights[place] / 2
        if bottom != float("-inf") and top - bottom > _MOST_FREE:
            shift += top - bottom - _MOST_FREE
        bottom = max(bottom, centres[place] + heights[place] / 2)
        moved[place] -= shift
    return moved


def _find_wanted(
    place: int,
    side: int,
    pulls: Mapping[int, Sequence[tuple[int, float]]],
    centres: Sequence[float],
    layer_of: Mapping[int, int],
) -> tuple[float, float]:
    """The mean height of the neighbours on one side (-1 left, 1 right, 0 both), and the weight of that wish."""
    ends = [
        (centres[other], weight) for other, weight in pulls[place] if side in (0, layer_of[other] - layer_of[place])
    ]
    total = sum(weight for _, weight in ends)
    return (sum(height * weight for height, weight in ends) / total, total) if ends else (centres[place], 0.01)


def _stack(
    column: Sequence[int],
    wanted: Mapping[int, tuple[float, float]],
    heights: Sequence[float],
    gaps: Sequence[float],
    centres: list[float],
) -> None:
    """Centres closest to those wanted (least squares) that keep order and distance.

    Without its distances the problem is isotonic regression: neighbours in the wrong order are pooled at their mean.
    """
    offsets: list[float] = []
    pools: list[tuple[float, float, int]] = []
    for at, place in enumerate(column):
        above = column[at - 1] if at else place
        step = (heights[above] + heights[place]) / 2 + gaps[above] if at else 0.0
        offsets.append((offsets[-1] if at else 0.0) + step)
        mean, weight = wanted[place]
        pools.append((mean - offsets[-1], weight, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (mean_above, weight_above, size_above), (mean_below, weight_below, size_below) = pools[-2:]
            total = weight_above + weight_below
            pooled = (mean_above * weight_above + mean_below * weight_below) / total
            pools[-2:] = [(pooled, total, size_above + size_below)]
    shifts = [mean for mean, _, size in pools for _ in range(size)]
    for place, offset, shift in zip(column, offsets, shifts, strict=True):
        centres[place] = offset + shift
