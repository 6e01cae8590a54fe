"""Near-duplicates by MinHash: functions that share most of their neighbouring words share a band of hashes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

BANDS, ROWS = 16, 4
HASHES = BANDS * ROWS
# Shorter ones ("return self.name") are alike everywhere and prove nothing.
LEAST_SHINGLES = 12
_SEED = 20261116
_random = np.random.default_rng(_SEED)
_FACTORS = _random.integers(1, 2**63, HASHES, dtype=np.uint64) | np.uint64(1)
_SHIFTS = _random.integers(0, 2**63, HASHES, dtype=np.uint64)
# A sketch is kept of the functions whose first hash is below this: near-duplicates are kept together.
_SKETCHED = np.uint32(2**32 // 6000)


def signature(words: Sequence[str]) -> NDArray[np.uint32] | None:
    """The smallest hash of the pairs of words under each of 64 orders; `None` for what is too short."""
    shingles = {f"{one} {two}" for one, two in pairwise(words)}
    if len(shingles) < LEAST_SHINGLES:
        return None
    joined = b"".join(blake2b(pair.encode("utf-8", "replace"), digest_size=8).digest() for pair in shingles)
    numbers = np.frombuffer(joined, np.uint64)
    mixed = (numbers[None] * _FACTORS[:, None] + _SHIFTS[:, None]) >> np.uint64(32)
    smallest: NDArray[np.uint32] = mixed.min(axis=1).astype(np.uint32)
    return smallest


def bands(signatures: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """One number for each band of each signature; equal ones make two functions candidates."""
    parts = signatures.reshape(-1, BANDS, ROWS).astype(np.uint64)
    mixed = np.zeros(parts.shape[:2], np.uint64)
    for row in range(ROWS):
        mixed = (mixed ^ parts[..., row]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return mixed + np.arange(BANDS, dtype=np.uint64)[None]


def likeness(one: NDArray[np.uint32], others: NDArray[np.uint32]) -> NDArray[np.float64]:
    """The estimated share of pairs of words in common."""
    found: NDArray[np.float64] = (others == one).mean(axis=1)
    return found


class Known:
    """Functions that nothing may be near to."""

    def __init__(self, numbers: NDArray[np.uint64]) -> None:
        self._bands = numbers

    @classmethod
    def of(cls, signatures: Iterable[NDArray[np.uint32]]) -> Known:
        kept = list(signatures)
        return cls(np.unique(bands(np.stack(kept))) if kept else np.zeros(0, np.uint64))

    def near(self, signatures: NDArray[np.uint32]) -> NDArray[np.bool_]:
        """Which of the functions share a band with one of these."""
        asked = bands(signatures)
        if not len(self._bands) or not len(asked):
            return np.zeros(len(asked), bool)
        places = np.minimum(np.searchsorted(self._bands, asked), len(self._bands) - 1)
        found: NDArray[np.bool_] = (self._bands[places] == asked).any(axis=1)
        return found


def is_sketched(signatures: NDArray[np.uint32]) -> NDArray[np.bool_]:
    found: NDArray[np.bool_] = signatures[:, 0] < _SKETCHED
    return found
