"""One run, two processes: one carries it out, the other is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

import pytest

from bottega.errors import InputError
from bottega.journal import Journal, RunRecord

from .errand import Basket
from .mortal import Sitting, child, ended
from .office import in_a_row, office
from .street import Street, answered
from .street import street as open_street


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Street]:
    with open_street(tmp_path_factory.mktemp("undisturbed")) as opened:
        yield opened


def test_of_many_who_resume_at_once_one_wins_and_the_others_are_told(street: Street, tmp_path: Path) -> None:
    assert ended(street.begin(tmp_path, die_at=street.moments.index("complete") + 1)) < 0
    assert len(answered(tmp_path)) == 1
    street.oracle.let_go.clear()
    waiting = {process.sentinel: process for process in (child(Sitting(tmp_path, street.server.url)) for _ in range(4))}
    losers = []
    while len(waiting) > 1:
        for sentinel in wait(list(waiting), timeout=30):
            losers.append(ended(waiting.pop(int(str(sentinel)))))
    street.oracle.let_go.set()
    (winner,) = waiting.values()
    assert losers == [2, 2, 2]
    assert street.faults_of_end(tmp_path, ended(winner)) == []
    assert len(street.sent_from(tmp_path)) == len(set(street.sent_from(tmp_path)))
    run = street_run(tmp_path)
    told = {path.read_text() for path in tmp_path.glob("told-*.txt")}
    assert told == {f"run {run} is being carried out by another process"}


def test_a_run_that_is_still_at_work_cannot_be_resumed(street: Street, tmp_path: Path) -> None:
    street.oracle.hang_on(1)
    process = street.begin(tmp_path)
    assert street.oracle.reached.wait(30)
    with office(tmp_path) as errands:
        with pytest.raises(InputError, match="being carried out by another process") as refusal:
            errands.resume()
        assert refusal.value.hint == "Wait for it to end."
        assert errands.status() == "running"
    process.kill()
    assert ended(process) < 0


def test_a_run_that_ended_while_a_resume_was_on_its_way_is_not_carried_out_again(tmp_path: Path) -> None:
    with office(tmp_path) as quick:
        with pytest.raises(InputError):
            quick.start(in_a_row(tmp_path, "count", "need", "count"))
        (tmp_path / "ready").touch()
        ended_first: list[RunRecord] = []

        def end_first() -> None:
            quick.resume()
            ended_first.append(quick.journal.runs.get("last"))

        meanwhile = iter([end_first])
        with office(tmp_path, journal=lambda root: late_journal(root, meanwhile)) as late:
            assert late.resume() == Basket(count=2, trail=("count_1", "count_3", "home"))
        assert [quick.journal.runs.get("last")] == ended_first
        assert [step[2] for step in quick.steps()] == ["done"] * 4
        assert quick.sessions() == []


class LateSessions:
    """Sessions that are opened only after something else has happened."""

    def __init__(self, sessions: Any, meanwhile: Iterator[Callable[[], object]]) -> None:
        self._sessions = sessions
        self._meanwhile = meanwhile

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sessions, name)

    def open(self, run_id: str) -> Any:
        for happen in self._meanwhile:
            happen()
        return self._sessions.open(run_id)


def late_journal(root: Path, meanwhile: Iterator[Callable[[], object]]) -> Journal:
    journal = Journal(root, environ={})
    setattr(journal, "sessions", LateSessions(journal.sessions, meanwhile))  # noqa: B010 - it stands in for the part
    return journal


def street_run(root: Path) -> str:
    with office(root) as errands:
        return errands.journal.runs.get("last").id
