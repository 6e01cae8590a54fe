"""`NAME.gguf.part`: the file while it grows, hashed as it is written."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from bottega.models.weights.cache import partial_file
from bottega.models.weights.job import Job, Phase, SourceFailed

CHUNK = 1 << 20


class Partial:
    """The growing file. Leaving the `with` block keeps what was written, for the next pull to go on from."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._path = partial_file(job.weights, job.into)
        self._file = self._path.open("a+b")
        self._digest = hashlib.sha256()
        self.done = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()
        if self._path.exists() and not self._path.stat().st_size:
            self._path.unlink()

    def take_up(self) -> None:
        """Go on from what an earlier pull left here."""
        if self._path.stat().st_size > self._job.weights.size:
            self.restart()
        self._file.seek(0)
        while chunk := self._file.read(CHUNK):
            self._count(chunk, "verify")

    def restart(self) -> None:
        self._file.truncate(0)
        self._digest = hashlib.sha256()
        self.done = 0

    def write(self, chunk: bytes, phase: Phase) -> None:
        """Append; more bytes than the weights have are refused before they reach the disk."""
        if self.done + len(chunk) > self._job.weights.size:
            self.discard()
            raise SourceFailed(f"it sent more than the {self._job.weights.size:,} bytes of the file")
        self._file.write(chunk)
        self._count(chunk, phase)

    def finish(self) -> Path:
        """Give the file its name if it is what it must be; otherwise delete it."""
        self._job.tell("verify", self.done)
        expected, got = self._job.weights.sha256, self._digest.hexdigest()
        if got != expected:
            self.discard()
            raise SourceFailed(f"wrong content: its sha256 is {got} and must be {expected}")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        return self._path.replace(self._job.into / self._job.weights.file)

    def discard(self) -> None:
        self.restart()
        self._file.close()
        self._path.unlink()

    def _count(self, chunk: bytes, phase: Phase) -> None:
        self._digest.update(chunk)
        self.done += len(chunk)
        self._job.tell(phase, self.done)
