"""Whether a download that another process makes goes on, and ends."""

from __future__ import annotations

import time

from bottega.models.weights.job import SourceFailed


class DownloadWatch:
    """Raises `SourceFailed` when more than `most` bytes arrive, or none for `stall_seconds`."""

    def __init__(self, most: int, stall_seconds: float) -> None:
        self._most = most
        self._stall_seconds = stall_seconds
        self._arrived = -1
        self._end = 0.0

    def check(self, arrived: int) -> None:
        if arrived > self._most:
            raise SourceFailed(f"it sent more than {self._most:,} bytes")
        if arrived > self._arrived:
            self._arrived = arrived
            self._end = time.monotonic() + self._stall_seconds
        elif time.monotonic() > self._end:
            raise SourceFailed(f"nothing arrived for {self._stall_seconds:g} s")
