"""Progress and result of a refresh."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bottega.cancellation import current_cancellation

Progress = Callable[[str, int, int], None]
"""Called with a stage, how many files of it are done, and how many there are."""


def no_progress(_stage: str, _done: int, _total: int) -> None:
    """Report nothing."""


class ProgressCounter:
    """Reports one more file of a stage with every call; raises `Cancelled` once the run is cancelled."""

    def __init__(self, progress: Progress, stage: str, total: int) -> None:
        self._progress = progress
        self._stage = stage
        self._total = total
        self._done = 0

    def __call__(self) -> None:
        current_cancellation().check()
        self._done += 1
        self._progress(self._stage, self._done, self._total)


@dataclass(frozen=True, slots=True)
class RefreshResult:
    """The counts, timings and warnings of a refresh."""

    files: int
    added: int
    changed: int
    removed: int
    read: int
    seconds: float
    is_rebuilt: bool
    remarks: tuple[tuple[str, str], ...]
    kept_as_text: tuple[tuple[str, str], ...] = ()
    """Files that exceed the limits for one file, with the reason: their words are indexed, their symbols are not."""
    newly_kept_as_text: tuple[str, ...] = ()
    """Those of them that the state before this refresh did not have."""

    @property
    def is_unchanged(self) -> bool:
        return not (self.added or self.changed or self.removed or self.is_rebuilt)
