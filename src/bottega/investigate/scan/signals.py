"""What a survey sees of a target: the most common endings and types, and sample paths from all over the tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from bottega.investigate.scan.findings import ScannedDirectory, Signals

_MAX_COUNTED = 20
_MAX_SAMPLES = 20


def collect_signals(folders: Sequence[ScannedDirectory], extensions: Counter[str], types: Counter[str]) -> Signals:
    total = sum(len(folder.names) for folder in folders)
    return Signals(
        total, _count_most_common(extensions), _count_most_common(types), _choose_sample_paths(folders, total)
    )


def _count_most_common(counts: Counter[str]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MAX_COUNTED])


def _choose_sample_paths(folders: Sequence[ScannedDirectory], total: int) -> tuple[str, ...]:
    """Evenly spaced paths in the order of the walk; all of them when there are few."""
    step = max(1, total // _MAX_SAMPLES) if total > _MAX_SAMPLES else 1
    samples: list[str] = []
    seen = 0
    for folder in folders:
        first = -seen % step
        samples += [folder.path + name for name in folder.names[first::step]]
        seen += len(folder.names)
        if len(samples) >= _MAX_SAMPLES:
            break
    return tuple(samples[:_MAX_SAMPLES])
