"""Retrieval on public data, ours beside others in one run.

    python bench/retrieval.py semble   --data DIR --snapshots DIR [--semble PYTHON]
    python bench/retrieval.py swebench --data DIR --snapshots DIR [--every 3]

DIR of the data holds `semble_repos.json` with `annotations/` (semble's public benchmark: queries and the files they are
about) and `swebench_lite_dev.jsonl` (issues and the files that the real fix changed). DIR of the snapshots holds bare
git directories named OWNER+NAME/repo. Neither is part of this repository.

Metrics are means over queries: ndcg10 is binary, over the first ten hits as returned; acc@k says that every gold file
is among the first k files.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bottega.index import open_store
from bottega.index.snapshot import take_snapshot
from bottega.retrieve.search import Searcher, SearchQuery

Hit = Mapping[str, Any]
Search = Callable[[str, int], Sequence[Hit]]
KS = (1, 3, 5, 10)
DEPTH = 50
WITHOUT = "bottega, without vectors"
SEMBLE = """
import json, sys, os, tempfile
os.environ["HOME"] = os.environ["XDG_CACHE_HOME"] = tempfile.mkdtemp()
import numpy as np
from semble.index import index as module
class Stub:
    dim = 8
    def encode(self, texts, **_):
        return np.zeros((len(texts), self.dim), np.float32)
module.load_model = lambda path=None: (Stub(), "stub")
built = module.SembleIndex.from_path(sys.argv[1])
for line in sys.stdin:
    order = json.loads(line)
    found = built.search(order["query"], top_k=order["k"], alpha=0.0)
    hits = [{"path": r.chunk.file_path, "start_line": r.chunk.start_line, "end_line": r.chunk.end_line} for r in found]
    print(json.dumps(hits), flush=True)
