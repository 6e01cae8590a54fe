"""A finished run is carried out again from its records alone: equal to the byte, nothing sent, nothing written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from bottega.errors import Incomplete, InputError, ModelError
from bottega.models.providers.scripted import ScriptedModel
from bottega.pipeline import DONE, Action, Kind, action
from bottega.testing import ScriptedServer

from .errand import ACTIONS, Bag, Basket, Errand, ErrandSettings, pay, word
from .office import HERE, LIBRARY, digest, in_a_row, office, served_at
from .oracle import Oracle


def changed(*actions: Action) -> dict[str, Kind]:
    """The kind of these tests after somebody has changed its code."""
    return {"errand": Kind("errand", Basket, {**ACTIONS, **{entry.name: entry for entry in actions}}, ErrandSettings)}


@pytest.fixture
def shopped(tmp_path: Path) -> Iterator[Path]:
    """A run with a mended reply, a fan-out, an effect and a loop."""
    with ScriptedServer(Oracle()) as server:
        with office(tmp_path, settings=served_at(server.url)) as errands:
            errands.start("shopping")
        yield tmp_path


def test_a_replay_ends_in_the_same_state_and_sends_nothing(tmp_path: Path) -> None:
    with ScriptedServer(Oracle()) as server, office(tmp_path, settings=served_at(server.url)) as errands:
        state = errands.start("shopping")
        calls = errands.journal.calls.of_run(errands.journal.runs.get("last").id)
        sent = len(server.requests)
        assert errands.replay() == state
        assert len(server.requests) == sent == len(calls)
    assert [call.verdict for call in calls].count("refused") == 1
    assert len(state.words) == 5


def test_a_replay_needs_no_server(shopped: Path) -> None:
    with office(shopped, ScriptedModel([])) as errands:
        recorded = errands.journal.runs.get("last").final_state
        assert errands.journal.mask.json(errands.replay().model_dump(mode="json")) == recorded


def test_a_replay_writes_nothing(shopped: Path) -> None:
    before = digest(shopped)
    files = sorted(shopped.rglob("*"))
    with office(shopped, ScriptedModel([])) as errands:
        errands.replay()
        assert digest(shopped) == before
    assert digest(shopped) == before
    assert [path for path in sorted(shopped.rglob("*")) if path not in files] == []
    assert Bag(shopped).paid() == ["4 words"]


def test_a_replay_can_be_repeated(shopped: Path) -> None:
    with office(shopped, ScriptedModel([])) as errands:
        assert errands.replay() == errands.replay()


def test_a_word_that_was_given_up_is_given_up_again(tmp_path: Path) -> None:
    model = ScriptedModel(lambda request: "no" if "stones" in request.messages[0].text else "[WORD:] red")
    with office(tmp_path, model) as errands:
        state = errands.start(in_a_row(tmp_path, "ask_at_once, about: [apples, stones, pears]"))
        assert state.words == ("red", "red")
        asked = len(model.requests)
        assert errands.replay() == state
    assert len(model.requests) == asked == 4


def test_the_definition_that_ran_is_replayed_whatever_the_file_says_now(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        state = errands.start(in_a_row(tmp_path, "count, by: 2"))
        in_a_row(tmp_path, "count, by: 3", "lie")
        assert errands.replay() == state


def test_a_changed_prompt_is_noticed(shopped: Path) -> None:
    @action(DONE, params=ACTIONS["ask"].params)
    def ask(state: Basket, run: Errand) -> str:
        state.words = (*state.words, word(state, run, "old bread"))
        return DONE

    with office(shopped, ScriptedModel(["[WORD:] stale"]), kinds=changed(ask)) as errands:
        with pytest.raises(ModelError, match=r"asks something that the run did not ask \(stage errand\.word\)") as told:
            errands.replay()
        assert "changed since" in told.value.hint


def test_a_changed_outcome_is_noticed(tmp_path: Path) -> None:
    @action("left", "right")
    def turn(state: Basket, run: Errand) -> str:
        return "right"

    with office(tmp_path) as errands:
        errands.start("fork")
    with (
        office(tmp_path, kinds=changed(turn)) as errands,
        pytest.raises(Incomplete, match="the replay of crossing ended in right, the run in left"),
    ):
        errands.replay()


def test_a_changed_result_is_noticed(tmp_path: Path) -> None:
    @action(DONE, params=ACTIONS["count"].params)
    def count(state: Basket, run: Errand) -> str:
        state.count += 1
        return DONE

    with office(tmp_path) as errands:
        errands.start("walk")
    with office(tmp_path, kinds=changed(count)) as errands, pytest.raises(Incomplete, match="in another state than"):
        errands.replay()


def test_an_effect_that_the_run_did_not_have_is_noticed_and_not_carried_out(shopped: Path) -> None:
    @action(DONE)
    def pay_twice(state: Basket, run: Errand) -> str:
        pay.run(state, run)
        return pay.run(state, run)

    kinds = changed(Action("pay", pay_twice.run, pay_twice.outcomes))
    with (
        office(shopped, ScriptedModel([]), kinds=kinds) as errands,
        pytest.raises(Incomplete, match="the replay of till needs a pay that the run did not record"),
    ):
        errands.replay()
    assert Bag(shopped).paid() == ["4 words"]


def test_a_run_that_has_not_ended_cannot_be_replayed(tmp_path: Path) -> None:
    with office(tmp_path) as errands:
        with pytest.raises(InputError, match="closed"):
            errands.start(in_a_row(tmp_path, "need"))
        with pytest.raises(InputError, match="is failed") as refusal:
            errands.replay()
    assert refusal.value.hint == "Only a finished run can be replayed."


def test_every_pipeline_of_these_tests_that_comes_to_an_end_replays(tmp_path: Path) -> None:
    assert set(LIBRARY.names()) == {path.stem for path in (HERE / "pipelines").glob("*.yaml")}
    for name in LIBRARY.names():
        with office(tmp_path, ScriptedModel(lambda _: "[WORD:] yes")) as errands:
            assert errands.start(name) == errands.replay(), name
