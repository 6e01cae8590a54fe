"""Which functions search finds: issues with the functions that their fixes changed, and questions about functions.

    python bench/functions.py swebench  --data DIR --snapshots DIR [--every 3]
    python bench/functions.py questions --snapshots DIR
    python bench/functions.py commits   --snapshots DIR --repos scrapy/scrapy pallets/werkzeug

`swebench` needs `swebench_lite_dev.jsonl` and `swebench_lite_dev_functions.jsonl` in DIR of the data. `questions` are
those of `bench/function_questions.jsonl`, written for randomly sampled functions of fourteen repositories. `commits`
takes messages of commits that fix something as queries; the functions that they changed are to be found at the parent
commit. DIR of the snapshots holds bare git directories named OWNER+NAME/repo; none of it is part of this repository.

all@k: every function to be found is among the first k symbols; any@k: one of them is. cover: the share of changed old
lines in the first 4,000 and 8,000 tokens of whole ranked symbols.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bottega.index import open_store
from bottega.index.snapshot import take_snapshot
from bottega.retrieve.search import Hit, Searcher, SearchQuery
from bottega.source import Span

KS = (1, 3, 5, 10)
DEPTH = 60
BUDGETS = (4_000, 8_000)
QUESTIONS = Path(__file__).parent / "function_questions.jsonl"
_FIX = re.compile(r"\bfix(?:e[sd])?\b|\bbug\b|\bregression\b|\bcrash", re.IGNORECASE)
_SHORTEST_MESSAGE, _MOST_COMMITS = 20, 80
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


@dataclass(frozen=True)
class Task:
    """A query, the functions to be found as alternatives for each, and the old lines that were changed."""

    query: str
    repo: str
    commit: str
    group: str
    gold: Sequence[Sequence[Span]]
    lines: Sequence[tuple[str, int]] = ()


@dataclass
class Scores:
    rows: list[dict[str, float]] = field(default_factory=list)
    groups: dict[str, list[dict[str, float]]] = field(default_factory=lambda: defaultdict(list))
    waits: list[float] = field(default_factory=list)


def main() -> None:
    options = _parse_options()
    tasks = {"swebench": _read_issues, "questions": _read_questions, "commits": _read_commits}[options.set](options)
    scores: dict[str, Scores] = defaultdict(Scores)
    opened: tuple[str, str] | None = None
    root: Path | None = None
    searchers: dict[str, Searcher] = {}
    for number, task in enumerate(tasks, 1):
        if opened != (task.repo, task.commit):
            root = check_out(options, task.repo, task.commit)
            opened = (task.repo, task.commit)
            searchers = _open_searchers(root) if root is not None else {}
        if root is None:
            continue
        for name, searcher in searchers.items():
            start = time.perf_counter()
            hits = searcher.find_symbols(SearchQuery(task.query, limit=DEPTH, by="symbol"))
            scores[name].waits.append((time.perf_counter() - start) * 1000)
            row = score(hits, task, root)
            scores[name].rows.append(row)
            scores[name].groups[task.group].append(row)
        sys.stderr.write(f"\r{number} {task.repo} {task.commit[:9]}   ")
    for name, found in scores.items():
        print(_format_line(name, found.rows))
        for group, rows in sorted(found.groups.items()):
            print(_format_line(f"{name}, {group}", rows))
        found.waits.sort()
        print(
            f"query ms: p50 {statistics.median(found.waits):.1f}, p95 {found.waits[int(len(found.waits) * 0.95)]:.1f}"
        )


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=["swebench", "questions", "commits"])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--snapshots", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "bottega-functions")
    parser.add_argument("--every", type=int, default=1, help="only every n-th task")
    parser.add_argument("--repos", nargs="*", default=[], help="only these repositories")
    return parser.parse_args()


def _read_issues(options: argparse.Namespace) -> Iterator[Task]:
    lines = (options.data / "swebench_lite_dev.jsonl").read_text().splitlines()
    issues = {row["instance_id"]: row for row in map(json.loads, lines)}
    found = map(json.loads, (options.data / "swebench_lite_dev_functions.jsonl").read_text().splitlines())
    rows = [row for row in found if row["functions"]]
    for row in sorted(rows, key=lambda row: row["instance_id"])[:: options.every]:
        issue = issues[row["instance_id"]]
        if options.repos and issue["repo"] not in options.repos:
            continue
        gold = [[Span(each["path"], each["first"], each["last"])] for each in row["functions"]]
        changed = [(path, number) for path, number in row["lines"]]
        yield Task(issue["problem_statement"], issue["repo"], issue["base_commit"], issue["repo"], gold, changed)


def _read_questions(options: argparse.Namespace) -> Iterator[Task]:
    for line in QUESTIONS.read_text().splitlines()[:: options.every]:
        row = json.loads(line)
        if not options.repos or row["repo"] in options.repos:
            accepted = [Span(each["path"], each["first"], each["last"]) for each in row["accepted"]]
            yield Task(row["query"], row["repo"], row["commit"], row["language"], [accepted])


def _read_commits(options: argparse.Namespace) -> Iterator[Task]:
    for repo in options.repos:
        git_dir = find_snapshot(options, repo)
        if git_dir is None:
            sys.stderr.write(f"skipped {repo}: no snapshot\n")
            continue
        listed = _git(git_dir, "log", "--no-merges", "--format=%H%x00%P%x00%s%n%b%x01", "-n", "6000").split("\x01")
        taken = 0
        for entry in listed:
            commit, parent, message = [*entry.strip("\n").split("\0"), "", ""][:3]
            if taken >= _MOST_COMMITS or not _FIX.search(message.partition("\n")[0]):
                continue
            task = _build_commit_task(git_dir, repo, commit, parent, message)
            if task is not None:
                taken += 1
                yield task


def _build_commit_task(git_dir: Path, repo: str, commit: str, parent: str, message: str) -> Task | None:
    """`None` for commits that change no function of the package, or too many."""
    title = re.sub(r"\s*\(#\d+\)$|^(?:fix(?:e[sd])?)[:\s]+", "", message.strip(), flags=re.IGNORECASE)
    if len(title) < _SHORTEST_MESSAGE or len(parent.split()) != 1:
        return None
    patch = _git(git_dir, "diff", "-U0", "--no-renames", parent, commit, "--", "*.py")
    lines = [(path, number) for path, number in _list_old_lines(patch) if "test" not in path and "doc" not in path]
    spans = _find_functions(git_dir, parent, lines)
    if not 1 <= len(spans) <= 3:
        return None
    return Task(title, repo, parent, repo, [[span] for span in spans], lines)


def _list_old_lines(patch: str) -> Iterator[tuple[str, int]]:
    """Old lines that a patch removes, and the line before an insertion."""
    path = ""
    for line in patch.splitlines():
        if line.startswith("--- "):
            path = line[6:] if line.startswith("--- a/") else ""
        elif path and (hunk := _HUNK.match(line)):
            count = 1 if hunk[2] is None else int(hunk[2])
            yield from ((path, int(hunk[1]) + offset) for offset in range(max(count, 1)))


def _find_functions(git_dir: Path, commit: str, lines: Sequence[tuple[str, int]]) -> list[Span]:
    """The outermost functions around changed lines."""
    import ast

    found: dict[Span, None] = {}
    for path in dict.fromkeys(path for path, _ in lines):
        try:
            tree = ast.parse(_git(git_dir, "show", f"{commit}:{path}"))
        except SyntaxError:
            continue
        for span in _list_outer_functions(tree, path):
            if any(where == path and span.first <= number <= span.last for where, number in lines):
                found[span] = None
    return list(found)


def _list_outer_functions(tree: Any, path: str) -> Iterator[Span]:
    import ast

    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Span(path, node.lineno, node.end_lineno or node.lineno)
        else:
            yield from _list_outer_functions(node, path)


def _git(git_dir: Path, *arguments: str) -> str:
    command = ["git", "--git-dir", str(git_dir), *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")


def find_snapshot(options: argparse.Namespace, repo: str) -> Path | None:
    base: Path = options.snapshots / repo.replace("/", "+")
    return next((folder for folder in (base / "repo", base) if (folder / "HEAD").exists()), None)


def check_out(options: argparse.Namespace, repo: str, commit: str) -> Path | None:
    source = find_snapshot(options, repo)
    work: Path = options.work / repo.replace("/", "+")
    if source is None:
        sys.stderr.write(f"skipped {repo}: no snapshot\n")
        return None
    if not (work / ".git").exists():
        work.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(source), str(work)], check=True)
    quiet = ["git", "-c", "advice.detachedHead=false", "checkout", "-q", "-f", commit]
    return work if subprocess.run(quiet, cwd=work, check=False).returncode == 0 else None


def _open_searchers(root: Path) -> dict[str, Searcher]:
    store = open_store(root)
    store.refresh()
    snapshot = take_snapshot(root, store.location)
    assert snapshot is not None
    searcher = Searcher(snapshot, is_current=True, folder=store.location.folder)
    searcher.embed_all()
    without = Searcher(snapshot, is_current=True, folder=store.location.folder, by_meaning=False)
    return {"bottega": searcher, "without vectors": without}


def score(hits: Sequence[Hit], task: Task, root: Path) -> dict[str, float]:
    """all@k and any@k; a symbol finds a function that lies in it or that it lies in, unless it is a whole class."""
    ranks = [
        next((rank for rank, hit in enumerate(hits, 1) if any(_is_same(hit, span) for span in spans)), DEPTH + 1)
        for spans in task.gold
    ]
    row = {f"all@{k}": float(all(rank <= k for rank in ranks)) for k in KS}
    row |= {f"any@{k}": float(any(rank <= k for rank in ranks)) for k in KS}
    row["mrr"] = statistics.mean(1 / rank if rank <= DEPTH else 0.0 for rank in ranks)
    if task.lines:
        row |= {f"cover {budget // 1000}k": _measure_cover(hits, task, root, budget) for budget in BUDGETS}
    return row


def _is_same(hit: Hit, span: Span) -> bool:
    """Spans may differ by decorators and comments: most of the lines of both are shared."""
    if hit.span.path != span.path or hit.kind == "file":
        return False
    shared = min(hit.span.last, span.last) - max(hit.span.first, span.first) + 1
    return shared > 0.5 * max(span.last - span.first + 1, hit.span.last - hit.span.first + 1)


def _measure_cover(hits: Sequence[Hit], task: Task, root: Path, budget: int) -> float:
    """The share of changed lines in the first tokens (characters / 4) of whole symbols, each line counted once."""
    texts: dict[str, list[str]] = {}
    shown: set[tuple[str, int]] = set()
    spent = 0.0
    for hit in hits:
        path = hit.span.path
        if path not in texts:
            texts[path] = (root / path).read_text(errors="replace").split("\n")
        lines = [(path, n) for n in range(hit.span.first, hit.span.last + 1) if (path, n) not in shown]
        spent += sum(len(texts[path][n - 1]) + 1 for _, n in lines if n <= len(texts[path])) / 4
        if spent > budget:
            break
        shown.update(lines)
    return sum(line in shown for line in task.lines) / len(task.lines)


def _format_line(name: str, rows: Sequence[Mapping[str, float]]) -> str:
    keys = [key for key in rows[0] if all(key in row for row in rows)]
    figures = " | ".join(f"{key} {statistics.mean(row[key] for row in rows):.3f}" for key in keys)
    return f"| {name} | {len(rows)} | {figures} |"


if __name__ == "__main__":
    main()
