"""Try code on cases in the sandbox."""

from __future__ import annotations

import json
import secrets
import sys
from collections.abc import Sequence
from importlib import resources

from bottega.sandbox import Limits, Ran, Sandbox
from bottega.write.cases import Case
from bottega.write.state import TestReport

_GENERATED = " (a test that a model made up; it may be wrong)"


def try_code(
    code: str, *, examples: Sequence[Case], tests: Sequence[Case], sandbox: Sandbox, limits: Limits
) -> TestReport:
    """Run examples of the request and generated tests; a crash or a hang is part of the report."""
    mark = secrets.token_hex(8)
    cases = [*examples, *tests]
    order = {"mark": mark, "cases": [{"call": case.call, "want": case.want} for case in cases]}
    probe = (resources.files("bottega.write") / "probe.py").read_text(encoding="utf-8")
    ran = sandbox.run(
        [sys.executable, "-I", "probe.py"],
        files={"probe.py": probe, "solution.py": code},
        stdin=json.dumps(order),
        limits=limits,
    )
    problem, results = _told(ran, mark)
    if problem:
        return TestReport(
            examples_failed=len(examples),
            tests_failed=len(tests),
            crashes=len(tests),
            problem=problem,
            failures=(problem,),
        )
    failed_examples = [result for result in results[: len(examples)] if result["became"] != "held"]
    failed_tests = [result for result in results[len(examples) :] if result["became"] != "held"]
    return TestReport(
        examples_passed=len(examples) - len(failed_examples),
        examples_failed=len(failed_examples),
        tests_passed=len(tests) - len(failed_tests),
        tests_failed=len(failed_tests),
        crashes=sum(result["became"] == "crashed" for result in failed_tests),
        failures=(
            *(result["text"] for result in failed_examples),
            *(result["text"] + _GENERATED for result in failed_tests),
        ),
    )


def _told(ran: Ran, mark: str) -> tuple[str, list[dict[str, str]]]:
    for line in reversed(ran.stdout.splitlines()):
        if line.startswith(mark):
            told = json.loads(line.removeprefix(mark))
            return told["problem"], told["results"]
    if ran.timed_out:
        return "it did not end in time", []
    last = ran.stderr.strip().splitlines()[-1:] or [f"exit code {ran.code}"]
    return f"it ended before its tests did: {last[0][:300]}", []
