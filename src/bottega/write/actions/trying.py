"""Tests: those the request gives, those a model makes up, and what running them shows."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from pydantic import Field

from bottega.errors import ReplyRejected, SandboxError
from bottega.pipeline import DONE, Params, action
from bottega.source import language_named
from bottega.write.asking import request_of
from bottega.write.asserts import AssertsContract
from bottega.write.cases import Case, cases_in, cases_of_asserts
from bottega.write.state import Candidate, TestReport, WriteState
from bottega.write.tools import WriteRun
from bottega.write.trial import try_code

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
    if not _can_run(state):
        run.decide("tests", 0, f"tests are run for Python only, not for {state.language}")
        return DONE
    examples = len(cases_in(state.prompt))
    if examples >= run.params_as(TesterParams).enough:
        run.decide("tests", 0, f"the request gives {examples} examples")
        return DONE
    request = request_of("tester", "write.tester", language_named(state.language), request=state.prompt)
    try:
        cases = run.ask(replace(request, max_tokens=_TESTER_TOKENS), AssertsContract(), role="coding").value
    except ReplyRejected as error:
        run.decide("tests", 0, str(error))
        return DONE
    given = {case.call for case in cases_in(state.prompt)}
    state.tests = tuple(f"assert {case}" for case in cases if case.call not in given)
    run.decide("tests", len(state.tests), f"{len(given)} more are given by the request")
    return DONE


@action("pass", "fail", "unknown")
def run_tests(state: WriteState, run: WriteRun) -> str:
    """Run every test on the newest candidate."""
    if not state.candidates:
        state.candidates = (Candidate(code=state.current, source="draft"),)
    examples = cases_in(state.prompt)
    tests = [case for line in state.tests for case in cases_of_asserts(line)]
    if not _can_run(state) or not (examples or tests):
        run.validate("tests", "unknown", "nothing to run")
        return "unknown"
    last = state.candidates[-1]
    report = _tried(run, last, examples, tests)
    state.candidates = (*state.candidates[:-1], last.model_copy(update={"report": report}))
    holds = report.holds(values=state.believe_values)
    run.validate("tests", "passed" if holds else "failed", "; ".join(report.failures)[:2000])
    run.say(f"{last.source}: {report.examples_passed + report.tests_passed} of {len(examples) + len(tests)} tests pass")
    return "pass" if holds else "fail"


@action(DONE)
def run_examples(state: WriteState, run: WriteRun) -> str:
    """Run the examples that the request gives on every candidate, where there are any and a sandbox."""
    examples = cases_in(state.prompt) if _can_run(state) else []
    if not examples:
        run.validate("examples", "unknown", "the request gives none that can be run")
        return DONE
    try:
        state.candidates = tuple(
            candidate.model_copy(update={"report": _tried(run, candidate, examples, [])})
            for candidate in state.candidates
        )
    except SandboxError as error:
        run.validate("examples", "unknown", str(error))
        run.say(f"the examples were not run: {error}")
        return DONE
    passing = sum(candidate.report is not None and candidate.report.holds() for candidate in state.candidates)
    run.validate("examples", "passed" if passing else "failed", f"{passing} of {len(state.candidates)} drafts pass")
    return DONE


def _tried(run: WriteRun, candidate: Candidate, examples: list[Case], tests: list[Case]) -> TestReport:
    def tried() -> dict[str, object]:
        sandbox = run.tools.open_sandbox()
        report = try_code(candidate.code, examples=examples, tests=tests, sandbox=sandbox, limits=run.tools.limits)
        return report.model_dump(mode="json")

    return TestReport.model_validate(run.effect("tests", tried))


def _can_run(state: WriteState) -> bool:
    language = language_named(state.language)
    return language is not None and language.name.lower() == "python"
