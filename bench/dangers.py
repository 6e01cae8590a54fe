"""How often the table of dangerous calls speaks: added lines of the last commits of repositories, every hit printed.

        python bench/dangers.py --commits 200 REPOSITORY…

A repository is a directory with a git history, bare or not. The hits are for a person to judge.
"""

from __future__ import annotations

import argparse
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bottega.review.dangers import find_danger_language
from bottega.review.dangers.check import check_dangers
from bottega.review.findings import Finding
from bottega.review.reading import find_skip_reason
from bottega.review.tree import Tree
from bottega.source import parse_diff


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("repositories", nargs="+", type=Path)
    parser.add_argument("--commits", type=int, default=200)
    options = parser.parse_args()
    total = Counter[str]()
    for repository in options.repositories:
        total += _measure(repository, options.commits)
    print("all", _summary(total))


def _measure(repository: Path, commits: int) -> Counter[str]:
    counted = Counter[str]()
    for commit in _git(repository, "log", f"-n{commits}", "--no-merges", "--format=%H").split():
        try:
            lines, found = _findings(repository, commit)
        except subprocess.CalledProcessError:  # a mirror may lack the largest objects
            continue
        counted["commits"] += 1
        counted["lines"] += lines
        for finding in found:
            counted["tests" if finding.severity == "SUGGESTION" else "hits"] += 1
            print(f"  {repository.parent.name} {commit[:9]} {finding.severity} {finding.span} {finding.verified}")
            print(f"    {finding.quotes[0][:150] if finding.quotes else ''}")
    print(repository.parent.name, _summary(counted), flush=True)
    return counted


def _findings(repository: Path, commit: str) -> tuple[int, Iterator[Finding]]:
    diff = parse_diff(_git(repository, "show", "--format=", "-M", "--no-ext-diff", "--no-textconv", commit))
    files = [file for file in diff.files if not find_skip_reason(file) and find_danger_language(file.path)]
    tree = Tree(repository, lambda path: _git(repository, "show", f"{commit}:{path}"), is_here=False)
    return sum(file.added for file in files), iter(check_dangers(files, tree).findings)


def _summary(counted: Counter[str]) -> str:
    rate = 10_000 * counted["hits"] / max(1, counted["lines"])
    return (
        f"{counted['commits']} commits, {counted['lines']:,} added lines: {counted['hits']} hits"
        f" ({rate:.1f} in 10,000 lines), {counted['tests']} more in tests"
    )


def _git(repository: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


if __name__ == "__main__":
    main()
