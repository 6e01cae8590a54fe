"""Hostile model servers against the real clients: no traceback, no more than 200 MiB, no call beyond its timeout.

    python bench/attack_servers.py [--trials 2400] [--seed 17] [--processes 4]

Prints one line for each kind of reply, and exits with 1 when there is a fault.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import chain, islice
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.wire_attack.mutations import WIRES, Trial, generate_trials, swapped_everywhere
from bench.wire_attack.trials import Report, confirm_late, run_trials

LONGEST_SHOWN = 20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=2400)
    parser.add_argument("--seed", type=int, default=17)
    parser.add_argument("--processes", type=int, default=4)
    chosen = parser.parse_args()
    started = time.monotonic()
    context = multiprocessing.get_context("spawn")
    jobs = [(chosen.seed, chosen.trials, share, chosen.processes) for share in range(chosen.processes)]
    with ProcessPoolExecutor(chosen.processes, mp_context=context) as pool:
        reports = list(pool.map(run_share, jobs))
    late = confirm_late(trial for report in reports for trial in report.late)
    found = [fault for report in reports for fault in report.faults] + late
    _show(all_trials(chosen.seed, chosen.trials), found)
    growth = max(report.growth_mib for report in reports)
    trials = sum(report.trials for report in reports)
    seconds = time.monotonic() - started
    print(f"servers: {trials:,} trials, {len(found)} faults, at most {growth} MiB, {seconds:.0f} s")
    return 1 if found else 0


def all_trials(seed: int, count: int) -> Iterator[Trial]:
    """A wrong type at every path of each wire, and generated trials up to `count` in all, made one at a time."""
    systematic = (trial for wire in WIRES for trial in swapped_everywhere(wire))
    return islice(chain(systematic, generate_trials(seed, count)), count)


def run_share(job: tuple[int, int, int, int]) -> Report:
    seed, count, share, shares = job
    return run_trials(islice(all_trials(seed, count), share, None, shares))


def _show(trials: Iterable[Trial], faults: list[str]) -> None:
    for (wire, kind), count in sorted(Counter((trial.wire, trial.kind) for trial in trials).items()):
        wrong = sum(fault.startswith(f"{wire}, {kind},") for fault in faults)
        print(f"{wire}, {kind}: {count:,} trials, {wrong} faults")
    for fault in faults[:LONGEST_SHOWN]:
        print(fault, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
