"""Read files in batches: in this process where there are few, in worker processes where there are many."""

from __future__ import annotations

import marshal
import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from bottega.cancellation import current_cancellation
from bottega.investigate.scan.worker import BatchResult, Task, read_batch
from bottega.source.pool import MOST_WORKERS, WorkerAnswer, WorkerPool, WorkerSpec

Batch = list[tuple[Any, ...]]
_FEW = 1500
_BATCH_FILES, _BATCH_BYTES = 2000, 16_000_000
_AHEAD = 2


@dataclass(slots=True)
class _Pending:
    """A batch on its way, in the order of submission."""

    batch: Batch
    result: BatchResult | None = None


class BatchReader:
    """Takes files, gives back what was read in the order they came. Used as a context, so that no process stays."""

    def __init__(self, workers: int = 0) -> None:
        self._count = workers or min(MOST_WORKERS, os.cpu_count() or 1)
        self._tasks: list[Task] = []
        self._size = 0
        self._total = 0
        self._pending: deque[_Pending] = deque()
        self._pool: WorkerPool[_Pending] | None = None

    def __enter__(self) -> BatchReader:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.close()

    def add(self, task: Task) -> Iterator[BatchResult]:
        """Take a file; whatever batches are ready come back, the oldest first."""
        current_cancellation().check()
        self._tasks.append(task)
        self._size += task.size
        self._total += 1
        if len(self._tasks) >= _BATCH_FILES or self._size >= _BATCH_BYTES:
            yield from self._send()

    def drain(self) -> Iterator[BatchResult]:
        """What is still under way."""
        if self._tasks:
            yield from self._send()
        while self._pending:
            yield from self._collect_ready(wait=True)

    def _send(self) -> Iterator[BatchResult]:
        batch = [tuple(task) for task in self._tasks]
        self._tasks, self._size = [], 0
        if self._total < _FEW and self._pool is None:
            yield read_batch(batch)
            return
        if self._pool is None:
            self._pool = _start_workers(self._count)
        self._pending.append(_Pending(batch))
        self._pool.submit(self._pending[-1])
        while True:
            yield from self._collect_ready(wait=len(self._pending) > _AHEAD * self._count)
            if len(self._pending) <= _AHEAD * self._count:
                return

    def _collect_ready(self, *, wait: bool) -> Iterator[BatchResult]:
        """One turn of the pool. A worker that ends is not replaced: its batches are read here."""
        assert self._pool is not None
        for event in self._pool.turn(wait=wait):
            if isinstance(event, WorkerAnswer):
                event.task.result = BatchResult(*marshal.loads(event.answer))  # noqa: S302 - our own process wrote it
            else:
                for pending in event.tasks:
                    pending.result = read_batch(pending.batch)
        if not self._pool.workers:
            for pending in self._pool.take_waiting():
                pending.result = read_batch(pending.batch)
        while self._pending and (result := self._pending[0].result) is not None:
            self._pending.popleft()
            yield result


def _start_workers(count: int) -> WorkerPool[_Pending]:
    """As many workers as the system lets start, perhaps none."""
    pool: WorkerPool[_Pending] = WorkerPool(
        WorkerSpec("bottega.investigate.scan.worker"),
        lambda pending: marshal.dumps(pending.batch),
        workers=0,
        ahead=_AHEAD,
    )
    try:
        for _ in range(count):
            pool.add_worker()
    except OSError:
        pass
    return pool
