"""A whole reply has a deadline of its own: clients only time single reads, and a trickle never ends those."""

from __future__ import annotations

import time

from bottega.errors import ModelTimeout


class Deadline:
    def __init__(self, model: str, seconds: float) -> None:
        self._model = model
        self._seconds = seconds
        self._end = time.monotonic() + seconds

    def check(self) -> None:
        if time.monotonic() > self._end:
            raise ModelTimeout(self._model, self._seconds)
