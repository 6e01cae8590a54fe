"""A run that stopped goes on where it stood, and pays nothing twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from bottega.cancellation import Cancellation, cancel_scope
from bottega.errors import Cancelled, InputError, ModelFault, ReplyRejected
from bottega.models.providers.scripted import ScriptedModel

from .errand import Bag, Basket
from .office import in_a_row, interrupted, office


def make_ready(root: Path) -> None:
    (root / "ready").touch()


def prompts(model: ScriptedModel) -> list[str]:
    return [request.messages[0].text for request in model.requests]


def test_a_failing_action_leaves_the_run_failed_and_its_session_in_place(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        with pytest.raises(InputError, match="the shop is closed"):
            errands.start(in_a_row(tmp_path, "count", "need"))
        run = errands.journal.runs.get("last")
        assert (run.status, run.error) == ("failed", "InputError: the shop is closed")
        assert [step[2] for step in errands.steps()] == ["done", "failed"]
        assert ".sqlite" in errands.sessions()
        assert not errands.journal.sessions.is_alive(run.id)


def test_a_failed_run_goes_on_with_the_step_that_failed(tmp_path: Path) -> None:
    with office(tmp_path) as errands, pytest.raises(InputError):
        errands.start(in_a_row(tmp_path, "count", "need", "count"))
    make_ready(tmp_path)
    with office(tmp_path) as errands:
        assert errands.resume().count == 2
        run = errands.journal.runs.get("last")
        assert (run.status, run.error) == ("done", None)
        assert [step[:3] for step in errands.steps()] == [
            (1, "count_1", "done"),
            (2, "need_2", "done"),
            (3, "count_3", "done"),
            (4, "home", "done"),
        ]
        assert errands.sessions() == []


def test_a_run_that_still_fails_can_be_resumed_again(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        with pytest.raises(InputError):
            errands.start(in_a_row(tmp_path, "need"))
        with pytest.raises(InputError, match="the shop is closed"):
            errands.resume()
        make_ready(tmp_path)
        assert errands.resume().trail == ("home",)


def test_ctrl_c_leaves_the_run_cancelled_and_resumable(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        with pytest.raises(KeyboardInterrupt):
            errands.start(in_a_row(tmp_path, "count", "is_called_away"))
        assert errands.status() == "cancelled"
        make_ready(tmp_path)
        assert errands.resume().count == 1


def test_a_cancel_between_two_steps_loses_neither(tmp_path: Path) -> None:
    token = Cancellation()
    journal = interrupted("runs", "end_step", token.cancel)
    with office(tmp_path, journal=journal) as errands, cancel_scope(token), pytest.raises(Cancelled):
        errands.start("walk")
    with office(tmp_path) as errands:
        assert errands.status() == "cancelled"
        assert errands.steps() == [(1, "first", "done", "done")]
        assert errands.resume() == Basket(count=11, trail=("first", "second", "home"))
        assert errands.replay() == errands.resume()


def test_a_resumed_run_goes_on_counting_its_events(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        with pytest.raises(KeyboardInterrupt):
            errands.start(in_a_row(tmp_path, "count", "is_called_away"))
        before = errands.events()
        make_ready(tmp_path)
        errands.resume()
        run = errands.journal.runs.get("last").id
        events = errands.journal.events.after(run, 0)
    assert before[-1] == ("ended", "", "cancelled")
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert len(events) > len(before)


def test_ctrl_c_between_the_two_writes_that_end_a_step_loses_nothing(tmp_path: Path) -> None:
    def press_ctrl_c() -> None:
        raise KeyboardInterrupt

    with office(tmp_path, journal=interrupted("runs", "end_step", press_ctrl_c)) as errands:
        with pytest.raises(KeyboardInterrupt):
            errands.start("walk")
        assert errands.steps() == [(1, "first", "failed", None)]
        state = errands.resume()
        assert state.trail == ("first", "second", "home")
        assert [step[2:] for step in errands.steps()] == [("done", "done"), ("done", "done"), ("done", "")]
        assert errands.replay() == state


def test_a_bug_leaves_the_run_failed_with_its_name(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        with pytest.raises(IndexError):
            errands.start(in_a_row(tmp_path, "trip"))
        assert (errands.journal.runs.get("last").error or "").startswith("IndexError: ")
        assert errands.status() == "failed"


def test_a_finished_run_answers_a_resume_with_its_state(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        state = errands.start("walk")
        records = errands.steps()
        assert errands.resume() == state
        assert errands.steps() == records


def test_an_unknown_run_is_refused(tmp_path: Path) -> None:
    with office(tmp_path) as errands, pytest.raises(InputError, match="there is no run abc"):
        errands.resume("abc")


def test_calls_that_were_answered_are_not_sent_again(tmp_path: Path) -> None:
    first = ScriptedModel(["[WORD:] crust", "[WORD:] round"])
    with office(tmp_path, first) as errands, pytest.raises(InputError):
        errands.start(in_a_row(tmp_path, "ask_when_ready, about: [bread, cheese]"))
    make_ready(tmp_path)
    second = ScriptedModel([])
    with office(tmp_path, second) as errands:
        assert errands.resume().words == ("crust", "round")
    assert len(first.requests) == 2
    assert second.requests == []


def test_only_the_call_that_failed_is_sent_again(tmp_path: Path) -> None:
    pipeline = in_a_row(tmp_path, "ask, about: [bread, cheese, wine]")
    with office(tmp_path, ScriptedModel(["[WORD:] crust", ModelFault("m", "it broke", passing=False)])) as errands:
        with pytest.raises(ModelFault):
            errands.start(pipeline)
        statuses = [call.status for call in errands.journal.calls.of_run(errands.journal.runs.get("last").id)]
        assert statuses == ["completed", "failed"]
    second = ScriptedModel(["[WORD:] round", "[WORD:] red"])
    with office(tmp_path, second) as errands:
        assert errands.resume().words == ("crust", "round", "red")
    assert [text.split()[4] for text in prompts(second)] == ["cheese.", "wine."]


def test_equal_questions_of_one_step_are_told_apart(tmp_path: Path) -> None:
    """Within one step the words said so far do not change, so both questions are the same text."""
    pipeline = in_a_row(tmp_path, "ask_at_once, about: [bread, bread]", "need")
    with office(tmp_path, ScriptedModel(["[WORD:] crust", "[WORD:] crumb"])) as errands, pytest.raises(InputError):
        errands.start(pipeline)
    make_ready(tmp_path)
    with office(tmp_path, ScriptedModel([])) as errands:
        assert sorted(errands.resume().words) == ["crumb", "crust"]


def test_an_effect_happens_once_however_often_its_step_is_tried(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        with pytest.raises(InputError):
            errands.start(in_a_row(tmp_path, "pay_when_ready"))
        with pytest.raises(InputError):
            errands.resume()
        make_ready(tmp_path)
        assert errands.resume().receipt == "0 words for 8"
        assert [note[2] for note in errands.notes("decision")] == ["pay"]
    assert Bag(tmp_path).paid() == ["0 words"]


def test_a_step_that_a_model_spoiled_is_asked_anew(tmp_path: Path) -> None:
    pipeline = in_a_row(tmp_path, "ask, about: [bread, cheese]")
    spoiled = ScriptedModel(["[WORD:] crust", "cheese is nice", "very nice"])
    with office(tmp_path, spoiled) as errands, pytest.raises(ReplyRejected):
        errands.start(pipeline)
    better = ScriptedModel(["[WORD:] crumb", "[WORD:] round"])
    with office(tmp_path, better) as errands:
        assert errands.resume().words == ("crumb", "round")
        assert [step[:3] for step in errands.steps()] == [
            (1, "ask_1", "failed"),
            (2, "ask_1", "done"),
            (3, "home", "done"),
        ]
        assert errands.replay().words == ("crumb", "round")


def test_a_step_that_models_spoil_twice_is_asked_a_third_time(tmp_path: Path) -> None:
    with office(tmp_path, ScriptedModel(["no", "no", "no", "no", "[WORD:] crust"])) as errands:
        with pytest.raises(ReplyRejected):
            errands.start(in_a_row(tmp_path, "ask, about: [bread]"))
        with pytest.raises(ReplyRejected):
            errands.resume()
        assert errands.resume().words == ("crust",)
        assert errands.replay().words == ("crust",)


def test_a_run_that_was_only_written_down_starts_from_its_input(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        pipeline = in_a_row(tmp_path, "count")
        errands.journal.runs.begin(
            pipeline="row",
            kind="errand",
            definition=pipeline.as_json(),
            state=Basket(count=4).model_dump(mode="json"),
            settings={},
            version="0",
        )
        assert errands.resume().count == 5
