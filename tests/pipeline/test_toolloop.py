"""A model works with tools in a bounded loop: what it is shown, what is refused, and when the loop ends."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import BaseModel

from bottega.cancellation import Cancellation, cancel_scope
from bottega.errors import Cancelled, ModelFault
from bottega.models import Request
from bottega.models.providers.scripted import Line
from bottega.pipeline.toolloop import ToolSpec

from .office import digest
from .reading import answer, calls, read, text

BOTH = pytest.mark.parametrize("native", [False, True], ids=["json", "native"])


@BOTH
def test_a_submission_ends_the_loop_with_a_typed_value(tmp_path: Path, native: bool) -> None:
    quotes = [{"title": "poem", "line": 2}]
    script = [calls(text("poem"), native=native), calls(answer(quotes=quotes), native=native)]
    reading = read(tmp_path, script, native=native)
    assert reading.result["submitted"] == {"text": "verses", "quotes": quotes}
    assert reading.result["reason"] == ""
    assert (reading.result["turns"], reading.result["replies"]) == (2, 2)
    assert reading.result["calls"] == [[1, "read_text", False], [2, "submit_answer", False]]
    assert "```\nverse 1\nverse 2\nverse 3\n```" in reading.last_results()


@BOTH
def test_tools_reach_the_model_natively_or_through_the_json_contract(tmp_path: Path, native: bool) -> None:
    request = read(tmp_path, [calls(answer(), native=native)], native=native).model.requests[0]
    names = ["read_text", "note", "submit_answer"]
    assert [tool.name for tool in request.tools] == (names if native else [])
    assert (request.schema is None) == native
    assert ("- read_text(title, first?): A text." in request.system) != native


def test_nested_parameters_stand_in_the_json_contract_in_full(tmp_path: Path) -> None:
    schema = read(tmp_path, [calls(answer())]).model.requests[0].schema
    assert "$ref" not in str(schema)
    assert "'line': {'minimum': 1" in str(schema)


@BOTH
def test_a_model_that_never_submits_runs_out_of_turns(tmp_path: Path, native: bool) -> None:
    script = [calls({"tool": "note", "text": str(number)}, native=native) for number in range(4)]
    reading = read(tmp_path, script, native=native, settings=", max_turns: 4")
    assert reading.result["submitted"] is None
    assert reading.result["reason"] == "4 turns were used without submit_answer"
    assert reading.result["turns"] == 4


def test_exploring_tools_are_withdrawn_and_the_last_turn_only_submits(tmp_path: Path) -> None:
    reading = read(
        tmp_path, [calls({"tool": "note", "text": str(number)}) for number in range(4)], settings=", max_turns: 4"
    )
    offered = [
        [name for name in ("read_text", "note", "submit_answer") if f"'const': '{name}'" in str(request.schema)]
        for request in reading.model.requests
    ]
    all_tools = ["read_text", "note", "submit_answer"]
    assert offered == [all_tools, all_tools, ["note", "submit_answer"], ["submit_answer"]]
    prompts = [request.messages[-1].text for request in reading.model.requests]
    assert "That is enough to look at. Now note what matters, then submit_answer." in prompts[2]
    assert prompts[3].endswith("Now call submit_answer and nothing else.")
    assert reading.result["calls"][3] == [4, "note", True]


def test_a_shared_budget_ends_a_loop(tmp_path: Path) -> None:
    reading = read(tmp_path, [calls(text("poem")), calls(text("epic"))], settings=", budget: 2")
    assert reading.result["reason"] == "all 2 turns of the run are used"
    assert reading.result["turns"] == 2


def test_a_full_context_window_ends_a_loop(tmp_path: Path) -> None:
    reading = read(tmp_path, [calls({"tool": "note", "text": "x" * 14_000})] * 5, window=4096)
    assert "of 4096 tokens" in reading.result["reason"]
    assert reading.result["turns"] < 5


def test_a_model_that_fails_ends_a_loop_with_its_error(tmp_path: Path) -> None:
    reading = read(tmp_path, [calls(text("poem")), ModelFault("scripted/model", "out of memory", passing=False)])
    assert reading.result["submitted"] is None
    assert "out of memory" in reading.result["reason"]
    assert (reading.result["turns"], reading.result["replies"]) == (2, 1)


@BOTH
@pytest.mark.parametrize(
    ("call", "error"),
    [
        ({"tool": "delete_text", "title": "poem"}, "error: there is no tool 'delete_text' now"),
        (text("poem", first=0), "error: first: Input should be greater than or equal to 1"),
        ({"tool": "read_text"}, "error: title: Field required"),
        (text("poem", depth=3), "error: depth: Extra inputs are not permitted"),
        (text("burnt"), "error: the page is burnt Read another."),
        (answer(""), "error: text: String should have at least 1 character"),
        (answer("VERSES"), "error: the answer shouts Use small letters."),
    ],
)
def test_what_is_wrong_with_a_call_goes_back_to_the_model(
    tmp_path: Path, call: dict[str, object], error: str, native: bool
) -> None:
    reading = read(tmp_path, [calls(call, native=native), calls(answer(), native=native)], native=native)
    assert reading.last_results() == error
    assert reading.result["calls"][0][2] is True
    assert reading.result["submitted"]["text"] == "verses"


@BOTH
@pytest.mark.parametrize("words", ["I would rather talk.", '{"calls": 7}', '{"calls": [{"title": "poem"}]}', "[]"])
def test_a_reply_without_calls_is_answered_with_what_to_do(tmp_path: Path, words: str, native: bool) -> None:
    reading = read(tmp_path, [words, calls(answer(), native=native)], native=native)
    assert reading.last_results().endswith(". Go on: call a tool, or end with submit_answer.")
    assert reading.result["submitted"] is not None


def test_a_repeated_call_is_refused_while_its_result_is_in_sight(tmp_path: Path) -> None:
    reading = read(tmp_path, [calls(text("poem")), calls(text("poem")), calls(text("poem", first=2)), calls(answer())])
    assert reading.last_results(2) == "error: the same call was made in turn 1 Its result stands above."
    assert "verse 2" in reading.last_results(3)
    assert reading.times_read() == ["poem", "poem"]


def test_a_repeated_call_is_carried_out_when_its_result_was_left_out_to_save_room(tmp_path: Path) -> None:
    script = [calls(text("epic", first=number)) for number in (1, 2, 3, 4, 1)] + [calls(answer())]
    reading = read(tmp_path, script, window=16_000, settings=", max_turns: 9")
    assert "(left out to save room" in str(reading.model.requests[4].messages)
    assert reading.times_read() == ["epic"] * 5
    assert not any(is_error for _, _, is_error in reading.result["calls"])


@pytest.mark.parametrize("window", [4096, 32_768])
def test_long_results_are_cut_to_their_share_of_the_window(tmp_path: Path, window: int) -> None:
    reading = read(tmp_path, [calls(text("epic")), calls(answer())], window=window)
    shown = reading.last_results()
    assert "(cut: ask for less at once)" in shown
    assert len(shown) < 0.25 * window * 4


def test_results_of_one_turn_share_its_room(tmp_path: Path) -> None:
    wishes = [text("epic", first=number) for number in range(1, 5)]
    alone = read(_folder(tmp_path, "alone"), [calls(wishes[0]), calls(answer())]).last_results()
    together = read(_folder(tmp_path, "together"), [calls(*wishes), calls(answer())]).last_results()
    assert together.count("(cut:") == 4
    assert len(together) < 2 * len(alone)


def test_of_too_many_calls_the_submission_is_still_carried_out(tmp_path: Path) -> None:
    reading = read(tmp_path, [calls(*(text("poem", first=number) for number in range(1, 30)), answer())])
    assert len(reading.result["calls"]) == 12
    assert reading.result["submitted"] is not None


@BOTH
def test_an_interrupted_loop_goes_on_and_pays_for_nothing_twice(tmp_path: Path, native: bool) -> None:
    lines = [calls(text("poem"), native=native), calls(text("epic"), text("forbidden"), native=native)]
    with pytest.raises(KeyboardInterrupt):
        read(tmp_path, lines, native=native)
    (tmp_path / "ready").touch()
    resumed = read(tmp_path, [calls(answer(), native=native)], native=native, do="resume")
    assert resumed.result["submitted"]["text"] == "verses"
    assert (resumed.result["turns"], len(resumed.model.requests)) == (3, 1)
    assert resumed.times_read() == ["poem", "epic", "forbidden", "forbidden"]
    undisturbed = read(_ready(_folder(tmp_path, "other")), [*lines, calls(answer(), native=native)], native=native)
    assert resumed.result == undisturbed.result
    assert resumed.model.requests[0].as_json() == undisturbed.model.requests[2].as_json()


@BOTH
def test_a_replay_ends_in_the_same_result_and_writes_nothing(tmp_path: Path, native: bool) -> None:
    script = [calls(text("poem"), text("burnt"), native=native), "hm", calls(answer(), native=native)]
    reading = read(tmp_path, script, native=native)
    before = digest(tmp_path)
    replayed = read(tmp_path, [], native=native, do="replay")
    assert replayed.result == reading.result
    assert replayed.model.requests == []
    assert replayed.times_read() == ["poem", "burnt"]
    assert digest(tmp_path) == before


def test_a_cancelled_run_stops_before_the_next_tool(tmp_path: Path) -> None:
    token = Cancellation()

    def cancel_while_answering(request: Request) -> Line:
        del request
        token.cancel("enough")
        return calls(text("poem"))

    with cancel_scope(token), pytest.raises(Cancelled, match="enough"):
        read(tmp_path, cancel_while_answering)
    assert not (tmp_path / "read.txt").exists()


class _Reserved(BaseModel):
    tool: str


class _Endless(BaseModel):
    inner: _Endless | None = None


@pytest.mark.parametrize(
    ("parameters", "problem"), [(_Reserved, "parameter named tool"), (_Endless, "refers to itself")]
)
def test_parameters_that_no_contract_can_carry_are_refused(parameters: type[BaseModel], problem: str) -> None:
    run: Callable[[BaseModel, int], str] = lambda *_: ""  # noqa: E731 - never called
    with pytest.raises(ValueError, match=problem):
        _ = ToolSpec("x", "y", parameters, run).definition


def _folder(root: Path, name: str) -> Path:
    (root / name).mkdir()
    return root / name


def _ready(root: Path) -> Path:
    (root / "ready").touch()
    return root
