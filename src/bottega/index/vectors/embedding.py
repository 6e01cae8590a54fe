"""Embed the chunks of files: here, or in worker processes with one thread each."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bottega.errors import StorageError
from bottega.index.vectors.embedder import Embedder, open_embedder
from bottega.index.worker import content_hash
from bottega.source.pool import MOST_WORKERS, WorkerAnswer, WorkerPool, WorkerSpec
from bottega.source.processes import end_with_parent
from bottega.source.serving import serve
from bottega.source.text import decode, read_source

Rows = NDArray[np.float32]

_BATCH_CHUNKS = 96
_AHEAD = 2
_ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_NICENESS = 10
_GONE = -1


@dataclass(frozen=True, slots=True)
class FileChunks:
    """Chunks of a file as it was when it was indexed: the key and the span of each."""

    path: str
    hash: str
    keys: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]


def embed_files(root: Path, files: Sequence[FileChunks], embedder: Embedder) -> list[Rows | None]:
    """Vectors of every file; `None` for a file that has changed or is gone."""
    texts = [_read_texts(root, file) for file in files]
    paired = [(file.path, text) for file, chunks in zip(files, texts, strict=True) for text in chunks or ()]
    return _split(embedder.embed(paired), [_GONE if chunks is None else len(chunks) for chunks in texts])


def embed_in_workers(
    root: Path, files: Sequence[FileChunks], workers: int = 0
) -> Iterator[list[tuple[FileChunks, Rows | None]]]:
    """Embed on all cores, a batch of files at a time; results come in any order."""
    batches = _split_batches(files)
    count = min(workers or os.cpu_count() or 1, MOST_WORKERS, max(1, len(batches)))
    spec = WorkerSpec("bottega.index.vectors.embedding", (str(root),), environ=_ONE_THREAD)
    with WorkerPool(spec, _encode, workers=count, ahead=_AHEAD) as pool:
        pool.submit(*batches)
        while pool.unanswered:
            for event in pool.turn():
                if not isinstance(event, WorkerAnswer):
                    raise StorageError(
                        "a process that embeds ended", hint="Check the free memory; what is done is kept, run it again."
                    )
                yield list(zip(event.task, _decode(event.answer), strict=True))


def _split_batches(files: Sequence[FileChunks]) -> list[list[FileChunks]]:
    batches: list[list[FileChunks]] = [[]]
    held = 0
    for file in files:
        if held >= _BATCH_CHUNKS:
            batches.append([])
            held = 0
        batches[-1].append(file)
        held += len(file.spans)
    return [batch for batch in batches if batch]


def _read_texts(root: Path, file: FileChunks) -> list[str] | None:
    try:
        data = read_source(root / file.path, below=root)
    except OSError:
        return None
    text = decode(data)
    if text is None or content_hash(data) != file.hash:
        return None
    lines = text.split("\n")
    return ["\n".join(lines[first - 1 : last]) for first, last in file.spans]


def _split(rows: Rows, counts: Sequence[int]) -> list[Rows | None]:
    found: list[Rows | None] = []
    at = 0
    for count in counts:
        found.append(None if count == _GONE else rows[at : at + count])
        at += max(count, 0)
    return found


def _encode(batch: Sequence[FileChunks]) -> bytes:
    return json.dumps([[file.path, file.hash, file.spans] for file in batch]).encode()


def _decode(answer: bytes) -> list[Rows | None]:
    line, _, data = answer.partition(b"\n")
    width, counts = json.loads(line)
    return _split(np.frombuffer(data, np.float32).reshape(-1, width), counts)


def main() -> None:
    end_with_parent()
    with contextlib.suppress(OSError):
        os.nice(_NICENESS)
    root, embedder = Path(sys.argv[1]), open_embedder()

    def answer(message: bytes) -> bytes:
        files = [FileChunks(path, hash_, (), tuple(map(tuple, spans))) for path, hash_, spans in json.loads(message)]
        found = embed_files(root, files, embedder)
        counts = [_GONE if rows is None else len(rows) for rows in found]
        data = b"".join(rows.tobytes() for rows in found if rows is not None)
        return json.dumps([embedder.dimensions, counts]).encode() + b"\n" + data

    serve(answer)


if __name__ == "__main__":
    main()
