"""Detect that a model repeats itself, so that the rest of its reply need not be awaited."""

from __future__ import annotations

from bottega.models.request import Finish


def parse_finish(reason: str | None) -> Finish:
    """The finish reason of a server or of the detector below, as ours; an unknown one is "stop"."""
    if reason == "loop":
        return "loop"
    return "length" if reason == "length" else "stop"


_TAIL = 1500
_LONGEST_PERIOD = 150


class LoopDetector:
    """Looks for one text of at most 150 characters that is repeated for 1,500 characters.

    A small model that loops does so until its token limit, which takes minutes on a local machine.
    """

    def __init__(self) -> None:
        self._tail = ""
        self._unchecked = 0

    def is_looping(self, delta: str) -> bool:
        self._tail = (self._tail + delta)[-(_TAIL + _LONGEST_PERIOD) :]
        self._unchecked += len(delta)
        if self._unchecked < _LONGEST_PERIOD or len(self._tail) < _TAIL + _LONGEST_PERIOD:
            return False
        self._unchecked = 0
        end = self._tail[-_TAIL:]
        return any(end == self._tail[-_TAIL - period : -period] for period in range(1, _LONGEST_PERIOD + 1))
