"""One attempt to get a file from one source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bottega.cancellation import current_cancellation
from bottega.models.weights.catalogue import Weights

STALL_SECONDS = 60.0
Phase = Literal["download", "join", "verify"]


class SourceFailed(Exception):
    """The source did not deliver the file; the message says why, and the next source is tried."""


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of one phase of a pull."""

    phase: Phase
    done_bytes: int
    total_bytes: int
    source: str


@dataclass(frozen=True, slots=True)
class Job:
    """The weights to get, the directory they go to, and who is told of the progress."""

    weights: Weights
    into: Path
    source: str
    progress: Callable[[Progress], None]
    stall_seconds: float = STALL_SECONDS
    """A source that delivers next to nothing for this long is given up."""

    def report(self, phase: Phase, done: int) -> None:
        """Tell how far a phase is; raise `Cancelled` when the pull is to stop."""
        current_cancellation().check()
        total = self.weights.size
        self.progress(Progress(phase, min(done, total), total, self.source))
