"""Detects that a download by another process stalls, or exceeds its size."""

from __future__ import annotations

import time

from bottega.models.weights.job import SourceFailed


class DownloadWatch:
    """Raises `SourceFailed` when more than `max_bytes` arrive, or none for `stall_seconds`."""

    def __init__(self, max_bytes: int, stall_seconds: float) -> None:
        self._max_bytes = max_bytes
        self._stall_seconds = stall_seconds
        self._arrived = -1
        self._deadline = 0.0

    def check(self, arrived: int) -> None:
        if arrived > self._max_bytes:
            raise SourceFailed(f"it sent more than {self._max_bytes:,} bytes")
        if arrived > self._arrived:
            self._arrived = arrived
            self._deadline = time.monotonic() + self._stall_seconds
        elif time.monotonic() > self._deadline:
            raise SourceFailed(f"nothing arrived for {self._stall_seconds:g} s")
