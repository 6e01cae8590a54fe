"""Readers: this process for a few files, processes of our own for many."""

from __future__ import annotations

import marshal
import os
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from bottega.index.processes import command, end
from bottega.investigate.scan.worker import Task, read_batch

Result = tuple[bytes, dict[str, list[int]], list[tuple[Any, ...]]]
_FEW = 1500
_BATCH_FILES, _BATCH_BYTES = 2000, 16_000_000
_AHEAD = 2
_MOST_PROCESSES = 8


class Crew:
    """Takes files, hands back what was read in the order they came. Used as a context, so that no process stays."""

    def __init__(self, processes: int = 0) -> None:
        self._count = processes or min(_MOST_PROCESSES, os.cpu_count() or 1)
        self._tasks: list[Task] = []
        self._size = 0
        self._total = 0
        self._waiting: list[Future[Result]] = []
        self._pool: ThreadPoolExecutor | None = None
        self._mine = threading.local()
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Crew:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes:
            end(process)
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def add(self, task: Task) -> Iterator[Result]:
        """Take a file; whatever batches are ready come back, the oldest first."""
        self._tasks.append(task)
        self._size += task.size
        self._total += 1
        if len(self._tasks) >= _BATCH_FILES or self._size >= _BATCH_BYTES:
            yield from self._send()

    def rest(self) -> Iterator[Result]:
        """What is still under way."""
        if self._tasks:
            yield from self._send()
        while self._waiting:
            yield self._waiting.pop(0).result()

    def _send(self) -> Iterator[Result]:
        batch = [tuple(task) for task in self._tasks]
        self._tasks, self._size = [], 0
        if self._total < _FEW and self._pool is None:
            yield read_batch(batch)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self._count)
        self._waiting.append(self._pool.submit(self._asked, batch))
        while len(self._waiting) > _AHEAD * self._count or (self._waiting and self._waiting[0].done()):
            yield self._waiting.pop(0).result()

    def _asked(self, batch: list[tuple[Any, ...]]) -> Result:
        """Each thread has a process. One that dies is not replaced: its thread reads by itself from then on."""
        if not hasattr(self._mine, "process"):
            self._mine.process = self._started()
        process = self._mine.process
        if process is not None:
            try:
                marshal.dump(batch, process.stdin)
                process.stdin.flush()
                return tuple(marshal.load(process.stdout))  # noqa: S302 - our own process wrote it
            except (OSError, EOFError, ValueError, TypeError):
                self._mine.process = None
        return read_batch(batch)

    def _started(self) -> subprocess.Popen[bytes] | None:
        try:
            process = subprocess.Popen(
                command("bottega.investigate.scan.worker"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return None
        self._processes.append(process)
        return process
