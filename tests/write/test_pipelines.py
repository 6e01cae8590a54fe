"""The shipped pipelines that extend `write`, each carried out with scripted models and the real sandbox."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from bottega.errors import SandboxError
from bottega.home import make_private_directory
from tests.write.shop import BETTER, DOUBTFUL, GOOD, SURE, Shop

Make = Callable[..., Shop]
needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

REQUEST = "a Python function double(n)\n\n>>> double(2)\n4\n>>> double(-3)\n-6\n"
PLAIN = "a Python function double(n)"
WRONG = "def double(n):\n    return n + 2\n"
ASSERTS = "assert double(0) == 0\nassert double(5) == 10\n"


def test_secure_always_ends_with_a_security_reviewer(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.judge": [SURE, SURE], "write.security": [BETTER]})
    assert s.write("double", pipeline="write-secure").output == BETTER
    assert "injection" in s.prompts("write.security")[0]
    assert s.steps() == ["parse_request", "draft", "try", "judge", "secure", "rejudge_secure", "check", "finish"]


def test_secure_reviews_what_the_reviewer_made(shop: Make) -> None:
    s = shop(
        {
            "write.coder": [GOOD],
            "write.judge": [DOUBTFUL, SURE, SURE],
            "write.reviewer": [BETTER],
            "write.security": ["def double(n: int) -> int:\n    return n * 2\n"],
        }
    )
    assert "int) -> int" in s.write("double", pipeline="write-secure").output
    assert BETTER.strip() in s.prompts("write.security")[0]
    assert s.history()[0]["coder_output"] == GOOD


@needs_sandbox
def test_tested_code_that_passes_leaves_at_once(shop: Make) -> None:
    s = shop({"write.coder": [GOOD]})
    assert s.write(REQUEST, pipeline="write-tested").output == GOOD
    assert ("tests", "passed") in s.validations()
    assert s.decisions()["tests"] == "the request gives 2 examples"


@needs_sandbox
def test_where_the_request_gives_no_examples_tests_are_made_up(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.tester": [ASSERTS]})
    assert s.write(PLAIN, pipeline="write-tested").output == GOOD
    assert PLAIN in s.prompts("write.tester")[0]


@needs_sandbox
def test_the_failure_text_goes_back_to_the_coder(shop: Make) -> None:
    s = shop({"write.coder": [WRONG], "write.fixer": [GOOD]})
    assert s.write(REQUEST, pipeline="write-tested").output == GOOD
    assert "double(-3) returned -1, but -6 is expected" in s.prompts("write.fixer")[0]
    assert [value for name, value in s.validations() if name == "tests"] == ["failed", "passed"]


@needs_sandbox
def test_after_one_correction_the_coder_starts_over_with_the_failures_in_view(shop: Make) -> None:
    s = shop({"write.coder": [WRONG], "write.fixer": [WRONG, GOOD]})
    assert s.write(REQUEST, pipeline="write-tested").output == GOOD
    correction, fresh = s.prompts("write.fixer")
    assert WRONG.strip() in correction
    assert WRONG.strip() not in fresh
    assert "double(-3) returned -1, but -6 is expected" in fresh


@needs_sandbox
def test_a_crash_on_a_made_up_test_is_believed(shop: Make) -> None:
    crashing = "def double(n):\n    return n.twice\n"
    s = shop({"write.coder": [crashing], "write.tester": [ASSERTS], "write.fixer": [GOOD]})
    assert s.write(PLAIN, pipeline="write-tested").output == GOOD
    assert "raised AttributeError" in s.prompts("write.fixer")[0]


@needs_sandbox
def test_the_value_that_a_made_up_test_expects_is_not_believed(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.tester": ["assert double(5) == 11\n"]})
    assert s.write(PLAIN, pipeline="write-tested").output == GOOD


@needs_sandbox
def test_a_pipeline_may_believe_the_values_too(shop: Make) -> None:
    s = shop({"write.coder": [WRONG], "write.tester": [ASSERTS], "write.fixer": [GOOD]})
    folder = s.root / ".bottega" / "pipelines"
    make_private_directory(folder)
    step = "{id: generate, action: call_tester, believe: values, next: try}"
    (folder / "p.yaml").write_text(f"pipeline:\n  name: trusting\n  extends: write-tested\n  steps:\n    - {step}\n")
    assert s.write(PLAIN, pipeline="trusting").output == GOOD


@needs_sandbox
def test_retries_are_bounded_and_the_best_candidate_is_kept(shop: Make) -> None:
    half = "def double(n):\n    return 4 if n == 2 else 0\n"
    none = "def double(n):\n    return None\n"
    s = shop({"write.coder": [none], "write.fixer": [half, none, none, none, none]})
    assert s.write(REQUEST, pipeline="write-tested").output == half
    assert s.steps().count("fix") == 5
    assert s.steps()[-3:] == ["choose", "check", "finish"]


@needs_sandbox
def test_an_endless_loop_in_the_draft_is_a_failure_not_a_hang(shop: Make) -> None:
    endless = "def double(n):\n    while True:\n        pass\n"
    s = shop({"write.coder": [endless], "write.tester": ["assert double(1) == 2"], "write.fixer": [GOOD]})
    assert s.write(PLAIN, pipeline="write-tested").output == GOOD


@needs_sandbox
def test_code_that_ends_the_process_is_a_failure(shop: Make) -> None:
    s = shop({"write.coder": ["import os\nos._exit(0)\n"], "write.fixer": [GOOD]})
    assert s.write(REQUEST, pipeline="write-tested").output == GOOD
    assert "ended before its tests did" in s.prompts("write.fixer")[0]


def test_without_a_sandbox_tested_refuses_to_run_code(shop: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    s = shop({"write.coder": [GOOD], "write.tester": [ASSERTS]})
    with pytest.raises(SandboxError) as caught:
        s.write(REQUEST, pipeline="write-tested")
    assert "--allow-unsafe-sandbox" in caught.value.hint


def test_a_language_that_cannot_be_run_is_said_not_hidden(shop: Make) -> None:
    s = shop({"write.coder": ["package main\n\nfunc Double(n int) int { return 2 * n }\n"]})
    s.write("double", pipeline="write-tested", language="go")
    assert ("tests", "unknown") in s.validations()


def _vote(vote: str, reason: str = "Shown with an input.") -> str:
    return f'{{"reason": "{reason}", "vote": "{vote}"}}'


def test_a_majority_of_votes_against_calls_the_reviewer_with_the_reasons(shop: Make) -> None:
    votes = [_vote("reject", "double(0) fails"), _vote("accept"), _vote("reject", "no docstring asked")]
    s = shop({"write.coder": [GOOD], "write.voter": votes, "write.reviewer": [BETTER], "write.judge": [SURE]})
    written = s.write("double", pipeline="write-vote")
    assert written.output == BETTER
    assert "double(0) fails" in written.escalation_reason
    assert "double(0) fails" in s.prompts("write.reviewer")[0]


def test_a_minority_against_lets_the_draft_through(shop: Make) -> None:
    s = shop({"write.coder": [GOOD], "write.voter": [_vote("reject"), _vote("accept"), _vote("accept")]})
    assert s.write("double", pipeline="write-vote").output == GOOD


def test_a_vote_that_cannot_be_read_counts_against_the_draft(shop: Make) -> None:
    votes = ["no", "no", "no", "no", _vote("accept")]
    s = shop({"write.coder": [GOOD], "write.voter": votes, "write.reviewer": [BETTER], "write.judge": [SURE]})
    assert s.write("double", pipeline="write-vote").escalated


@needs_sandbox
def test_best_of_drops_drafts_that_fail_the_examples(shop: Make) -> None:
    s = shop({"write.coder": [WRONG, GOOD, WRONG]})
    assert s.write(REQUEST, pipeline="write-best-of").output == GOOD


def test_best_of_lets_the_judge_choose_between_equals(shop: Make) -> None:
    low = '{"judgement_summary": "x", "confidence_score": 4, "conflict_score": 5}'
    s = shop({"write.coder": [GOOD, BETTER, GOOD], "write.judge": [low, SURE]})
    assert s.write("double", pipeline="write-best-of").output == BETTER


def test_best_of_keeps_the_first_draft_when_all_are_level(shop: Make) -> None:
    s = shop({"write.coder": [GOOD, BETTER, GOOD], "write.judge": [SURE, SURE]})
    assert s.write("double", pipeline="write-best-of").output == GOOD
