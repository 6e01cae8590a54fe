"""The engine carries a pipeline out as its file says, and the journal tells it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bottega.errors import Incomplete
from bottega.models.providers.scripted import ScriptedModel

from .errand import Basket
from .office import in_a_row, office


def test_steps_follow_each_other_as_the_graph_says_not_as_the_list_does(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        state = errands.start("walk")
        assert state == Basket(count=11, trail=("first", "second", "home"))
        assert errands.steps() == [
            (1, "first", "done", "done"),
            (2, "second", "done", "done"),
            (3, "home", "done", ""),
        ]


@pytest.mark.parametrize(("way", "place"), [("left", "field"), ("right", "wood")])
def test_the_outcome_chooses_the_branch_and_next_takes_the_rest(tmp_path: Path, way: str, place: str) -> None:
    with office(tmp_path) as errands:
        assert errands.start("fork", Basket(way=way)).trail == ("crossing", place, "home")
        assert errands.steps()[0][3] == way


def test_the_record_of_a_run_holds_everything_it_began_and_ended_with(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        errands.start("walk", Basket(count=5))
        run = errands.journal.runs.get("last")
    assert (run.pipeline, run.kind, run.status, run.error) == ("walk", "errand", "done", None)
    assert json.loads(run.definition)["steps"][0] == {"id": "home", "action": "go_home"}
    assert json.loads(run.input)["count"] == 5
    assert json.loads(run.final_state or "")["count"] == 16


def test_a_finished_run_leaves_no_session_behind(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        errands.start("walk")
        assert errands.sessions() == []


def test_decisions_validations_effects_and_outcomes_are_in_the_journal(tmp_path: Path) -> None:
    model = ScriptedModel(["[WORD:] red", "no word at all", "none again"])
    with office(tmp_path, model) as errands:
        state = errands.start(in_a_row(tmp_path, "ask_at_once, about: [apples]", "ask_at_once, about: [stones]", "pay"))
        notes = errands.notes()
    assert state.receipt == "1 words for 8"
    paid = '{"words": 1, "coins": [1, 2, 5]}'
    assert notes == [
        (1, "validation", "apples", "passed", ""),
        (2, "validation", "stones", "failed", notes[1][4]),
        (3, "effect", "pay", paid, ""),
        (3, "decision", "pay", paid, "the shop wants coins"),
        (1_000_000, "outcome", "receipt", "kept", "1 words for 8"),
        (1_000_000, "outcome", "home", "yes", ""),
    ]
    assert "did not keep to the form" in notes[1][4]


def test_events_tell_of_every_step_and_every_remark(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        errands.start(in_a_row(tmp_path, "count"))
        run = errands.journal.runs.get("last").id
        events = errands.journal.events.after(run, 0)
        assert errands.events() == [
            ("began", "", ""),
            ("began", "count_1", "Count."),
            ("remark", "count_1", "hello, 1"),
            ("ended", "count_1", "done"),
            ("began", "home", "End."),
            ("ended", "home", ""),
            ("ended", "", "done"),
        ]
    assert [event.seq for event in events] == [1, 2, 3, 4, 5, 6, 7]
    assert {event.run for event in events} == {run}


def test_events_tell_of_every_call(tmp_path: Path) -> None:
    with office(tmp_path, ScriptedModel(["[WORD:] red"])) as errands:
        errands.start(in_a_row(tmp_path, "ask, about: [apples]"))
        told = errands.events()
    calls = [text.partition(",")[0] for kind, _, text in told if kind == "call"]
    assert calls == ["sent to scripted/model", "completed"]
    assert [text for kind, _, text in told if kind == "text"] == ["[WORD:] red"]


def test_an_outcome_that_was_never_declared_is_a_bug_and_says_so(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        with pytest.raises(AssertionError, match="lie returned 'sideways', which it does not declare"):
            errands.start(in_a_row(tmp_path, "lie"))
        run = errands.journal.runs.get("last")
    assert run.status == "failed"
    assert run.error == "AssertionError: lie returned 'sideways', which it does not declare"


def test_a_loop_guard_allows_exactly_as_often_as_it_says(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        assert errands.start("rounds").trail == ("lap", "lap", "lap", "home")
        decisions = [(value, reason) for _, _, _, value, reason in errands.notes("decision")]
    assert decisions == [
        ('"allow"', "visit 1 of 3"),
        ('"allow"', "visit 2 of 3"),
        ('"allow"', "visit 3 of 3"),
        ('"deny"', "visit 4 of 3"),
    ]


def test_a_run_beyond_its_steps_ends_incomplete(tmp_path: Path) -> None:
    pipeline = in_a_row(tmp_path, "count", "count", "count", settings=", max_steps: 3")
    with office(tmp_path) as errands:
        with pytest.raises(Incomplete, match="took 3 steps without reaching the end") as ended:
            errands.start(pipeline)
        assert ended.value.exit_code == 4
        assert errands.status() == "failed"
        assert [step[1] for step in errands.steps()] == ["count_1", "count_2", "count_3"]


def test_a_run_of_exactly_its_steps_comes_to_its_end(tmp_path: Path) -> None:
    pipeline = in_a_row(tmp_path, "count", "count", "count", settings=", max_steps: 4")
    with office(tmp_path) as errands:
        assert errands.start(pipeline).count == 3


def test_runs_of_one_engine_do_not_meet(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        assert [errands.start("rounds").count for _ in range(3)] == [3, 3, 3]
