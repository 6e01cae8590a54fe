"""A pool of worker processes: one loop feeds them tasks, reads their answers, and detects exits and hangs.

A worker is a module of ours started with `python -m`; its `main` calls `serving.serve`. Tasks and answers
are bytes.
"""

from __future__ import annotations

import selectors
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from bottega.cancellation import current_cancellation
from bottega.source.worker_process import WorkerAnswer, WorkerLost, WorkerProcess, WorkerSpec

__all__ = ["MOST_WORKERS", "WorkerAnswer", "WorkerLost", "WorkerPool", "WorkerSpec"]

T = TypeVar("T")

MOST_WORKERS = 8
_TURN_S = 0.2


class WorkerPool(Generic[T]):
    """Answers tasks in any order. A context manager: every process is killed at its end."""

    def __init__(
        self, spec: WorkerSpec, encode: Callable[[T], bytes], *, workers: int, ahead: int, patience_s: float = 0.0
    ) -> None:
        """Each worker holds up to `ahead` tasks, so that none waits for the next; `patience_s=0` waits for ever."""
        self._spec = spec
        self._encode = encode
        self._ahead = ahead
        self._patience_s = patience_s
        self._waiting: deque[T] = deque()
        self._workers: list[WorkerProcess[T]] = []
        try:
            for _ in range(workers):
                self.add_worker()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> WorkerPool[T]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def workers(self) -> int:
        return len(self._workers)

    @property
    def unanswered(self) -> int:
        return len(self._waiting) + sum(len(worker.pending) for worker in self._workers)

    def add_worker(self) -> None:
        """Start a process; raise `OSError` where the system refuses."""
        self._workers.append(WorkerProcess(self._spec, self._patience_s))

    def submit(self, *tasks: T, first: bool = False) -> None:
        """Queue tasks after the others, or before all that no worker has yet."""
        if first:
            self._waiting.extendleft(reversed(tasks))
        else:
            self._waiting.extend(tasks)
        self._feed()

    def take_waiting(self) -> list[T]:
        """Take back the tasks that no worker has."""
        waiting = list(self._waiting)
        self._waiting.clear()
        return waiting

    def turn(self, *, wait: bool = True) -> list[WorkerAnswer[T] | WorkerLost[T]]:
        """Answers and lost workers since the last turn; with `wait`, wait up to 0.2 seconds for one.

        Raise `Cancelled` when the run is cancelled. A lost worker is removed from the pool.
        """
        current_cancellation().check()
        self._feed()
        events: list[WorkerAnswer[T] | WorkerLost[T]] = []
        for worker in self._wait_ready(_TURN_S if wait else 0.0):
            events += worker.receive()
            if worker.is_lost or worker.is_late:
                self._workers.remove(worker)
                events.append(worker.collect_loss())
        self._feed()
        return events

    def close(self) -> None:
        for worker in self._workers:
            worker.kill()
        self._workers.clear()

    def _feed(self) -> None:
        while self._waiting and self._workers:
            worker = min(self._workers, key=lambda worker: len(worker.pending))
            if len(worker.pending) >= self._ahead:
                break
            task = self._waiting.popleft()
            worker.enqueue(task, self._encode(task))
        for worker in self._workers:
            worker.send()

    def _wait_ready(self, seconds: float) -> list[WorkerProcess[T]]:
        """Workers with output to read; when there is none, those whose answer is overdue."""
        busy = [worker for worker in self._workers if worker.pending]
        with selectors.DefaultSelector() as selector:
            for worker in busy:
                selector.register(worker.output, selectors.EVENT_READ, worker)
                if worker.has_unsent:
                    selector.register(worker.input, selectors.EVENT_WRITE, None)
            found = {key.data: None for key, _ in selector.select(seconds) if key.data is not None} if busy else {}
        return list(found) or [worker for worker in busy if worker.is_late]
