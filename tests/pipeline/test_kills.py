"""kill -9 at every moment of a run: what is resumed ends as if nothing had happened, and no reply is paid twice."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import pytest

from .errand import Bag
from .mortal import WRITES, ended
from .office import office
from .street import Street, answered, story

KILLED = -signal.SIGKILL
QUESTIONS = 6


@pytest.fixture
def roots() -> Iterator[Iterator[Path]]:
    """A fresh folder for every kill, in memory where the system offers that: there are hundreds."""
    shared = Path("/dev/shm")
    with TemporaryDirectory(dir=shared if os.access(shared, os.W_OK) else None) as scratch:
        yield (Path(mkdtemp(dir=scratch)) for _ in count())


def test_the_undisturbed_errand_asks_in_three_steps_pays_once_and_goes_round(street: Street) -> None:
    assert [step[1] for step in street.undisturbed.steps] == [
        *("list", "market", "till", "again", "gossip", "again", "home")
    ]
    assert Counter(street.moments)["complete"] == QUESTIONS
    assert Counter(street.moments)["record_effect"] == 1
    assert street.undisturbed.sessions == []


def test_a_run_killed_at_any_moment_ends_as_if_it_had_not_been(street: Street, roots: Iterator[Path]) -> None:
    """Before, inside and after every step; before and after every reply is recorded; at both ends of the run."""
    wrong = {}
    for number, moment in enumerate(street.moments, 1):
        root = next(roots)
        assert ended(street.begin(root, die_at=number)) == KILLED
        faults = street.faults_of(street.resume(root))
        if len(Bag(root).paid()) != (2 if moment == "before record_effect" else 1):
            faults.append(f"paid {Bag(root).paid()}")
        if faults:
            wrong[f"{number}: {moment}"] = faults
    assert wrong == {}


def test_a_run_killed_inside_any_model_call_asks_only_what_was_not_answered(
    street: Street, roots: Iterator[Path]
) -> None:
    wrong = {}
    for number in range(1, QUESTIONS + 1):
        root = next(roots)
        street.oracle.hang_on(number)
        process = street.begin(root)
        assert street.oracle.reached.wait(30)
        process.kill()
        assert ended(process) == KILLED
        assert len(answered(root)) < number + 2, "one hangs, and at most its two neighbours were answered"
        if faults := street.faults_of(street.resume(root)):
            wrong[number] = faults
    assert wrong == {}


def test_a_run_that_dies_again_and_again_ends_as_if_it_had_not(street: Street, roots: Iterator[Path]) -> None:
    """The first sitting dies at its first write, the second at its second, until one lives to the end."""
    root = next(roots)
    assert ended(street.begin(root, die_at=1, counted=WRITES)) == KILLED
    sittings = 1
    while story(root).status != "done" or story(root).sessions:
        sittings += 1
        assert street.faults_of(street.resume(root, die_at=sittings, counted=WRITES)) == []
    assert sittings > 10
    assert street.faults_of_end(root, 0) == []
    assert len(Bag(root).paid()) == 1


def test_a_killed_run_can_be_told_from_a_living_one(street: Street, roots: Iterator[Path]) -> None:
    root = next(roots)
    street.oracle.hang_on(2)
    process = street.begin(root)
    assert street.oracle.reached.wait(30)
    with office(root) as errands:
        run = errands.journal.runs.get("last")
        assert errands.journal.sessions.is_alive(run.id)
        process.kill()
        assert ended(process) == KILLED
        assert errands.status() == "running"
        assert not errands.journal.sessions.is_alive(run.id)
        calls = [(call.status, call.reply) for call in errands.journal.calls.of_run(run.id)]
    assert calls == [("completed", "Bread? Let me think."), ("sent", None)]
