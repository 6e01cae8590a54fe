"""Other processes that open the same records."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

from bottega.journal import Journal

Opener = Callable[[], Journal]
_SPAWN = multiprocessing.get_context("spawn")
_SECONDS = 60


def kill_after(opener: Opener, act: Callable[[Journal], object]) -> None:
    """Kill a process right after it acted, before it closes anything."""
    with acting_elsewhere(opener, act):
        pass


@contextmanager
def acting_elsewhere(opener: Opener, act: Callable[[Journal], object]) -> Iterator[None]:
    """A process that has acted, keeps what `act` returned, and is killed at the end of the block."""
    here, there = _SPAWN.Pipe()
    process = _SPAWN.Process(target=_act_and_wait, args=(opener, act, there))
    process.start()
    there.close()
    try:
        assert here.poll(_SECONDS)
        assert here.recv() == "acted"
        yield
    finally:
        process.kill()
        process.join()
        process.close()
        here.close()


def _act_and_wait(opener: Opener, act: Callable[[Journal], object], parent: Connection) -> None:
    journal = opener()
    kept = act(journal)
    parent.send("acted")
    time.sleep(_SECONDS)
    raise AssertionError(f"nobody killed this process, which holds {kept} of {journal}")


def work_together(opener: Opener, work: Callable[[Journal, int], object], workers: int) -> None:
    """Let several processes open the records and work at the same moment; each is given its number."""
    barrier = _SPAWN.Barrier(workers)
    processes = [_SPAWN.Process(target=_work, args=(opener, work, number, barrier)) for number in range(workers)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(_SECONDS)
    codes = [process.exitcode for process in processes]
    for process in processes:
        process.kill()
        process.join()
        process.close()
    assert codes == [0] * workers


def _work(opener: Opener, work: Callable[[Journal, int], object], number: int, barrier: Barrier) -> None:
    barrier.wait(_SECONDS)
    journal = opener()
    work(journal, number)
    journal.close()
