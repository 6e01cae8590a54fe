"""One run, two processes: one carries it out, the other is told."""

from __future__ import annotations

from multiprocessing.connection import wait
from pathlib import Path

import pytest

from bottega.errors import InputError
from bottega.journal import RunRecord

from .errand import Basket
from .mortal import Sitting, child, ended
from .office import in_a_row, interrupted, office
from .street import Street, answered


def test_of_many_who_resume_at_once_one_wins_and_the_others_are_told(street: Street, tmp_path: Path) -> None:
    assert ended(street.begin(tmp_path, die_at=street.moments.index("complete") + 1)) < 0
    assert len(answered(tmp_path)) == 1
    with street.oracle.holding_back():
        crowd = [child(Sitting(tmp_path, street.server.url)) for _ in range(4)]
        while len(at_work := [process.sentinel for process in crowd if process.is_alive()]) > 1:
            assert wait(at_work, timeout=30)
    assert sorted(ended(process) for process in crowd) == [0, 2, 2, 2]
    assert street.faults_of_end(tmp_path, 0) == []
    assert len(street.sent_from(tmp_path)) == len(set(street.sent_from(tmp_path)))
    told = {path.read_text() for path in tmp_path.glob("told-*.txt")}
    assert [words.partition(" is ")[2] for words in told] == ["being carried out by another process"]


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

        with office(tmp_path, journal=interrupted("sessions", "open", end_first)) as late:
            assert late.resume() == Basket(count=2, trail=("count_1", "count_3", "home"))
        assert [quick.journal.runs.get("last")] == ended_first
        assert [step[2] for step in quick.steps()] == ["done"] * 4
        assert quick.sessions() == []