"""


@dataclass(frozen=True, slots=True)
class Task:
    query: str
    targets: Sequence[Mapping[str, Any]]
    group: str


def main() -> None:
    options = _options()
    scores: dict[str, list[dict[str, float]]] = defaultdict(list)
    groups: dict[str, list[dict[str, float]]] = defaultdict(list)
    waits: list[float] = []
    cases = {"semble": _semble_cases, "swebench": swebench_cases}[options.set]
    for name, root, tasks in cases(options):
        start = time.perf_counter()
        searches = _ours(root)
        seconds = time.perf_counter() - start
        if options.semble:
            searches["semble, keywords and ranking"] = _semble(options.semble, root)
        for task in tasks:
            for who, search in searches.items():
                start = time.perf_counter()
                hits = search(task.query, DEPTH)
                if who == "bottega":
                    waits.append((time.perf_counter() - start) * 1000)
                figures = _scored(hits, task.targets)
                scores[who].append(figures)
                if who == "bottega":
                    groups[task.group].append(figures)
        mean = {who: statistics.mean(row["ndcg10"] for row in rows[-len(tasks) :]) for who, rows in scores.items()}
        sys.stderr.write(
            f"{name:40s} index {seconds:6.2f} s  ndcg10 {mean['bottega']:.3f}"
            f"  by meaning {mean['bottega'] - mean[WITHOUT]:+.3f}\n"
        )
    for who, rows in scores.items():
        print(_line(who, rows))
    for group, rows in sorted(groups.items()):
        print(_line(f"bottega, {group}", rows))
    waits.sort()
    print(f"query ms: p50 {waits[len(waits) // 2]:.1f}, p95 {waits[int(len(waits) * 0.95)]:.1f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=["semble", "swebench"])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--snapshots", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "bottega-retrieval")
    parser.add_argument("--semble", metavar="PYTHON", help="a Python that has semble installed")
    parser.add_argument("--every", type=int, default=1, help="only every n-th issue")
    return parser.parse_args()


def _ours(root: Path) -> dict[str, Search]:
    keeper = open_store(root)
    keeper.refresh()
    snapshot = take_snapshot(root, keeper.location)
    assert snapshot is not None
    folder = keeper.location.folder
    searcher = Searcher(snapshot, is_current=True, folder=folder)
    searcher.embed_all()
    without = Searcher(snapshot, is_current=True, folder=folder, by_meaning=False)

    def by(mode: str, searcher: Searcher = searcher) -> Search:
        def search(query: str, k: int) -> Sequence[Hit]:
            return [hit.as_json(explain=False) for hit in searcher.search(SearchQuery(query, mode, k)).hits]

        return search

    return {
        "bottega": by("hybrid"),
        WITHOUT: by("hybrid", without),
        "bottega --mode bm25": by("bm25"),
        "bottega --mode semantic": by("semantic"),
    }


def _semble(python: str, root: Path) -> Search:
    process = subprocess.Popen(
        [python, "-c", SEMBLE, str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    assert process.stdout is not None
    given, printed = process.stdin, process.stdout

    def search(query: str, k: int) -> Sequence[Hit]:
        given.write(json.dumps({"query": query, "k": k}) + "\n")
        given.flush()
        found: list[Hit] = json.loads(printed.readline())
        return found

    return search


def _semble_cases(options: argparse.Namespace) -> Iterator[tuple[str, Path, list[Task]]]:
    for spec in json.loads((options.data / "semble_repos.json").read_text()):
        owner_name = spec["url"].split("github.com/")[1].removesuffix(".git")
        inner = spec.get("benchmark_root") or "."
        work = _checkout(options, owner_name, spec["name"], spec["revision"], inner)
        if work is None:
            continue
        rows = json.loads((options.data / "annotations" / f"{spec['name']}.json").read_text())
        tasks = [
            Task(
                row["query"],
                [t if isinstance(t, dict) else {"path": t} for t in (*row["relevant"], *row.get("secondary", []))],
                row.get("category", "other"),
            )
            for row in rows
        ]
        yield spec["name"], work / inner, tasks


def swebench_cases(options: argparse.Namespace) -> Iterator[tuple[str, Path, list[Task]]]:
    rows = [json.loads(line) for line in (options.data / "swebench_lite_dev.jsonl").read_text().splitlines()]
    for row in sorted(rows, key=lambda row: row["repo"])[:: options.every]:
        work = _checkout(options, row["repo"], row["repo"].replace("/", "+"), row["base_commit"], ".")
        if work is not None:
            targets = [{"path": path} for path in row["gold_files"]]
            yield row["instance_id"], work, [Task(row["problem_statement"], targets, row["repo"])]


def _checkout(options: argparse.Namespace, owner_name: str, name: str, commit: str, inner: str) -> Path | None:
    base: Path = options.snapshots / owner_name.replace("/", "+")
    source = next((folder for folder in (base / "repo", base) if (folder / "HEAD").exists()), None)
    work: Path = options.work / name
    if source is None:
        sys.stderr.write(f"skipped {owner_name}: no snapshot\n")
        return None
    if not (work / ".git").exists():
        work.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(source), str(work)], check=True)
        if inner != ".":
            subprocess.run(["git", "sparse-checkout", "set", "--no-cone", f"/{inner}/"], cwd=work, check=True)
    quiet = ["git", "-c", "advice.detachedHead=false", "checkout", "-q", "-f", commit]
    return work if subprocess.run(quiet, cwd=work, check=False).returncode == 0 else None


def _scored(hits: Sequence[Hit], targets: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    ranks = [next((place for place, hit in enumerate(hits[:10]) if _matches(hit, t)), None) for t in targets]
    gained = sum(1 / math.log2(rank + 2) for rank in {rank for rank in ranks if rank is not None})
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(targets))))
    files = list(dict.fromkeys(str(hit["path"]).removeprefix("./") for hit in hits))
    places = [next((n for n, file in enumerate(files, 1) if _is_same(file, t["path"])), None) for t in targets]
    figures = {"ndcg10": gained / ideal, "mrr": max((1 / place for place in places if place), default=0.0)}
    return figures | {f"acc@{k}": float(all(place and place <= k for place in places)) for k in KS}


def _matches(hit: Hit, target: Mapping[str, Any]) -> bool:
    if not _is_same(str(hit["path"]).removeprefix("./"), target["path"]):
        return False
    if target.get("start_line") is None:
        return True
    return bool(hit["end_line"] >= target["start_line"] and hit["start_line"] <= target["end_line"])


def _is_same(path: str, wanted: str) -> bool:
    return path == wanted or path.endswith(f"/{wanted}") or wanted.endswith(f"/{path}")


def _line(name: str, rows: Sequence[Mapping[str, float]]) -> str:
    figures = {metric: statistics.mean(row[metric] for row in rows) for metric in rows[0]}
    return (
        f"| {name} | {len(rows)} | " + " | ".join(f"{metric} {value:.3f}" for metric, value in figures.items()) + " |"
    )


if __name__ == "__main__":
    main()
