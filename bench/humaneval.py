"""pass@1 of `write` on HumanEval, pipeline by pipeline, with tokens, minutes and what the judge did.

The data is OpenAI's human-eval (MIT), which is not part of this repository:

    python bench/humaneval.py --data HumanEval.jsonl.gz --cache humaneval.sqlite --out humaneval.json

Every model reply is kept in --cache by the hash of its request: a run that was interrupted goes on, and pipelines that
ask the same question (the greedy first draft) are answered the same. Minutes are the summed latencies of the calls that
a pipeline made, cached or not, so they are what a person would have waited.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import sqlite3
import sys
import tempfile
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bottega.errors import BottegaError
from bottega.models import Model, ModelConfig, OnText, Reply, Request, Usage, open_model
from bottega.models.request import request_hash
from bottega.sandbox import Limits, Sandbox, open_sandbox
from bottega.workshop import Opening, Workshop
from bottega.write import WriteRequest, WriteState

RUNS = {
    "raw": ("write", "raw"),
    "write": ("write", None),
    "write-tested": ("write-tested", None),
    "write-best-of": ("write-best-of", None),
    "write-vote": ("write-vote", None),
    "write-secure": ("write-secure", None),
}
REQUEST = "Write this Python function. Keep its name and parameters.\n\n{prompt}"


class Replies:
    """Replies by request, on disk."""

    def __init__(self, path: Path) -> None:
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._db.execute("CREATE TABLE IF NOT EXISTS replies (key TEXT PRIMARY KEY, reply TEXT NOT NULL)")
        self._lock = threading.Lock()

    def get(self, key: str) -> Reply | None:
        with self._lock:
            row = self._db.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        content = json.loads(row[0])
        return Reply(**{**content, "usage": Usage(**content["usage"]), "tool_calls": ()})

    def put(self, key: str, reply: Reply) -> None:
        with self._lock:
            self._db.execute("INSERT OR REPLACE INTO replies VALUES (?, ?)", (key, json.dumps(asdict(reply))))


class Cached:
    """A model whose replies are kept."""

    def __init__(self, inner: Model, replies: Replies) -> None:
        self.name = inner.name
        self._inner = inner
        self._replies = replies

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        key = request_hash({"model": self.name, **request.as_json()})
        known = self._replies.get(key)
        if known is None:
            known = self._inner.complete(request, on_text)
            self._replies.put(key, known)
        return known


@dataclass(frozen=True, slots=True)
class Result:
    task: str
    passed: bool
    draft_passed: bool | None
    escalated: bool
    kept_draft: bool | None
    tokens: int
    seconds: float
    calls: int
    error: str
    output: str
    state: dict[str, Any]


def main() -> None:
    options = _options()
    problems = _problems(options.data)[: options.limit or None]
    replies = Replies(options.cache)
    results: dict[str, list[Result]] = {}
    shared: dict[ModelConfig, Model] = {}
    lock = threading.Lock()

    def cached(config: ModelConfig, environ: Mapping[str, str]) -> Model:
        with lock:
            if config not in shared:
                shared[config] = open_model(config, environ)
            return Cached(shared[config], replies)

    sandbox = open_sandbox(allow_unsafe=False)
    for name in options.pipelines.split(","):
        with ThreadPoolExecutor(options.parallel) as pool:
            work = [pool.submit(_solve, problem, name, options, cached, sandbox) for problem in problems]
            results[name] = []
            for number, future in enumerate(work, 1):
                results[name].append(future.result())
                passed = sum(result.passed for result in results[name])
                sys.stderr.write(f"\r{name}: {passed}/{number} passed")
        sys.stderr.write("\n")
        if options.out:
            _save(options.out, results)
    print(report(results))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="HumanEval.jsonl.gz")
    parser.add_argument("--cache", type=Path, required=True, help="SQLite file of replies")
    parser.add_argument("--out", type=Path, help="JSON file of results")
    parser.add_argument("--model", default="embedded/qwen2.5-coder-1.5b")
    parser.add_argument("--pipelines", default="raw,write,write-tested,write-best-of")
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--parallel", type=int, default=1)
    parser.add_argument("--set", dest="assignments", action="append", default=[])
    return parser.parse_args()


def _problems(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def _solve(problem: dict[str, str], name: str, options: Any, cached: Any, sandbox: Sandbox) -> Result:
    pipeline_name, mode = RUNS[name]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        assignments = [f"providers.embedded.concurrency={options.parallel}", *options.assignments]
        environ = {**os.environ, "HOME": folder}
        opening = Opening(root, tuple(assignments), model=options.model, is_exact=True, environ=environ)
        workshop = Workshop(opening, open_model=cached)
        text = REQUEST.format(prompt=problem["prompt"])
        request = WriteRequest(text=text, mode=mode or "", language="python", pipeline=pipeline_name)
        try:
            output, error = workshop.call(request).output, ""
        except BottegaError as problem_met:
            output, error = "", f"{type(problem_met).__name__}: {problem_met}"
        run = workshop.journal.runs.get("last")
        calls = workshop.journal.calls.of_run(run.id)
        state = WriteState.model_validate_json(run.final_state or run.input)
        workshop.close()
    seconds = sum(call.latency_ms or 0 for call in calls) / 1000
    tokens = sum((call.prompt_tokens or 0) + (call.completion_tokens or 0) for call in calls)
    draft = state.draft
    return Result(
        task=problem["task_id"],
        passed=bool(output) and holds(problem, output, sandbox),
        draft_passed=holds(problem, draft, sandbox) if draft else None,
        escalated=state.escalated,
        kept_draft=(output == draft) if draft and output else None,
        tokens=tokens,
        seconds=seconds,
        calls=len(calls),
        error=error,
        output=output,
        state=state.model_dump(
            mode="json", include={"judged_draft", "judged_review", "tests", "candidates", "reviewed"}
        ),
    )


def holds(problem: dict[str, str], code: str, sandbox: Sandbox) -> bool:
    """Whether the code passes the problem's own tests. Imports of the prompt stay available, as in the original."""
    preamble = problem["prompt"].split("def ")[0]
    program = f"{preamble}\n{code}\n{problem['test']}\ncheck({problem['entry_point']})\nprint('held')\n"
    ran = sandbox.run([sys.executable, "-I", "p.py"], files={"p.py": program}, limits=Limits(seconds=15.0))
    return ran.ok and ran.stdout.endswith("held\n")


def _save(path: Path, results: Mapping[str, list[Result]]) -> None:
    path.write_text(json.dumps({name: [asdict(entry) for entry in rows] for name, rows in results.items()}, indent=1))


def report(results: Mapping[str, list[Result]]) -> str:
    lines = ["| pipeline | pass@1 | passed | tokens | minutes | calls | escalated | mended | broken | errors |"]
    lines.append("|---|---|---|---|---|---|---|---|---|---|")
    for name, rows in results.items():
        passed = sum(row.passed for row in rows)
        mended = sum(row.passed and row.draft_passed is False for row in rows)
        broken = sum(not row.passed and row.draft_passed is True for row in rows)
        lines.append(
            f"| {name} | {100 * passed / len(rows):.1f} | {passed}/{len(rows)} | {sum(r.tokens for r in rows):,} "
            f"| {sum(r.seconds for r in rows) / 60:.1f} | {sum(r.calls for r in rows)} "
            f"| {sum(r.escalated for r in rows)} | {mended} | {broken} | {sum(bool(r.error) for r in rows)} |"
        )
    return "\n".join(lines)


if __name__ == "__main__":
    main()
