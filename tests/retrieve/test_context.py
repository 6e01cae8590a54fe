"""What a model may read for a task: whole symbols within a budget, each with a reason."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from bottega.errors import InputError
from bottega.index import open_knowledge
from bottega.retrieve import RetrieveRequest, RetrieveResult
from bottega.retrieve.context import (
    BudgetConfig,
    ContextTask,
    ContextUnit,
    DetailLevel,
    RefinementRequest,
    assemble_context,
    join_units,
    read_task,
    refine_task,
)
from bottega.source import estimate_tokens
from bottega.testing import scripted_workshop
from tests.cli.bottega import ask

LONG_BODY = "\n".join(f"    total = total + step_{number}(parcel)" for number in range(300))
FILES: Mapping[str, str] = {
    "post/parcels.py": f'''"""Parcels on their way."""

HEAVIEST = 30


class TooHeavy(Exception):
    """No courier carries it."""


class Parcel:
    """Something that is sent."""

    def __init__(self, grams):
        self.grams = grams

    def weigh(self):
        """Refuse what no courier carries."""
        if self.grams > HEAVIEST:
            raise TooHeavy(self)
        return self.grams

    def stamp(self, price):
        """Put postage on the parcel."""
        self.postage = price


def route(parcel):
    """Choose the stations that a parcel passes on its way."""
    total = 0
{LONG_BODY}
    return total
''',
    "post/counter.py": '''"""Where parcels are handed in."""

from post.parcels import Parcel


def accept(grams):
    """Take a parcel over the counter."""
    parcel = Parcel(grams)
    return parcel.weigh()
''',
    "post/rates.py": '''"""What postage costs."""


def find_rate(grams):
    """Look the postage up by weight."""
    return grams // 10
''',
    "couriers.txt": "The couriers of the north refuse whatever is heavier than thirty.\n",
}


@pytest.fixture(scope="module")
def post(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("post")
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    for command in (["init", "-q"], ["add", "-A"], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=root, check=True)
    return root


def retrieve(root: Path, task: str, **more: object) -> RetrieveResult:
    with scripted_workshop(root, {}) as workshop:
        result = workshop.call(RetrieveRequest.model_validate({"task": task, **more}))
    assert isinstance(result, RetrieveResult)
    return result


def shown(result: RetrieveResult, level: str = "primary") -> list[str]:
    return [unit.symbol or unit.span.path for unit in result.units if unit.level == level]


def test_several_functions_of_one_file_are_shown_whole_under_their_own_names(post: Path) -> None:
    result = retrieve(post, "weigh a parcel and stamp it with postage", tokens=1500)
    assert {"Parcel.weigh", "Parcel.stamp"} <= set(shown(result))
    lines = FILES["post/parcels.py"].split("\n")
    for unit in result.units:
        if unit.symbol in {"Parcel.weigh", "Parcel.stamp"}:
            assert unit.text == "\n".join(lines[unit.span.first - 1 : unit.span.last])


@pytest.mark.parametrize("tokens", [64, 200, 700, 3000])
def test_the_budget_holds_and_a_larger_one_shows_more(post: Path, tokens: int) -> None:
    task = "which stations does a parcel pass when its route is chosen"
    result = retrieve(post, task, tokens=tokens)
    assert sum(estimate_tokens(unit.text) for unit in result.units) <= result.tokens <= tokens
    more = retrieve(post, task, tokens=2 * tokens)
    assert more.tokens >= result.tokens


def test_a_long_function_is_shortened_with_a_mark_for_every_gap(post: Path) -> None:
    result = retrieve(post, "which stations does a parcel pass, step_150", tokens=1200)
    unit = next(unit for unit in result.units if unit.symbol == "route")
    marks = [line for line in unit.text.split("\n") if line.lstrip().startswith("… ")]
    assert unit.left_out == sum(int(mark.split()[1]) for mark in marks) > 200
    assert unit.text.startswith("def route(parcel):")
    assert "step_150(parcel)" in unit.text


def test_a_definition_that_the_task_names_is_always_in(post: Path) -> None:
    result = retrieve(post, "accept parcels over the counter, weigh them there; `find_rate` is odd", tokens=260)
    assert "find_rate" in {*shown(result), *shown(result, "supporting")}
    assert "find_rate" in result.symbols


def test_callers_are_shown_by_their_signature_and_the_calling_lines(post: Path) -> None:
    result = retrieve(post, "where is TooHeavy raised", tokens=230)
    unit = next(unit for unit in result.units if "call" in unit.origin)
    assert (unit.symbol, unit.level) == ("accept", "supporting")
    assert unit.text.split("\n")[0].endswith("def accept(grams):")
    assert "parcel.weigh()" in unit.text


def test_a_file_without_symbols_can_be_shown(post: Path) -> None:
    result = retrieve(post, "couriers of the north", tokens=600)
    assert "couriers.txt" in shown(result)


def test_paths_and_symbols_of_the_caller_belong_to_the_task(post: Path) -> None:
    result = retrieve(post, "stations on the way", files=("post/rates.py",), symbols=("TooHeavy",), tokens=3000)
    tiers = {unit.span.path: unit.tier for unit in result.units}
    assert tiers["post/rates.py"] == 0
    assert "TooHeavy" in {*shown(result), *shown(result, "supporting")}


def test_every_unit_has_its_decision_and_what_is_left_out_a_reason(post: Path) -> None:
    result = retrieve(post, "weigh a parcel", tokens=150)
    assert sum(decision.is_included for decision in result.decisions) == len(result.units)
    left_out = [decision for decision in result.decisions if not decision.is_included]
    assert left_out
    assert all(decision.reason and decision.level == "excluded" for decision in left_out)


def test_words_that_are_nowhere_find_nothing(post: Path) -> None:
    result = retrieve(post, "zzqqx")
    assert (result.units, result.gate) == ((), "failed")


@pytest.mark.parametrize(("window", "reserved"), [(0, 0), (100, 100), (100, 200), (100, -1)])
def test_a_budget_that_leaves_nothing_is_refused(window: int, reserved: int) -> None:
    with pytest.raises(InputError):
        BudgetConfig(window, reserved)


def test_the_budget_is_a_share_of_the_window_without_what_is_reserved() -> None:
    budget = BudgetConfig(8192, 3072)
    assert (budget.effective_budget, budget.limit(0.25), budget.limit(1.0), budget.limit(1.0, 900)) == (
        *(5120, 2048, 5120),
        900,
    )


@pytest.mark.parametrize(
    ("task", "kind"),
    [
        ("Fix the crash when a parcel is empty", "bug_fix"),
        ("Rename the counter", "refactor"),
        ("Add a rate for letters", "feature"),
        ("how is the route chosen?", "question"),
        ("parcels", "unknown"),
    ],
)
def test_the_kind_of_a_task_is_read_from_its_words(task: str, kind: str) -> None:
    assert read_task(task).task_type == kind


def test_names_paths_errors_and_frames_of_a_task_are_read() -> None:
    task = (
        "`Parcel.weigh` fails, see post/parcels.py.\n"
        'Traceback (most recent call last):\n  File "/srv/post/counter.py", line 9, in accept\n    parcel.weigh()\n'
        "TooHeavyError: <Parcel>\n"
    )
    signals = read_task(task)
    assert signals.paths == ("post/parcels.py",)
    assert "Parcel.weigh" in signals.symbols
    assert signals.frames == ("/srv/post/counter.py:9 accept",)
    assert signals.errors[-1] == "TooHeavyError: <Parcel>"


def build_unit(name: str, first: int, rank: int) -> ContextUnit:
    return ContextUnit("a.py", first, first + 9, "x" * 40, name, "function", f"python:a.{name}|FUNCTION", rank=rank)


def test_a_later_search_adds_and_drops_the_weakest_of_both() -> None:
    known = [build_unit("first", 1, 0), build_unit("second", 11, 1), build_unit("third", 21, 2)]
    new = [build_unit("fourth", 31, 0), replace(known[0], rank=1), build_unit("fifth", 41, 2)]
    joined = join_units(known, new, 40, lambda _: 10)
    assert [unit.symbol for unit in joined] == ["first", "fourth", "second", "third"]
    assert [unit.rank for unit in joined] == [0, 1, 2, 3]
    assert {unit.level for unit in joined} == {DetailLevel.PRIMARY}


def test_the_command_prints_text_json_and_markdown(post: Path) -> None:
    task = ("weigh", "a", "parcel", "--tokens", "300")
    text = ask("retrieve", *task, "--explain", cwd=post)
    assert text.code == 0
    assert "post/parcels.py:16-20  Parcel.weigh (method)  primary" in text.out
    assert "+ primary tier 1  Parcel.weigh: rank 1 of the symbols" in text.out
    data = json.loads(ask("retrieve", *task, "--json", cwd=post).out)
    assert {"units", "decisions", "budget", "symbols", "freshness"} <= data.keys()
    page = ask("retrieve", *task, "--format", "markdown", cwd=post).out
    assert page.startswith("# Task\n\nweigh a parcel\n")
    assert "## post/parcels.py:16-20 method `Parcel.weigh` (primary)\n\n```\n    def weigh(self):" in page
    assert ask("retrieve", "zzqqx", cwd=post).code == 1


def test_more_context_needs_something_to_look_for() -> None:
    with pytest.raises(InputError, match="without naming any: too little"):
        RefinementRequest("too little")


def test_a_refined_task_brings_what_was_missing(post: Path) -> None:
    task = ContextTask("weigh a parcel")
    more = refine_task(
        task,
        RefinementRequest(
            "the rate is not there",
            missing_files=("post/rates.py",),
            missing_symbols=("route",),
            missing_tests=("tests/test_post.py", "test_rates"),
            error_signatures=("TooHeavy: <Parcel>",),
        ),
    )
    assert more.files == ("post/rates.py", "tests/test_post.py")
    assert more.symbols == ("route", "test_rates")
    with open_knowledge(post).reading() as reader:
        before, after = (assemble_context(each, reader, 340) for each in (task, more))
    assert {unit.path: unit.tier for unit in after.units}["post/rates.py"] == 0
    assert "route" not in {unit.symbol for unit in before.units if unit.level is DetailLevel.SUPPORTING}
    assert "route" in {unit.symbol for unit in after.units}


def test_methods_are_shown_beside_the_outline_of_their_class(post: Path) -> None:
    result = retrieve(post, "class Parcel", tokens=900)
    symbols = shown(result)
    assert {"Parcel", "Parcel.weigh", "Parcel.stamp"} <= set(symbols)
    outline = next(unit for unit in result.units if unit.symbol == "Parcel")
    assert "raise TooHeavy" not in outline.text


def test_values_that_shown_code_uses_are_shown_with_it(tmp_path: Path) -> None:
    files = {
        "mail/limits.py": "HEAVIEST = 30\nUNUSED = 1\nSTATES = {\n    'sent': 1,\n    'lost': 2,\n}\n",
        "mail/other.sh": "STATES=3\n",
        "mail/sort.py": "from mail.limits import HEAVIEST, STATES\n\n\nclass Tray:\n    depth: int\n    width = 5\n\n\n"
        "def sort_letters(letters, depth, width):\n    return [STATES[x] for x in letters if x < HEAVIEST]\n",
        **{f"mail/box_{number}.py": f"def open_letters_{number}():\n    return {number}\n" for number in range(25)},
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    with open_knowledge(tmp_path).reading() as reader:
        package = assemble_context(ContextTask("sort_letters"), reader, 400)
    (values,) = [unit for unit in package.units if unit.kind == "values"]
    assert values.text.splitlines() == [
        "1: HEAVIEST = 30",
        "3: STATES = {",
        "4:     'sent': 1,",
        "5:     'lost': 2,",
        "6: }",
    ]
    assert values.parts == ((1, 1), (3, 6))
    assert values.level is DetailLevel.SUPPORTING
