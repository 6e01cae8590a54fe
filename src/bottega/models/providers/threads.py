"""Choose the number of threads of an embedded model: all cores of an idle machine, one of a busy machine.

With other work on the cores, generation on all of them collapses (75 to 3-11 tokens/s were measured for a 135M model
on two cores) while a single thread keeps its speed.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from bottega.models.request import Reply

_SMT_FROM_CORES = 5
_COLLAPSED_BELOW = 0.35
_SMALLEST_SAMPLE = 24


def count_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def threads_by_load() -> int:
    cores = count_cores()
    busy = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    physical = cores if cores < _SMT_FROM_CORES else cores // 2
    return max(1, min(physical, int(cores - busy + 0.5)))


@dataclass(slots=True)
class SpeedWatch:
    """Detects that generation has become far slower than before, because other processes use the cores."""

    best: float = 0.0

    def has_collapsed(self, reply: Reply, threads: int) -> bool:
        tokens = reply.usage.completion_tokens or 0
        if threads == 1 or tokens < _SMALLEST_SAMPLE or not reply.latency_ms:
            return False
        speed = tokens / (reply.latency_ms / 1000)
        self.best = max(self.best, speed)
        return speed < self.best * _COLLAPSED_BELOW
