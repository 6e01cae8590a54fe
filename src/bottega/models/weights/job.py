"""One source's attempt at one file: what every source is handed, and how it says that it failed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bottega.models.weights.catalogue import Weights

STALL_SECONDS = 60.0
Phase = Literal["download", "join", "verify"]


class SourceFailed(Exception):
    """The source does not bring the file; the message says why, and the next one is tried."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one phase of a pull has come."""

    phase: Phase
    done_bytes: int
    total_bytes: int
    source: str


@dataclass(frozen=True, slots=True)
class Job:
    """What is wanted, where it goes, and who is told."""

    weights: Weights
    into: Path
    source: str
    progress: Callable[[Progress], None]
    stall_seconds: float = STALL_SECONDS
    """A source that brings next to nothing for this long is given up."""

    def tell(self, phase: Phase, done: int) -> None:
        total = self.weights.size
        self.progress(Progress(phase, min(done, total), total, self.source))
