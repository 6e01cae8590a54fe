"""Hostile files and trees: time and memory of a fresh index grow no faster than the files.

    python bench/hostile_files.py [--size 200000] [--every-language] [--all-sizes] [--family NAME] [--language NAME]

Every family is indexed at the full size in a fresh process; where that costs more than the noise floor, at half and
a quarter of it as well, and the growth from one size to the next is compared. Exit 1 for growth above the limit, for
a cost above the budget of one file, and for an index that fails. By default each family is tried in a quarter of
the languages, and no trial begins after three minutes.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from bench.hostile.families import HostileTree, file_families, hostile_file
from bench.hostile.measure import Cost, measure
from bench.hostile.spellings import SPELLINGS
from bench.hostile.trees import hostile_tree, tree_families

from bottega.index.analyse.budget import compute_time_limit

MOST_GROWTH = 2.6
# What is below these differs from run to run; growth is measured above them.
NOISE_SECONDS, NOISE_MEGABYTES = 1.0, 60
# Of a whole index: its start, the worker that is replaced, and the file itself.
_START_SECONDS, _MOST_MEGABYTES = 3.0, 700
_SHARE = 4  # of the languages for each family, and of the size for trees


@dataclass(frozen=True, slots=True)
class Trial:
    family: str
    language: str

    def tree(self, size: int) -> HostileTree | None:
        if self.language == "tree":
            return hostile_tree(self.family, size // _SHARE)  # many small files cost more than one large one
        return hostile_file(self.family, self.language, size)


@dataclass(frozen=True, slots=True)
class Result:
    trial: Trial
    costs: dict[int, Cost]
    faults: list[str]
    is_left_out: bool = False


def main() -> None:
    options = _options()
    trials = _trials(options)
    random.Random(17).shuffle(trials)  # a run that is cut short has seen something of everything
    idle = measure(HostileTree("idle", "Python", {"a.py": b"x = 1\n"}))
    with ThreadPoolExecutor(options.workers) as pool:
        deadline = time.monotonic() + options.seconds
        results = list(pool.map(lambda trial: _tried(trial, idle, options, deadline), trials))
    tried = [result for result in results if result.costs]
    _print(tried, idle, options)
    if any(result.is_left_out for result in results):
        left_out = sum(result.is_left_out for result in results)
        print(f"the time was over before {left_out:,} trials; --seconds gives more of it")
    sys.exit(1 if any(result.faults for result in tried) else 0)


def _tried(trial: Trial, idle: Cost, options: argparse.Namespace, deadline: float) -> Result:
    if time.monotonic() > deadline:
        return Result(trial, {}, [], is_left_out=True)
    costs: dict[int, Cost] = {}
    for size in (options.size, options.size // 2, options.size // 4):
        tree = trial.tree(size)
        if tree is None:
            break
        costs[size] = measure(tree)
        if not options.all_sizes and _is_small(costs[options.size], idle):
            break
    faults = _faults(costs, idle)
    for fault in faults:
        print(f"FAULT {trial.family} / {trial.language}: {fault}", file=sys.stderr, flush=True)
    return Result(trial, costs, faults)


def _is_small(cost: Cost, idle: Cost) -> bool:
    """Too small for any growth to be seen in it."""
    seconds, megabytes = cost.seconds - idle.seconds, cost.megabytes - idle.megabytes
    return not cost.fault and seconds < MOST_GROWTH * NOISE_SECONDS and megabytes < MOST_GROWTH * NOISE_MEGABYTES


def _faults(costs: dict[int, Cost], idle: Cost) -> list[str]:
    faults = [f"{size} bytes: {cost.fault}" for size, cost in costs.items() if cost.fault]
    for size, cost in costs.items():
        most = _START_SECONDS + 2 * compute_time_limit(size)
        if cost.seconds > most:
            faults.append(f"{size} bytes took {cost.seconds:.1f} s of processor time, more than {most:.1f}")
        if cost.megabytes > _MOST_MEGABYTES:
            faults.append(f"{size} bytes took {cost.megabytes} MB, more than {_MOST_MEGABYTES}")
        half = costs.get(size // 2)
        if half is not None:
            faults += _growth(size, half, cost, idle)
    return faults


def _growth(size: int, half: Cost, whole: Cost, idle: Cost) -> list[str]:
    found = []
    for what, small, large, noise in (
        ("time", half.seconds - idle.seconds, whole.seconds - idle.seconds, NOISE_SECONDS),
        ("memory", half.megabytes - idle.megabytes, whole.megabytes - idle.megabytes, NOISE_MEGABYTES),
    ):
        ratio = large / max(small, noise)
        if ratio > MOST_GROWTH:
            found.append(f"{what} grew {ratio:.1f} times from {size // 2} to {size} bytes")
    return found


def _print(results: list[Result], idle: Cost, options: argparse.Namespace) -> None:
    print(f"idle: {idle.seconds:.2f} s, {idle.megabytes} MB; sizes up to {options.size} bytes")
    print("| family | languages | slowest (s) | most memory (MB) | kept as text |")
    print("|---|---:|---:|---:|---:|")
    for family in dict.fromkeys(result.trial.family for result in results):
        group = [result for result in results if result.trial.family == family]
        costs = [cost for result in group for cost in result.costs.values()]
        kept = sum(bool(next(iter(result.costs.values())).kept_as_text) for result in group)
        slowest, most = max(cost.seconds for cost in costs), max(cost.megabytes for cost in costs)
        print(f"| {family} | {len(group)} | {slowest:.2f} | {most} | {kept} |")
    if options.all_sizes:
        for result in results:
            shown = ", ".join(f"{size}: {c.seconds:.2f} s {c.megabytes} MB" for size, c in sorted(result.costs.items()))
            print(f"{result.trial.family} / {result.trial.language}: {shown}")
    faulty = [result for result in results if result.faults]
    counted = Counter("trees" if result.trial.language == "tree" else "files" for result in results)
    for what, count in sorted(counted.items(), reverse=True):
        bad = sum(1 for result in faulty if (result.trial.language == "tree") == (what == "trees"))
        print(f"hostile {what}: {count:,} trials, {bad} faults")


def _trials(options: argparse.Namespace) -> list[Trial]:
    trials = [
        Trial(family, spelling.language)
        for place, family in enumerate(file_families())
        for number, spelling in enumerate(SPELLINGS)
        if options.every_language or options.language or (place + number) % _SHARE == 0
    ]
    trials += [Trial(family, "tree") for family in tree_families()]
    return [
        trial
        for trial in trials
        if options.family in trial.family and (not options.language or trial.language == options.language)
    ]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=200_000)
    parser.add_argument("--every-language", action="store_true")
    parser.add_argument("--all-sizes", action="store_true")
    parser.add_argument("--family", default="")
    parser.add_argument("--language", default="")
    parser.add_argument("--seconds", type=float, default=170, help="start no further trial after so long")
    parser.add_argument("--workers", type=int, default=2)
    return parser.parse_args()


if __name__ == "__main__":
    main()
