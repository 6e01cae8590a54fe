"""`NAME.gguf.part`: the file while it is downloaded, hashed as it is written."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import TracebackType
from typing import Self

from bottega.models.weights.cache import partial_file
from bottega.models.weights.job import Job, Phase, SourceFailed

CHUNK = 1 << 20


class PartialFile:
    """An unfinished download. Leaving the `with` block keeps what was written, so that the next pull resumes it."""

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

    def resume(self) -> None:
        """Continue with what an earlier pull wrote."""
        if self._path.stat().st_size > self._job.weights.size:
            self.restart()
        self._file.seek(0)
        while chunk := self._file.read(CHUNK):
            self._record(chunk, "verify")

    def restart(self) -> None:
        self._file.truncate(0)
        self._digest = hashlib.sha256()
        self.done = 0

    def write(self, chunk: bytes, phase: Phase) -> None:
        """Append a chunk. Raise `SourceFailed` before more bytes are written than the weights have."""
        if self.done + len(chunk) > self._job.weights.size:
            self.discard()
            raise SourceFailed(f"it sent more than the {self._job.weights.size:,} bytes of the file")
        self._file.write(chunk)
        self._record(chunk, phase)

    def finish(self) -> Path:
        """Give the file its final name if its hash is right. Otherwise delete it and raise `SourceFailed`."""
        self._job.report("verify", self.done)
        expected, actual = self._job.weights.sha256, self._digest.hexdigest()
        if actual != expected:
            self.discard()
            raise SourceFailed(f"wrong content: its sha256 is {actual} and must be {expected}")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        return self._path.replace(self._job.into / self._job.weights.file)

    def discard(self) -> None:
        self.restart()
        self._file.close()
        self._path.unlink()

    def _record(self, chunk: bytes, phase: Phase) -> None:
        self._digest.update(chunk)
        self.done += len(chunk)
        self._job.report(phase, self.done)
