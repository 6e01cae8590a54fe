"""Analyse files in worker processes; a file that crashes or hangs a worker is read as plain text."""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bottega.errors import StorageError
from bottega.index.worker import OVERTIME, split_answer
from bottega.source.pool import MOST_WORKERS, WorkerAnswer, WorkerLost, WorkerPool, WorkerSpec
from bottega.source.secrets import NO_VALUES, EnvValues

# Tasks queued for each worker, so that it never waits for the next one.
_AHEAD = 16
PATIENCE_S = 30.0
_MOST_DEATHS_IN_A_ROW = 5
# A file that kills so many workers, the last of them without its grammar, is not read.
_MOST_TRIES = 4
CRASHED = "ends its process"


@dataclass(frozen=True, slots=True)
class ReadTask:
    """A file to read; `reason` says why its grammar is not used."""

    path: str
    language: str
    role: str
    as_text: bool = False
    tries: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The answer of a worker. `error` says why the file was not read, `reason` why it is kept as text."""

    task: ReadTask
    facts: dict[str, Any]
    data: bytes

    @property
    def error(self) -> str:
        return str(self.facts.get("error", ""))

    @property
    def reason(self) -> str:
        return self.task.reason or str(self.facts.get("reason", ""))


def read_files(
    root: Path,
    tasks: Iterable[ReadTask],
    *,
    workers: int = 0,
    patience_s: float = PATIENCE_S,
    values: EnvValues = NO_VALUES,
) -> Generator[ReadResult, None, None]:
    """Yield one result for each task, in any order, using all cores. No file may take longer than `patience_s`.

    Secrets are masked before a text is analysed, `values` among them.
    """
    waiting = list(tasks)
    count = min(workers or os.cpu_count() or 1, MOST_WORKERS, -(-len(waiting) // _AHEAD))
    greeting = json.dumps({"values": values.anywhere, "words": values.words}).encode()
    spec = WorkerSpec("bottega.index.worker", (str(root),), greeting, cwd=root)
    with WorkerPool(spec, _encode, workers=count, ahead=_AHEAD, patience_s=patience_s) as pool:
        pool.submit(*waiting)
        yield from _collect_results(pool)


def _collect_results(pool: WorkerPool[ReadTask]) -> Iterator[ReadResult]:
    deaths = 0
    while pool.unanswered:
        for event in pool.turn():
            if isinstance(event, WorkerAnswer):
                deaths = 0
                yield ReadResult(event.task, *split_answer(event.answer))
                continue
            deaths += 1
            if deaths > _MOST_DEATHS_IN_A_ROW:
                raise StorageError("the processes that read files keep dying", hint="Check the free memory.")
            pool.add_worker()
            tasks = _list_tasks_to_retry(event)
            if tasks and tasks[0].tries >= _MOST_TRIES:
                yield ReadResult(tasks[0], {"error": tasks[0].reason}, b"")
                del tasks[0]
            pool.submit(*tasks, first=True)


def _list_tasks_to_retry(lost: WorkerLost[ReadTask]) -> list[ReadTask]:
    """Tasks to retry; the one that killed a worker is read as text after a hang or a second crash."""
    if not lost.tasks:
        return []
    first, *others = lost.tasks
    is_overtime = OVERTIME is not None and lost.exit_code == -OVERTIME
    is_certain = lost.is_late or is_overtime
    tries = first.tries + 1
    if is_certain or tries > 1:
        tries = max(tries, _MOST_TRIES if first.as_text and is_certain else 0)
        first = replace(first, as_text=True, reason="takes too long" if is_certain else CRASHED)
    return [replace(first, tries=tries), *others]


def _encode(task: ReadTask) -> bytes:
    return json.dumps(
        {"path": task.path, "language": task.language, "role": task.role, "as_text": task.as_text}
    ).encode()
