"""Indexing and searching one repository, beside semble with its vectors stubbed and universal-ctags, in one run.

    python bench/index_speed.py REPOSITORY [--semble PYTHON] [--rounds 3] [--queries FILE]

`--semble` names a Python that has semble installed; its embedder is replaced by zeros, so that parsing, chunking and
its keyword index are what is timed. The repository is copied, so that no index of an earlier run is met.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

SEMBLE = """
import sys, time, os, tempfile
os.environ["HOME"] = os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
import numpy as np
from semble.index import create, index as module
class Stub:
    dim = 256
    def encode(self, texts, **_):
        return np.zeros((len(texts), self.dim), np.float32)
module.load_model = lambda path=None: (Stub(), "stub")
start = time.perf_counter()
built = module.SembleIndex.from_path(sys.argv[1])
print(time.perf_counter() - start, len(built.chunks))
"""
ROUND = """
import sys, time, json, resource
from pathlib import Path
from bottega.index import open_store
start = time.perf_counter()
done = open_store(Path(sys.argv[1])).refresh()
seconds = time.perf_counter() - start
own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
others = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(json.dumps([seconds, done.files, done.changed, own, others]))
"""
QUERIES = (
    "how are migrations ordered",
    "QuerySet.prefetch_related",
    "csrf token check in middleware",
    "template tag that loops over a list",
    "where is the password hashed",
)


def main() -> None:
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "repository"
        subprocess.run(["git", "clone", "-q", str(options.repository), str(root)], check=True)
        rows: list[tuple[str, str]] = []
        ours = [_cold(root) for _ in range(options.rounds)]
        rows.append(("bottega, from nothing", _seconds([run[0] for run in ours])))
        rows.append(("peak memory, main process / largest worker", f"{ours[-1][3]} / {ours[-1][4]} MB"))
        rows.append(("refresh, nothing changed", _seconds(_repeated(lambda: _round(root)[0], options.rounds))))
        rows.append(("refresh, one file changed", _seconds(_repeated(lambda: _edited(root), options.rounds))))
        if options.semble:
            theirs = [_semble(options.semble, root) for _ in range(options.rounds)]
            rows.append(("semble, vectors stubbed", _seconds(theirs)))
            ratio = statistics.median(run[0] for run in ours) / statistics.median(theirs)
            rows.append(("bottega / semble", f"{ratio:.2f}"))
        if shutil.which("ctags"):
            rows.append(("universal-ctags -R", _seconds(_repeated(lambda: _ctags(root), options.rounds))))
        rows += _searches(root)
    for name, figure in rows:
        print(f"| {name} | {figure} |")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repository", type=Path)
    parser.add_argument("--semble", metavar="PYTHON")
    parser.add_argument("--rounds", type=int, default=3)
    return parser.parse_args()


def _cold(root: Path) -> list[float]:
    shutil.rmtree(root / ".bottega", ignore_errors=True)
    return _round(root)


def _round(root: Path) -> list[float]:
    done = subprocess.run([sys.executable, "-c", ROUND, str(root)], check=True, capture_output=True, text=True)
    return list(json.loads(done.stdout))


def _edited(root: Path) -> float:
    """The largest source file gets a line more."""
    files = [path for path in root.rglob("*.py") if ".bottega" not in path.parts]
    largest = max(files, key=lambda path: path.stat().st_size)
    with largest.open("a", encoding="utf-8") as file:
        file.write(f"# edited at {time.time()}\n")
    return _round(root)[0]


def _semble(python: str, root: Path) -> float:
    hidden = root / ".bottega"
    aside = root.parent / "aside"
    hidden.rename(aside)
    try:
        done = subprocess.run([python, "-c", SEMBLE, str(root)], check=True, capture_output=True, text=True)
    finally:
        aside.rename(hidden)
    return float(done.stdout.split()[0])


def _ctags(root: Path) -> float:
    start = time.perf_counter()
    subprocess.run(["ctags", "-R", "-f", os.devnull, "."], cwd=root, check=True, capture_output=True)
    return time.perf_counter() - start


def _searches(root: Path) -> list[tuple[str, str]]:
    from bottega.index import open_store
    from bottega.index.snapshot import take_snapshot
    from bottega.retrieve.search import Searcher, SearchQuery

    keeper = open_store(root)
    keeper.refresh()
    snapshot = take_snapshot(root, keeper.location)
    assert snapshot is not None
    searcher = Searcher(snapshot, is_current=True, folder=keeper.location.folder)
    searcher.search(SearchQuery("warm"))
    inside = []
    for query in QUERIES * 10:
        start = time.perf_counter()
        searcher.search(SearchQuery(query))
        inside.append((time.perf_counter() - start) * 1000)
    command = [sys.executable, "-m", "bottega", "search", "--repo", str(root)]
    shell = []
    for query in QUERIES:
        start = time.perf_counter()
        subprocess.run([*command, query], check=True, capture_output=True)
        shell.append(time.perf_counter() - start)
    inside.sort()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return [
        ("query in-process, p50 / p95", f"{inside[len(inside) // 2]:.0f} / {inside[int(len(inside) * 0.95)]:.0f} ms"),
        ("`bottega search` from the shell, median", f"{statistics.median(shell):.2f} s"),
        ("memory of the searching process", f"{memory} MB"),
    ]


def _repeated(work: Callable[[], float], rounds: int) -> list[float]:
    return [work() for _ in range(rounds)]


def _seconds(values: list[float]) -> str:
    return f"{statistics.median(values):.2f} s (of {', '.join(f'{value:.2f}' for value in sorted(values))})"


if __name__ == "__main__":
    main()
