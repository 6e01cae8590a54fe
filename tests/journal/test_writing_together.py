"""Several processes and threads write into one journal at once."""

from __future__ import annotations

import json
import multiprocessing
from collections import Counter
from collections.abc import Callable
from multiprocessing.synchronize import Barrier
from pathlib import Path

from bottega.journal import open_journal

from .entries import begin, complete, history, record, send

PROCESSES = 4
SPAWN = multiprocessing.get_context("spawn")


def write_calls(root: str, worker: int, barrier: Barrier) -> None:
    barrier.wait()
    journal = open_journal(Path(root), environ={})
    run_id = begin(journal, pipeline=f"worker-{worker}")
    for nth in range(50):
        complete(journal, send(journal, run_id, nth=nth), text=f"{worker}:{nth}")
    journal.close()


def append_records(root: str, worker: int, barrier: Barrier) -> None:
    barrier.wait()
    lines = history(Path(root), max_entries=50)
    for nth in range(200):
        lines.append(record(original_prompt=f"{worker}:{nth}", final_output="x" * (nth * 37 % 5000)))


def at_once(work: Callable[[str, int, Barrier], None], root: Path, workers: int) -> None:
    barrier = SPAWN.Barrier(workers)
    processes = [SPAWN.Process(target=work, args=(str(root), worker, barrier)) for worker in range(workers)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(60)
    assert [process.exitcode for process in processes] == [0] * workers
    for process in processes:
        process.close()


def test_processes_that_write_at_once_into_a_fresh_journal_lose_and_repeat_nothing(tmp_path: Path) -> None:
    at_once(write_calls, tmp_path, PROCESSES)
    journal = open_journal(tmp_path, environ={})
    runs = journal.runs.newest(99)
    calls = [call for run in runs for call in journal.calls.of_run(run.id)]
    journal.close()
    assert sorted(run.pipeline for run in runs) == [f"worker-{worker}" for worker in range(PROCESSES)]
    assert {call.status for call in calls} == {"completed"}
    written = Counter(call.reply for call in calls)
    assert written == Counter(f"{worker}:{nth}" for worker in range(PROCESSES) for nth in range(50))
    assert len({call.id for call in calls}) == PROCESSES * 50


def test_processes_that_append_at_once_across_rotations_keep_every_record_once(tmp_path: Path) -> None:
    at_once(append_records, tmp_path, 2)
    files = sorted((tmp_path / ".bottega" / "history").glob("history_*.jsonl"))
    counts = [len(path.read_text("utf-8").splitlines()) for path in files]
    records = [json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()]
    assert counts == [50] * 8
    prompts = Counter(entry["original_prompt"] for entry in records)
    assert prompts == Counter(f"{worker}:{nth}" for worker in range(2) for nth in range(200))
    assert sum(1 for _ in history(tmp_path).newest()) == 400
