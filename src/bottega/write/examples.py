"""The request's own examples, tried on code wherever there is a sandbox."""

from __future__ import annotations

from collections.abc import Sequence

from bottega.errors import SandboxError
from bottega.source import language_named
from bottega.write.cases import Case, find_cases
from bottega.write.state import Candidate, TestReport, WriteState
from bottega.write.tools import WriteRun
from bottega.write.trial import try_code


def can_run(state: WriteState) -> bool:
    language = language_named(state.language)
    return language is not None and language.name.lower() == "python"


def list_examples(state: WriteState, code: str) -> list[Case]:
    return find_cases(state.prompt, code) if can_run(state) else []


def try_on_examples(state: WriteState, run: WriteRun, code: str) -> TestReport | None:
    """The report of these examples on this code, once for each code.

    `None` where there are none or no sandbox; `state.not_run` then says why.
    """
    reports = (candidate.report for candidate in state.candidates if candidate.code == code)
    known = next((report for report in reports if report), None)
    if known is not None:
        return known
    examples = list_examples(state, code)
    if not examples:
        state.not_run = _explain_none(state)
        return None
    answer = run.effect("tests", lambda: _try_where_sandboxed(run, code, examples))
    if "not_run" in answer:
        state.not_run = str(answer["not_run"])
        return None
    report = TestReport.model_validate(answer)
    if not report.count:
        state.not_run = "the examples of the request compare the code with itself"
        return None
    _record_report(state, code, report)
    return report


def run_cases(run: WriteRun, code: str, examples: Sequence[Case], tests: Sequence[Case]) -> TestReport:
    """Raise `SandboxError` where no sandbox is available."""
    return TestReport.model_validate(run.effect("tests", lambda: _try_cases(run, code, examples, tests)))


def _try_where_sandboxed(run: WriteRun, code: str, examples: Sequence[Case]) -> dict[str, object]:
    try:
        return _try_cases(run, code, examples, [])
    except SandboxError as error:
        return {"not_run": str(error)}


def _try_cases(run: WriteRun, code: str, examples: Sequence[Case], tests: Sequence[Case]) -> dict[str, object]:
    sandbox = run.tools.open_sandbox()
    report = try_code(code, examples=examples, tests=tests, sandbox=sandbox, limits=run.tools.limits)
    return report.model_dump(mode="json")


def _explain_none(state: WriteState) -> str:
    if not can_run(state):
        return f"examples are run for Python only, not for {state.language}"
    return "the request gives no example that can be run"


def _record_report(state: WriteState, code: str, report: TestReport) -> None:
    if not any(entry.code == code for entry in state.candidates):
        state.candidates = (*state.candidates, Candidate(code=code, source="result"))
    state.candidates = tuple(
        entry.model_copy(update={"report": report}) if entry.code == code else entry for entry in state.candidates
    )
