"""A small part of the attack of `bench/attack_servers.py`, through the same generator and the same judge."""

from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor

from bench.attack_servers import run_share
from bench.wire_attack.mutations import MUTATIONS, WIRES, generate_trials
from bench.wire_attack.trials import MEMORY_MIB, confirm_late, run_trials, valid_trial

SEED, SMALL, SHARES = 3, 100, 19


def test_valid_streams_are_replies_so_that_the_trials_mean_something() -> None:
    report = run_trials(valid_trial(wire) for wire in WIRES)
    assert (report.replies, report.faults) == (3, [])


def test_the_generator_makes_the_same_trials_for_the_same_seed_and_every_kind_of_them() -> None:
    trials = list(generate_trials(5, 3 * len(MUTATIONS)))
    assert trials == list(generate_trials(5, 3 * len(MUTATIONS)))
    assert {(trial.wire, trial.kind) for trial in trials} == {(wire, kind) for wire in WIRES for kind in MUTATIONS}


def test_no_hostile_reply_is_a_traceback_a_wrong_value_or_an_overrun() -> None:
    """In a process of its own, so that its memory can be measured."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        report = pool.submit(run_share, (SEED, SHARES * SMALL, 0, SHARES)).result()
    assert report.trials == SMALL
    assert report.faults == []
    assert report.growth_mib <= MEMORY_MIB
    assert confirm_late(report.late) == []
