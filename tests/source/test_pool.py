"""The worker pool with workers that answer, die, hang and are too slow to read."""

from __future__ import annotations

import os
import textwrap
import threading
import time
from pathlib import Path

import pytest

from bottega.cancellation import Cancellation, cancel_scope
from bottega.errors import Cancelled
from bottega.source.pool import WorkerAnswer, WorkerLost, WorkerPool, WorkerSpec

# Answers with the process id and the message; some messages have it do something else.
WORKER = """
    import os, sys, time
    from bottega.source.serving import receive_message, serve

    hello = receive_message()

    def answer(message):
        if message == b"die":
            os._exit(7)
        if message == b"hang":
            time.sleep(60)
        return hello + b" " + message

    serve(answer)
"""


@pytest.fixture
def spec(tmp_path: Path) -> WorkerSpec:
    (tmp_path / "pool_worker.py").write_text(textwrap.dedent(WORKER))
    path = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    return WorkerSpec("pool_worker", greeting=b"hello", environ={"PYTHONPATH": path})


def encode(task: str) -> bytes:
    return task.encode()


def events_of(pool: WorkerPool[str]) -> list[WorkerAnswer[str] | WorkerLost[str]]:
    found: list[WorkerAnswer[str] | WorkerLost[str]] = []
    while pool.unanswered and pool.workers:
        found += pool.turn()
    return found


def test_every_task_is_answered_once_by_some_worker(spec: WorkerSpec) -> None:
    tasks = [f"task {n}" for n in range(100)]
    with WorkerPool(spec, encode, workers=2, ahead=4) as pool:
        pool.submit(*tasks)
        answers = {event.task: event.answer for event in events_of(pool) if isinstance(event, WorkerAnswer)}
    assert answers == {task: f"hello {task}".encode() for task in tasks}


def test_messages_larger_than_any_pipe_go_both_ways_at_once(spec: WorkerSpec) -> None:
    tasks = [str(n) * 3_000_000 for n in range(6)]
    with WorkerPool(spec, encode, workers=1, ahead=6) as pool:
        pool.submit(*tasks)
        answers = [event.answer for event in events_of(pool) if isinstance(event, WorkerAnswer)]
    assert [len(answer) for answer in answers] == [3_000_006] * 6


def test_a_worker_that_dies_gives_its_tasks_back_and_another_goes_on_with_them(spec: WorkerSpec) -> None:
    with WorkerPool(spec, encode, workers=1, ahead=3) as pool:
        pool.submit("a", "die", "b", "c")
        *answered, lost = events_of(pool)
        assert [event.task for event in answered if isinstance(event, WorkerAnswer)] == ["a"]
        assert isinstance(lost, WorkerLost)
        assert (lost.tasks[0], lost.is_late, lost.exit_code) == ("die", False, 7)
        assert pool.workers == 0
        pool.add_worker()
        pool.submit(*lost.tasks[1:], first=True)
        assert {event.task for event in events_of(pool) if isinstance(event, WorkerAnswer)} == {"b", "c"}


def test_a_worker_that_says_nothing_for_too_long_is_given_up(spec: WorkerSpec) -> None:
    with WorkerPool(spec, encode, workers=1, ahead=2, patience_s=1.0) as pool:
        pool.submit("hang", "after")
        began = time.monotonic()
        (lost,) = events_of(pool)
        assert time.monotonic() - began < 10
    assert isinstance(lost, WorkerLost)
    assert (lost.tasks, lost.is_late) == (("hang", "after"), True)


def test_tasks_that_no_worker_has_can_be_taken_back(spec: WorkerSpec) -> None:
    with WorkerPool(spec, encode, workers=0, ahead=2) as pool:
        pool.submit("a", "b")
        assert pool.unanswered == 2
        assert pool.take_waiting() == ["a", "b"]
        assert pool.unanswered == 0


def test_a_cancel_ends_the_waiting_and_the_processes(spec: WorkerSpec) -> None:
    token = Cancellation()
    began = time.monotonic()
    with cancel_scope(token), WorkerPool(spec, encode, workers=1, ahead=1) as pool:
        pool.submit("hang")
        timer = threading.Timer(0.3, token.cancel)
        timer.start()
        with pytest.raises(Cancelled):
            events_of(pool)
        timer.join()
    assert pool.workers == 0
    assert time.monotonic() - began < 3
