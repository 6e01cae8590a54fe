"""What `retrieve` shows of the code that has to be changed, within a token budget.

    python bench/context.py --data DIR --snapshots DIR [--every 3] [--tokens 4000 8000 24000]

DIR of the data holds `swebench_lite_dev.jsonl` and `swebench_lite_dev_functions.jsonl`. A function counts
as inside when it is shown whole, or shortened with every line that the real fix changed; `whole` counts only the
former. `file` is the share of issues with every changed file in the package, `gold share` the mean share of tokens in
files that the fix changed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.functions import check_out

from bottega.index import open_knowledge
from bottega.retrieve import embed_all
from bottega.retrieve.context import ContextPackage, ContextTask, ContextUnit, DetailLevel, assemble_context
from bottega.source import estimate_tokens


def main() -> None:
    options = _parse_options()
    rows: dict[int, list[dict[str, float]]] = defaultdict(list)
    for number, (issue, gold) in enumerate(_read_issues(options), 1):
        root = check_out(options, issue["repo"], issue["base_commit"])
        if root is None:
            continue
        knowledge = open_knowledge(root)
        with knowledge.reading() as reader:
            embed_all(knowledge)
        with knowledge.reading(refresh=False) as reader:
            for tokens in options.tokens:
                package = assemble_context(ContextTask(issue["problem_statement"]), reader, tokens)
                rows[tokens].append(score(package, issue, gold, root))
        knowledge.close()
        sys.stderr.write(f"\r{number} {issue['instance_id']}   ")
    for tokens, scored in rows.items():
        print(_format(tokens, scored))


def score(package: ContextPackage, issue: Mapping[str, Any], gold: Mapping[str, Any], root: Path) -> dict[str, float]:
    paths = {unit.path for unit in package.units}
    row = {"file": float(all(path in paths for path in issue["gold_files"]))}
    in_gold = sum(estimate_tokens(unit.text) for unit in package.units if unit.path in issue["gold_files"])
    row["gold share"] = in_gold / max(1, sum(estimate_tokens(unit.text) for unit in package.units))
    row["ms"] = sum(package.stage_ms.values())
    if gold.get("functions"):
        found = [_find_level(package.units, function, gold["lines"], root) for function in gold["functions"]]
        row["inside"] = float(all(level >= 1 for level in found))
        row["whole"] = float(all(level >= 2 for level in found))
    return row


def _find_level(
    units: Sequence[ContextUnit], function: Mapping[str, Any], changed: Sequence[Sequence[Any]], root: Path
) -> int:
    """2 when a function is shown whole, 1 when it is shortened and shows every changed line, else 0."""
    best = 0
    for unit in units:
        shared = min(unit.last, function["last"]) - max(unit.first, function["first"]) + 1
        is_around = unit.path == function["path"] and unit.level is DetailLevel.PRIMARY and unit.kind != "file"
        if not is_around or shared <= 0.9 * (function["last"] - function["first"] + 1):
            continue
        if not unit.left_out:
            return 2
        lines = (root / unit.path).read_text(errors="replace").split("\n")
        shown = set(unit.text.split("\n"))
        wanted = [
            lines[n - 1] for path, n in changed if path == unit.path and function["first"] <= n <= function["last"]
        ]
        best = max(best, int(bool(wanted) and all(line in shown for line in wanted)))
    return best


def _read_issues(options: argparse.Namespace) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    issues = map(json.loads, (options.data / "swebench_lite_dev.jsonl").read_text().splitlines())
    functions = map(json.loads, (options.data / "swebench_lite_dev_functions.jsonl").read_text().splitlines())
    gold = {row["instance_id"]: row for row in functions}
    for issue in sorted(issues, key=lambda row: row["instance_id"])[:: options.every]:
        yield issue, gold.get(issue["instance_id"], {})


def _format(tokens: int, rows: Sequence[Mapping[str, float]]) -> str:
    named = {key: [row[key] for row in rows if key in row] for key in ("inside", "whole", "file", "gold share")}
    figures = " | ".join(
        f"{key} {statistics.mean(values):.3f} ({len(values)})" for key, values in named.items() if values
    )
    waits = sorted(row["ms"] for row in rows)
    return f"| {tokens} | {figures} | ms p50 {statistics.median(waits):.0f}, p95 {waits[int(len(waits) * 0.95)]:.0f} |"


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--snapshots", type=Path, required=True)
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "bottega-context")
    parser.add_argument("--every", type=int, default=1, help="only every n-th issue")
    parser.add_argument("--tokens", type=int, nargs="+", default=[4_000, 8_000, 24_000])
    return parser.parse_args()


if __name__ == "__main__":
    main()
