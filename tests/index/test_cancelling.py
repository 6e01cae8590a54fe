"""A refresh and an embedding that are cancelled end soon and leave a usable index and no process."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from bottega.cancellation import Cancellation, cancel_scope
from bottega.errors import Cancelled
from bottega.index import Knowledge, open_knowledge
from bottega.retrieve import embed_all

from .test_reading_processes import ENDLESS, wait_for, workers_in
from .trees import ask, commit, differences, repository, write

SOON_S = 1.0  # half a second, and as much again for a busy machine


def some(count: int, word: str) -> dict[str, str]:
    return {f"m{n:03}.py": f"from m{n // 2:03} import *\n\ndef {word}{n}(): pass\n" * 20 for n in range(count)}


def cancelled_while(action: Callable[[], object], is_time: Callable[[], bool]) -> float:
    """Cancel an action in another thread once it is time; return how long it went on after that."""
    token = Cancellation()
    ended: list[float] = []

    def run() -> None:
        with cancel_scope(token), pytest.raises(Cancelled):
            action()
        ended.append(time.monotonic())

    thread = threading.Thread(target=run)
    thread.start()
    assert wait_for(is_time)
    at = time.monotonic()
    token.cancel("enough")
    thread.join(30)
    assert ended, "it was done before it was cancelled"
    return ended[0] - at


def progress_of(knowledge: Knowledge, stage: str) -> tuple[Callable[[], object], Callable[[], bool]]:
    """A refresh, and whether it has got to a stage."""
    seen: list[str] = []

    def note(now: str, _done: int, _total: int) -> None:
        seen.append(now)
        if now == stage:
            time.sleep(0.01)

    return lambda: knowledge.refresh(workers=1, progress=note), lambda: seen.count(stage) > 5


@pytest.mark.parametrize("stage", ["reading", "relating"])
def test_a_refresh_that_is_cancelled_leaves_the_index_as_it_was(root: Path, stage: str) -> None:
    repository(root, some(120, "f"))
    knowledge = open_knowledge(root)
    knowledge.refresh(workers=1)
    commit(root, "Say g", some(120, "g"))
    assert cancelled_while(*progress_of(knowledge, stage)) < SOON_S
    assert {name[0] for (name,) in ask(root, "SELECT name FROM symbols")} == {"f"}
    assert wait_for(lambda: not workers_in(root), 5)
    assert not list((root / ".bottega").glob("*.new"))
    with knowledge.reading() as reader:
        assert {symbol.name[0] for symbol in reader.base.search_symbols_by_name("", 500)} == {"g"}
    assert differences(root) == ""
    knowledge.close()


def test_a_first_index_that_is_cancelled_leaves_none(root: Path) -> None:
    write(root, some(120, "f"))
    knowledge = open_knowledge(root)
    assert cancelled_while(*progress_of(knowledge, "reading")) < SOON_S
    assert not knowledge.exists
    assert knowledge.refresh(workers=1) is not None
    assert differences(root) == ""


def test_a_file_that_takes_for_ever_does_not_hold_up_a_cancel(root: Path) -> None:
    write(root, {"view.tsx": ENDLESS + "\n"})
    knowledge = open_knowledge(root)
    assert cancelled_while(lambda: knowledge.refresh(), lambda: bool(workers_in(root))) < SOON_S
    assert wait_for(lambda: not workers_in(root), 5)


def test_an_embedding_that_is_cancelled_keeps_what_is_done(root: Path) -> None:
    write(root, some(120, "f"))
    knowledge = open_knowledge(root)
    knowledge.refresh(workers=1)
    totals: list[int] = []
    went_on = cancelled_while(
        lambda: embed_all(knowledge, lambda _stage, _done, total: totals.append(total), 1), lambda: bool(totals)
    )
    assert went_on < SOON_S
    left = embed_all(knowledge, workers=1)
    assert left is not None
    assert 0 < left < totals[0]
    assert embed_all(knowledge, workers=1) == 0
