"""How much memory a model takes, and whether this machine has it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bottega.models.recommend.machine import Machine
from bottega.models.recommend.table import KnownModel
from bottega.settings import DEFAULT_CONTEXT_WINDOW

Fit = Literal["fits", "tight", "does not fit", "unknown"]
Place = Literal["GPU", "GPU and processor", "processor", ""]

GIGABYTE = 1_000_000_000
# Where the source does not tell: buffers of the server beside weights and cache, and all of it where the size of the
# cache is not known either.
_BUFFERS, _UNKNOWN_CACHE = GIGABYTE // 2, 1.2
# What a GPU's driver and screen keep for themselves, and what the rest of a machine needs beside the model.
_USABLE_GPU = 0.92
_COMFORTABLE_REST, _SMALLEST_REST = 4 * GIGABYTE, GIGABYTE
# A processor reads all active weights for every token, at some tens of GB a second.
_SLOW_FROM_GB = 5.0


@dataclass(frozen=True, slots=True)
class FitVerdict:
    """Whether a model fits, where it would run, and whether it would be slow there; sizes are in bytes."""

    fit: Fit
    place: Place
    memory_bytes: int
    is_slow: bool


def judge_fit(row: KnownModel, machine: Machine) -> FitVerdict:
    needed = compute_memory(row)
    if machine.gpus and needed <= _USABLE_GPU * machine.gpu_bytes:
        return FitVerdict("fits", "GPU", needed, is_slow=False)
    fit = _judge_memory(needed, machine.memory_bytes)
    if fit == "does not fit":
        return FitVerdict(fit, "", needed, is_slow=False)
    place: Place = "GPU" if machine.shares_memory else "GPU and processor" if machine.gpus else "processor"
    return FitVerdict(fit, place, needed, is_slow=not machine.shares_memory and row.read_gb > _SLOW_FROM_GB)


def compute_memory(row: KnownModel, window: int = DEFAULT_CONTEXT_WINDOW) -> int:
    """Bytes that a model takes with a context window: as stated or measured, else weights, cache and buffers."""
    if row.memory_gb is not None:
        return int(row.memory_gb * GIGABYTE)
    if row.cache_bytes_per_token is None:
        return int(row.size_gb * GIGABYTE * _UNKNOWN_CACHE)
    cache = row.cache_bytes_per_token * min(window, row.context_window)
    return int(row.size_gb * GIGABYTE) + cache + _BUFFERS


def _judge_memory(needed: int, memory: int | None) -> Fit:
    """A model fits that leaves a quarter of the memory and 4 GB free, or half of a small machine's."""
    if memory is None:
        return "unknown"
    rest = memory - needed
    if rest >= max(_COMFORTABLE_REST, memory // 4) or (rest >= memory // 2 and rest >= _SMALLEST_REST):
        return "fits"
    return "tight" if rest >= _SMALLEST_REST else "does not fit"
