"""What was checked about a result and by what, and its summary in one line. A judge's opinion is not a check."""

from __future__ import annotations

from collections.abc import Sequence

from bottega.amounts import plural
from bottega.source import Parses, SyntaxFault, check_syntax, language_named
from bottega.write.compiling import compile_code
from bottega.write.examples import try_on_examples
from bottega.write.state import EXAMPLES, Check, JudgeResult, TestReport, WriteState
from bottega.write.tools import WriteRun

_OWN_PARSERS = {"python": "Python", "json": "the JSON parser", "toml": "the TOML parser", "yaml": "the YAML parser"}


def check_syntax_by_tool(code: str, language: str, run: WriteRun) -> Check:
    """By a parser first, which needs no sandbox; where it finds nothing wrong, by the tool of the language."""
    parsed = parse_code(code, language)
    if parsed.result == "failed":
        return parsed

    def compile_if_possible() -> dict[str, str] | None:
        check = compile_code(code, language, run.tools.open_sandbox)
        return check.model_dump() if check else None

    recorded = run.effect("compile", compile_if_possible)
    return Check.model_validate(recorded) if recorded else parsed


def parse_code(code: str, language: str) -> Check:
    known = language_named(language)
    if known is None:
        return Check(what="parses", by="", result="not run", detail=f"no tool for {language} here")
    by = _OWN_PARSERS.get(known.name.lower(), "tree-sitter")
    found = check_syntax(code, known)
    if isinstance(found, SyntaxFault):
        detail = f"line {found.line}, column {found.column}: {found.what}"
        return Check(what="parses", by=by, result="failed", detail=detail)
    if isinstance(found, Parses):
        return Check(what="parses", by=by, result="passed")
    return Check(what="parses", by="", result="not run", detail=f"no tool for {known.name} here")


def collect_checks(state: WriteState, run: WriteRun) -> tuple[Check, ...]:
    """Everything that was found out about the result; examples that were not run on this very code are run now."""
    report = try_on_examples(state, run, state.current)
    compiled = state.compiled or Check(what="parses", by="", result="not run", detail="no step checks it")
    if report is None:
        examples = [Check(what=EXAMPLES, by="", result="not run", detail=state.not_run)]
    else:
        examples = _list_report_checks(report, run)
    return (*examples, compiled)


def _list_report_checks(report: TestReport, run: WriteRun) -> list[Check]:
    by = f"Python in {run.effect('sandbox', lambda: run.tools.open_sandbox().name)}"
    found = []
    count = report.examples_passed + report.examples_failed
    if count:
        result, detail = (
            ("failed", "; ".join(report.failures[: report.examples_failed])[:1000])
            if report.examples_failed
            else ("passed", "")
        )
        what = f"{report.examples_passed} of {count} {EXAMPLES}"
        found.append(Check(what=what, by=by, result=result, detail=detail))
    made_up = report.tests_passed + report.tests_failed
    if made_up:
        detail = f"{report.tests_passed} of {made_up} gave what the model expects, {report.crashes} crashed"
        found.append(
            Check(
                what=f"{plural(made_up, 'input')} that a model made up",
                by=by,
                result="failed" if report.crashes else "passed",
                detail=detail,
            )
        )
    return found


def summarize(checks: Sequence[Check], language: str, judged: JudgeResult | None) -> str:
    """One line: what was checked and by what, what was not, and what the judge's opinion is worth."""
    *tried, compiled = checks
    ran = [_describe_trial(check) for check in tried if check.result != "not run"]
    skipped = [f"not run: {check.detail}" for check in tried if check.result == "not run"]
    if compiled.result == "not run":
        line = "; ".join([*ran, *skipped]) if ran else f"not checked: {compiled.detail}"
    else:
        line = "; ".join([*ran, _describe_compilation(compiled, language, is_all=not ran), *skipped])
    opinion = "" if ran else _describe_opinion(judged)
    is_checked = ran or (compiled.what == "compiles" and compiled.result == "passed")
    prefix = "checked: " if is_checked else ""
    return f"{prefix}{line}{opinion}"


def _describe_trial(check: Check) -> str:
    if check.is_about_examples:
        return f"{check.what} ran and held" if check.result == "passed" else f"only {check.what} held"
    return f"{check.what}: {check.detail}"


def _describe_compilation(check: Check, language: str, *, is_all: bool) -> str:
    named = check.by if check.by.lower().startswith(language.lower()) else f"{language}, {check.by}"
    if check.result == "failed":
        return f"does not {check.what.removesuffix('s')} ({named}): {check.detail}"
    if check.what == "parses":
        return f"parsed only ({named})" if is_all else f"parses ({named})"
    return f"compiles ({named})"


def _describe_opinion(judged: JudgeResult | None) -> str:
    if judged is not None and judged.parse_error:
        return "; the judge's opinion could not be read"
    if judged is None or judged.confidence_score is None:
        return ""
    return f"; the judge's opinion ({judged.confidence_score}/10) is no check"
