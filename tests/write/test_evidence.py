"""The default pipeline runs what it can, and its result says what was checked and by what."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from bottega.errors import PipelineError
from bottega.home import make_private_directory
from bottega.sandbox import open_sandbox
from bottega.write.compiling import TOOLS, compile_code
from tests.write.shop import BETTER, DOUBTFUL, GOOD, SURE, Shop

Make = Callable[..., Shop]
needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
REQUEST = "a Python function double(n); double(2) returns 4 and double(-3) returns -6"
WRONG = "def double(n):\n    return n + 2\n"
PYTHON = r"compiles \(Python 3\.\d+\)"


@needs_sandbox
def test_examples_that_hold_are_named_and_no_judge_is_asked(shop: Make) -> None:
    s = shop({"write.coder": [GOOD]})
    written = s.write(REQUEST)
    assert written.output == GOOD
    assert s.steps() == ["parse_request", "draft", "try", "check", "finish"]
    assert written.summary.startswith("checked: 2 of 2 examples from the request ran and held; compiles (Python 3.")
    assert [(check.what, check.result) for check in written.checks] == [
        ("2 of 2 examples from the request", "passed"),
        ("compiles", "passed"),
    ]
    assert written.checks[0].by == "Python in bubblewrap"
    assert written.failed_examples == ""


@needs_sandbox
def test_a_failing_example_goes_back_to_the_model_once(shop: Make) -> None:
    s = shop({"write.coder": [WRONG], "write.fixer": [GOOD]})
    assert s.write(REQUEST).output == GOOD
    assert s.steps() == ["parse_request", "draft", "try", "again", "fix", "try", "check", "finish"]
    assert "double(-3) returned -1, but -6 is expected" in s.prompts("write.fixer")[0]


@needs_sandbox
def test_code_that_still_fails_leaves_with_its_failure_named(shop: Make) -> None:
    s = shop({"write.coder": [WRONG], "write.fixer": [WRONG], "write.judge": [SURE]})
    written = s.write(REQUEST)
    assert written.output == WRONG
    assert s.steps().count("fix") == 1
    assert "judge" not in s.steps()
    assert written.failed_examples == "double(-3) returned -1, but -6 is expected"
    assert written.summary.startswith("checked: only 1 of 2 examples from the request held")


@needs_sandbox
def test_a_confident_judge_is_no_check(shop: Make) -> None:
    s = shop({"write.coder": [WRONG], "write.judge": [SURE]})
    written = s.write("a Python function double(n)")
    assert written.checks[0].result == "not run"
    assert "not run: the request gives no example that can be run" in written.summary
    assert written.summary.endswith("the judge's opinion (9/10) is no check")
    assert "accept" not in written.summary


def test_without_a_sandbox_nothing_is_run_and_that_is_said(shop: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    s = shop({"write.coder": [WRONG], "write.judge": [SURE]})
    written = s.write(REQUEST)
    assert written.output == WRONG
    assert written.checks[0].result == "not run"
    assert written.summary.startswith("parsed only (Python); not run: Nothing safe to run a command in")


@needs_sandbox
def test_raw_code_is_tried_and_not_mended(shop: Make) -> None:
    s = shop({"write.coder": [WRONG]})
    assert s.write(f"///raw {REQUEST}").failed_examples
    assert s.steps() == ["parse_request", "draft", "settle", "finish"]


@needs_sandbox
def test_a_review_that_fails_an_example_does_not_replace_the_draft(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.security": [WRONG], "write.judge": [SURE]})
    assert s.write(REQUEST, pipeline="write-secure").output == GOOD
    assert s.decisions()["keep"] == "the review fails 1 example of the request, the draft 0"


@needs_sandbox
def test_the_journal_names_what_was_checked(shop: Make) -> None:
    s = shop({"write.coder": [GOOD]})
    written = s.write(REQUEST)
    notes = s.workshop.journal.notes.of_run(written.run)
    outcomes = {note.name: (note.value, note.reason) for note in notes if note.what == "outcome"}
    assert outcomes["checked"] == ("passed", written.summary.removeprefix("checked: "))
    assert outcomes["examples"] == ("passed", "Python in bubblewrap")


@needs_sandbox
def test_a_replay_needs_no_sandbox(shop: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    s = shop({"write.coder": [WRONG], "write.fixer": [GOOD]})
    written = s.write(REQUEST)
    monkeypatch.setenv("PATH", "/nonexistent")
    assert s.workshop.replay(written.run).result().checks == written.checks


def test_an_old_label_is_refused_with_its_new_name(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.judge": [DOUBTFUL], "write.reviewer": [BETTER]})
    folder = s.root / ".bottega" / "pipelines"
    make_private_directory(folder)
    step = "{id: judge, action: call_judge, on_accept: check, on_escalate: review}"
    (folder / "p.yaml").write_text(f"pipeline:\n  name: old\n  extends: write\n  steps:\n    - {step}\n")
    with pytest.raises(PipelineError, match="never returns accept") as caught:
        s.write("double", pipeline="old")
    assert caught.value.hint == "accept is called no_objection now: write on_no_objection."


SAMPLES = {
    "javascript": ("export const twice = (n) => 2 * n;\n", "const twice = (n) => {{ 2 *;\n"),
    "c": ("#include <stdio.h>\nint main(void) { return 0; }\n", "int main(void) { return x; }\n"),
    "c++": ("#include <vector>\nint main() { std::vector<int> v; }\n", "int main() { vector<int> v; }\n"),
    "rust": ("pub fn twice(n: i64) -> i64 { 2 * n }\n", "pub fn twice(n: i64) -> i64 { m }\n"),
    "java": (
        "public class Twice { int of(int n) { return 2 * n; } }\n",
        "public class Twice { int of() { return x; } }\n",
    ),
    "bash": ("if true; then echo yes; fi\n", "if true; then echo yes\n"),
    "python": ("x = 1\n", "return 1\n"),
}


@needs_sandbox
@pytest.mark.parametrize("language", SAMPLES)
def test_the_tool_of_a_language_tells_right_code_from_wrong(language: str) -> None:
    right, wrong = SAMPLES[language]
    passed = compile_code(right, language, open_sandbox)
    if passed is None:
        pytest.skip(f"{TOOLS[language].program} is not here")
    assert passed.result == "passed"
    failed = compile_code(wrong, language, open_sandbox)
    assert failed is not None
    assert failed.result == "failed"
    assert failed.detail


@needs_sandbox
def test_code_that_needs_what_is_not_here_is_not_called_wrong() -> None:
    code = "#include <no_such_library.h>\nint main(void) { return 0; }\n"
    assert compile_code(code, "c", open_sandbox) is None


@needs_sandbox
@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_code_that_parses_and_does_not_compile_goes_back_once(shop: Make) -> None:
    wrong, right = "int twice(int n) { return m; }\n", "int twice(int n) { return 2 * n; }\n"
    s = shop({"write.coder": [wrong], "write.judge": [SURE], "write.reviewer": [right]})
    written = s.write("double", language="c")
    assert written.output == right
    assert "It does not compile: code.c:1" in s.prompts("write.reviewer")[0]
    assert written.summary.startswith("checked: compiles (C, gcc ")
