"""A few trials of the attacks that `make attack` runs in full."""

from __future__ import annotations

import time

import pytest
from tools.attack import totals

from bench import attack_kills, attack_repositories


@pytest.mark.parametrize("number", [0, 11, 14, 16])
def test_hostile_repositories(number: int) -> None:
    result = attack_repositories.try_one(number, seed=5, deadline=time.monotonic() + 60)
    assert result is not None
    assert result[1] == []


@pytest.mark.parametrize("number", [0, 3])
def test_kill(number: int) -> None:
    result = attack_kills.try_one(number, seed=5, deadline=time.monotonic() + 60)
    assert result is not None
    assert result[1] == []


def test_a_program_that_runs_is_seen() -> None:
    """The attack can fail: a mark that a repository's program leaves is a fault."""
    assert totals("servers: 2,400 trials, 1 faults\n") == (2400, 1)
    assert totals("a, x: 3 trials, 0 faults\na, y: 4 trials, 2 faults\na: 7 trials, 2 faults\n") == (7, 2)
