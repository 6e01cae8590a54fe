"""Tests: those the request gives, those a model makes up, and what running them shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pydantic import Field

from bottega.amounts import plural
from bottega.errors import ReplyRejected
from bottega.pipeline import DONE, Params, action
from bottega.source import language_named
from bottega.write.asking import build_request
from bottega.write.asserts import AssertsContract
from bottega.write.cases import find_assert_cases, find_cases
from bottega.write.examples import can_run, list_examples, run_cases, try_on_examples
from bottega.write.state import Candidate, TestReport, WriteState
from bottega.write.tools import WriteRun

_TESTER_TOKENS = 384


class TesterParams(Params):
    enough: int = Field(1, ge=1, description="examples in the request that make made-up tests unnecessary")
    believe: Literal["crashes", "values"] = "crashes"


@action(DONE, params=TesterParams)
def call_tester(state: WriteState, run: WriteRun) -> str:
    """Have tests written from the request alone, so that they do not repeat the draft's mistakes.

    Where the request gives examples enough, none are made up: a person's examples are evidence, a model's are a guess.
    What a made-up test expects is believed only where the step says so; that the code crashes on it is believed always.
    """
    state.believe_values = run.params_as(TesterParams).believe == "values"
    if not can_run(state):
        run.decide("tests", 0, f"tests are run for Python only, not for {state.language}")
        return DONE
    examples = len(find_cases(state.prompt))
    if examples >= run.params_as(TesterParams).enough:
        run.decide("tests", 0, f"the request gives {plural(examples, 'example')}")
        return DONE
    request = build_request(state, "tester", "write.tester", language_named(state.language), request=state.prompt)
    try:
        cases = run.ask(replace(request, max_tokens=_TESTER_TOKENS), AssertsContract(), role="coding").value
    except ReplyRejected as error:
        run.decide("tests", 0, str(error))
        return DONE
    examples_given = {case.call for case in find_cases(state.prompt)}
    state.tests = tuple(f"assert {case}" for case in cases if case.call not in examples_given)
    run.decide("tests", len(state.tests), f"{len(examples_given)} more are given by the request")
    return DONE


@action("pass", "fail", "unknown")
def run_tests(state: WriteState, run: WriteRun) -> str:
    """Run every test on the newest candidate."""
    if not state.candidates:
        state.candidates = (Candidate(code=state.current, source="draft"),)
    last = state.candidates[-1]
    examples = list_examples(state, last.code)
    tests = [case for line in state.tests for case in find_assert_cases(line)]
    if not can_run(state) or not (examples or tests):
        run.validate("tests", "unknown", "nothing to run")
        return "unknown"
    report = run_cases(run, last.code, examples, tests)
    if not report.count:
        run.validate("tests", "unknown", "no test compares the code with a value")
        return "unknown"
    state.candidates = (*state.candidates[:-1], last.model_copy(update={"report": report}))
    return _record_report(state, run, report, last.source)


@action("pass", "fail", "not_run")
def try_examples(state: WriteState, run: WriteRun) -> str:
    """Run the examples that the request gives on the newest candidate, where there are any and a sandbox."""
    if not state.candidates:
        state.candidates = (Candidate(code=state.current, source="draft"),)
    last = state.candidates[-1]
    report = try_on_examples(state, run, last.code)
    if report is None:
        run.validate("examples", "unknown", state.not_run)
        return "not_run"
    return _record_report(state, run, report, last.source)


@action(DONE)
def run_examples(state: WriteState, run: WriteRun) -> str:
    """Run the examples that the request gives on every candidate, where there are any and a sandbox."""
    reports = [try_on_examples(state, run, candidate.code) for candidate in state.candidates]
    ran = [report for report in reports if report is not None]
    if not ran:
        run.validate("examples", "unknown", state.not_run)
        return DONE
    passing = sum(report.holds() for report in ran)
    run.validate("examples", "passed" if passing else "failed", f"{passing} of {len(reports)} drafts pass")
    return DONE


def _record_report(state: WriteState, run: WriteRun, report: TestReport, source: str) -> str:
    holds = report.holds(values=state.believe_values)
    run.validate("tests", "passed" if holds else "failed", "; ".join(report.failures)[:2000])
    run.say(f"{source}: {report.examples_passed + report.tests_passed} of {report.count} tests pass")
    return "pass" if holds else "fail"
