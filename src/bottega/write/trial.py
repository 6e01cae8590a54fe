"""Try code on cases: the sandbox evaluates, this process compares. Expected values never enter the sandbox."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

from bottega.sandbox import CommandResult, Limits, Sandbox
from bottega.write.cases import Case
from bottega.write.claims import Claim, build_claim
from bottega.write.state import TestReport
from bottega.write.values import decode_value

_GENERATED = " (a test that a model made up; it may be wrong)"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one case: `failure` is "" when it held."""

    failure: str = ""
    crashed: bool = False


def try_code(
    code: str, *, examples: Sequence[Case], tests: Sequence[Case], sandbox: Sandbox, limits: Limits
) -> TestReport:
    """Run examples of the request and generated tests; a crash or a hang is part of the report.

    A case that cannot be judged from outside is not run and not counted.
    """
    from_request = [claim for case in examples if (claim := build_claim(case))]
    generated = [claim for case in tests if (claim := build_claim(case))]
    claims = [*from_request, *generated]
    if not claims:
        return TestReport()
    expressions = [expression for claim in claims for expression in claim.expressions]
    ran = sandbox.run(
        [sys.executable, "-I", "probe.py"],
        files={"probe.py": _read_probe(), "solution.py": code},
        stdin=json.dumps(expressions),
        limits=limits,
    )
    problem, results = _read_reply(ran, len(expressions))
    if problem:
        return TestReport(
            examples_failed=len(from_request),
            tests_failed=len(generated),
            crashes=len(generated),
            problem=problem,
            failures=(problem,),
        )
    verdicts = _judge_all(claims, results)
    return _make_report(verdicts[: len(from_request)], verdicts[len(from_request) :])


def _read_probe() -> str:
    return (resources.files("bottega.write") / "probe.py").read_text(encoding="utf-8")


def _make_report(from_request: Sequence[Verdict], generated: Sequence[Verdict]) -> TestReport:
    failed = [verdict for verdict in from_request if verdict.failure]
    failed_generated = [verdict for verdict in generated if verdict.failure]
    return TestReport(
        examples_passed=len(from_request) - len(failed),
        examples_failed=len(failed),
        tests_passed=len(generated) - len(failed_generated),
        tests_failed=len(failed_generated),
        crashes=sum(verdict.crashed for verdict in failed_generated),
        failures=(
            *(verdict.failure for verdict in failed),
            *(verdict.failure + _GENERATED for verdict in failed_generated),
        ),
    )


def _judge_all(claims: Sequence[Claim], results: Sequence[tuple[str, Any]]) -> list[Verdict]:
    verdicts, at = [], 0
    for claim in claims:
        verdicts.append(_judge(claim, results[at : at + len(claim.expressions)]))
        at += len(claim.expressions)
    return verdicts


def _judge(claim: Claim, results: Sequence[tuple[str, Any]]) -> Verdict:
    for expression, (kind, value) in zip(claim.expressions, results, strict=True):
        if kind == "raised":
            return Verdict(f"{expression} {value}", crashed=True)
    return Verdict(claim.judge([value for _, value in results]))


def _read_reply(ran: CommandResult, expected: int) -> tuple[str, list[tuple[str, Any]]]:
    """Why nothing can be said, or a result for every expression: exactly one line, of the one form there is."""
    if ran.timed_out:
        return "it did not end in time", []
    if ran.overrun:
        return f"it was stopped: it used {ran.overrun}", []
    if not ran.stdout or ran.code != 0:
        last = ran.stderr.strip().splitlines()[-1:] or [f"exit code {ran.code}"]
        return f"it ended before its tests did: {last[0][:300]}", []
    try:
        reply = json.loads(ran.stdout)
        results = [_result(entry) for entry in reply["results"]]
        problem = str(reply["problem"])[:500]
    except (ValueError, TypeError, KeyError, RecursionError, OverflowError):
        return "it interfered with its tests: what they wrote cannot be read", []
    if problem or len(results) == expected:
        return problem, results
    return f"it interfered with its tests: {len(results)} results for {expected} expressions", []


def _result(entry: Any) -> tuple[str, Any]:
    match entry:
        case ["value", tree]:
            return "value", decode_value(tree)
        case ["raised", str(text)]:
            return "raised", text[:500]
    raise ValueError("neither a value nor an error")
