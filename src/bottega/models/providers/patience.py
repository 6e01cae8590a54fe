"""When to stop listening to a model: it says the same thing over and over."""

from __future__ import annotations

from bottega.models.request import Finish


def finished(reason: str | None) -> Finish:
    """Why a reply ended, as servers and the watch below say it."""
    if reason == "loop":
        return "loop"
    return "length" if reason == "length" else "stop"


_TAIL = 1500
_LONGEST_PERIOD = 150


class LoopWatch:
    """Notices that a reply repeats one piece of at most 150 characters for 1,500 characters.

    A small model that has lost its way goes on until its token limit; on a local machine those are minutes.
    """

    def __init__(self) -> None:
        self._tail = ""
        self._fresh = 0

    def is_looping(self, piece: str) -> bool:
        self._tail = (self._tail + piece)[-(_TAIL + _LONGEST_PERIOD) :]
        self._fresh += len(piece)
        if self._fresh < _LONGEST_PERIOD or len(self._tail) < _TAIL + _LONGEST_PERIOD:
            return False
        self._fresh = 0
        end = self._tail[-_TAIL:]
        return any(end == self._tail[-_TAIL - period : -period] for period in range(1, _LONGEST_PERIOD + 1))
