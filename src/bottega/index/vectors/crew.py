"""Embedding files side by side: processes with one thread each, which lose nothing of what is done when one ends."""

from __future__ import annotations

import contextlib
import json
import os
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

import numpy as np
from numpy.typing import NDArray

from bottega.errors import StorageError
from bottega.index.decode import decode
from bottega.index.processes import command, end, end_with_the_parent
from bottega.index.vectors.embedder import Embedder, open_embedder
from bottega.index.worker import content_hash, read

Rows = NDArray[np.float32]

_LENGTH = struct.Struct("<I")
_TOGETHER = 96
_MOST_WORKERS = 8
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_POLITE = 10


@dataclass(frozen=True, slots=True)
class Pieces:
    """A file in the pieces that want vectors, as it was when it was indexed."""

    key: bytes
    path: str
    hash: str
    spans: tuple[tuple[int, int], ...]


def embedded(root: Path, files: Sequence[Pieces], embedder: Embedder) -> list[Rows | None]:
    """Vectors of every file; `None` for one that is not there any more as it was."""
    texts = [_texts(root, file) for file in files]
    paired = [(file.path, text) for file, pieces in zip(files, texts, strict=True) for text in pieces or ()]
    rows = embedder.embed(paired)
    found: list[Rows | None] = []
    at = 0
    for pieces in texts:
        found.append(None if pieces is None else rows[at : at + len(pieces)])
        at += len(pieces or ())
    return found


def embedded_by_all(
    root: Path, files: Sequence[Pieces], workers: int = 0
) -> Iterator[list[tuple[Pieces, Rows | None]]]:
    """The same on all cores, some files at a time."""
    batches = _batches(files)
    count = min(workers or os.cpu_count() or 1, _MOST_WORKERS, max(1, len(batches)))
    crew: SimpleQueue[_Worker] = SimpleQueue()
    started = [_Worker(root) for _ in range(count)]
    for worker in started:
        crew.put(worker)

    def done(batch: Sequence[Pieces]) -> list[tuple[Pieces, Rows | None]]:
        worker = crew.get()
        try:
            return list(zip(batch, worker.embed(batch), strict=True))
        finally:
            crew.put(worker)

    with ThreadPoolExecutor(count) as pool:
        try:
            yield from pool.map(done, batches)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in started:
                worker.stop()


def _batches(files: Sequence[Pieces]) -> list[list[Pieces]]:
    batches: list[list[Pieces]] = [[]]
    held = 0
    for file in files:
        if held >= _TOGETHER:
            batches.append([])
            held = 0
        batches[-1].append(file)
        held += len(file.spans)
    return [batch for batch in batches if batch]


def _texts(root: Path, file: Pieces) -> list[str] | None:
    try:
        data = read(root / file.path, below=root)
    except OSError:
        return None
    text = decode(data)
    if text is None or content_hash(data) != file.hash:
        return None
    lines = text.split("\n")
    return ["\n".join(lines[first - 1 : last]) for first, last in file.spans]


class _Worker:
    def __init__(self, root: Path) -> None:
        self._process = subprocess.Popen(
            command("bottega.index.vectors.crew", str(root)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **_ONE_THREAD},
        )

    def embed(self, batch: Sequence[Pieces]) -> list[Rows | None]:
        assert self._process.stdin is not None
        order = [[file.path, file.hash, file.spans] for file in batch]
        try:
            self._process.stdin.write(json.dumps(order).encode() + b"\n")
            self._process.stdin.flush()
            return [self._answer() for _ in batch]
        except (BrokenPipeError, EOFError):
            raise StorageError(
                "a process that embeds ended", hint="Check the free memory; what is done is kept, run it again."
            ) from None

    def _answer(self) -> Rows | None:
        (size,) = _LENGTH.unpack(self._whole(_LENGTH.size))
        (width,) = _LENGTH.unpack(self._whole(_LENGTH.size))
        return np.frombuffer(self._whole(size), np.float32).reshape(-1, width) if width else None

    def _whole(self, size: int) -> bytes:
        assert self._process.stdout is not None
        data = self._process.stdout.read(size)
        if len(data) < size:
            raise EOFError
        return data

    def stop(self) -> None:
        end(self._process)


def main() -> None:
    end_with_the_parent()
    with contextlib.suppress(OSError):
        os.nice(_POLITE)
    root, embedder = Path(sys.argv[1]), open_embedder()
    for line in sys.stdin.buffer:
        files = [Pieces(b"", path, hash_, tuple(map(tuple, spans))) for path, hash_, spans in json.loads(line)]
        for rows in embedded(root, files, embedder):
            data = b"" if rows is None else rows.tobytes()
            width = 0 if rows is None else embedder.dimensions
            sys.stdout.buffer.write(_LENGTH.pack(len(data)) + _LENGTH.pack(width) + data)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
