"""The verdict on generated code is made outside the interpreter that runs it."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

import pytest
from bench.attack_sandbox import judge_faults_of
from bench.hostile_programs import SOLUTION_ATTACKS, Attack
from hypothesis import given
from hypothesis import strategies as st

from bottega.sandbox import DEFAULT_LIMITS, CommandResult, Rlimits, Sandbox, open_sandbox
from bottega.write.cases import Case
from bottega.write.claims import build_claim
from bottega.write.probe import Budget, encode
from bottega.write.state import TestReport
from bottega.write.trial import try_code
from bottega.write.values import decode_value, is_same

needs_sandbox = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")
FAST = [attack for attack in SOLUTION_ATTACKS if attack.group in ("forgery", "ending", "value")]
GOOD = "def double(n):\n    return 2 * n\n"
EXAMPLES = [Case("double(2)", "4"), Case("double(-3)", "-6")]


class ReplySandbox:
    """A sandbox whose command wrote this, and a record of what was sent into it."""

    name = "reply"
    promises = Rlimits.promises

    def __init__(self, reply: str) -> None:
        self.reply = reply
        self.sent = ""

    def run(self, command: Sequence[str], *, files, stdin="", limits=DEFAULT_LIMITS, **_: object) -> CommandResult:  # type: ignore[no-untyped-def]  # as the protocol has it
        self.sent = stdin + "".join(files.values())
        return CommandResult(0, self.reply, "", timed_out=False, truncated=False, seconds=0.1)


@needs_sandbox
@pytest.mark.parametrize("attack", FAST, ids=lambda attack: attack.name)
def test_a_wrong_solution_cannot_talk_its_way_past_the_judge(attack: Attack) -> None:
    assert judge_faults_of(attack, open_sandbox()) == []


def _tried(code: str, sandbox: Sandbox, tests: Sequence[Case] = ()) -> TestReport:
    return try_code(code, examples=EXAMPLES, tests=tests, sandbox=sandbox, limits=DEFAULT_LIMITS)


def test_right_code_passes_its_examples() -> None:
    report = _tried(
        GOOD, Rlimits(), [Case("double(5) > 9"), Case("double(2) in (3, 4)"), Case("len([double(1)]) == 1")]
    )
    assert (report.examples_passed, report.tests_passed, report.failures) == (2, 3, ())
    assert report.holds()


def test_what_a_solution_prints_does_not_disturb_the_reply() -> None:
    code = f"import os\nprint('hello')\nos.system('echo there')\n{GOOD}"
    assert _tried(code, Rlimits()).holds()


def test_no_expected_value_enters_the_sandbox() -> None:
    sandbox = ReplySandbox("")
    examples, tests = [Case("f(1)", "'needle'")], [Case("f(2) in ('haystack',)")]
    try_code(GOOD, examples=examples, tests=tests, sandbox=sandbox, limits=DEFAULT_LIMITS)
    assert "f(1)" in sandbox.sent
    assert "f(2)" in sandbox.sent
    assert "needle" not in sandbox.sent
    assert "haystack" not in sandbox.sent


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "held\n",
        '{"problem": "", "results": []}',
        '{"problem": "", "results": [["value", ["int", "0x4"]]]}',
        '{"problem": "", "results": [["value", ["int", "0x4"]], ["value", ["int", "-0x6"]], ["value", ["int", "1"]]]}',
        '{"problem": "", "results": [["value", ["int", "0x4"]], ["held"]]}',
        '{"problem": "", "results": [{"became": "held", "text": ""}, {"became": "held", "text": ""}]}',
        '{"problem": "", "results": {"0": ["value", ["int", "0x4"]]}}',
        '{"results": [["value", ["int", "0x4"]], ["value", ["int", "-0x6"]]]}\n' * 2,
        "[" * 100_000,
        "null",
        '{"problem": null, "results": null}',
        '{"problem": "", "results": [["value", ["set", [["list", []]]]], ["value", ["int", "zz"]]]}',
    ],
)
def test_a_reply_that_is_not_exactly_as_it_must_be_is_a_failure(reply: str) -> None:
    report = _tried(GOOD, ReplySandbox(reply))
    assert not report.holds()
    assert report.examples_failed == len(EXAMPLES)
    assert report.problem


def test_without_cases_nothing_was_run_and_nothing_holds() -> None:
    sandbox = ReplySandbox('{"problem": "", "results": []}')
    report = try_code(GOOD, examples=[], tests=[], sandbox=sandbox, limits=DEFAULT_LIMITS)
    assert report.count == 0
    assert not report.holds()
    assert sandbox.sent == ""


@pytest.mark.parametrize(
    "case", [Case("f(1)", "f(2)"), Case("f(1) == g(2)"), Case("1 == 1"), Case("f(1) < f(2) < f(3)")]
)
def test_a_case_that_only_the_code_itself_could_decide_is_not_run(case: Case) -> None:
    assert build_claim(case) is None


@pytest.mark.parametrize(
    ("got", "want", "same"),
    [
        (4, 4, True),
        (4, 4.0, True),
        (0.1 + 0.2, 0.3, True),
        ([0.1 + 0.2], [0.3], True),
        ((1, 2), [1, 2], False),
        ({"a": 0.1 + 0.2}, {"a": 0.3}, True),
        (float("inf"), 4, False),
        (float("inf"), float("inf"), True),
        (float("nan"), 4, False),
        (10**400, 1.0, False),
        ("4", 4, False),
        (None, 0, False),
    ],
)
def test_values_are_compared_as_python_does_with_room_for_rounding(got: object, want: object, same: bool) -> None:
    assert is_same(got, want) is same


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(plain)
def test_plain_values_come_out_as_they_went_in(value: object) -> None:
    assert decode_value(encode(value, Budget())) == value
