"""`retrieve` with a model: files reranked by its votes, symbols judged yes or no, every call recorded."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bottega.models import Reply, Request, TokenChoice
from bottega.retrieve import RetrieveRequest, RetrieveResult
from bottega.testing import scripted_workshop
from tests.ask.quay import build

TASK = "load cargo onto a ship"


@pytest.fixture
def quay(tmp_path: Path) -> Path:
    return build(tmp_path / "quay-town")


def retrieve(root: Path, play: Callable[[Request], str], **more: object) -> RetrieveResult:
    with scripted_workshop(root, play) as workshop:
        result = workshop.call(RetrieveRequest.model_validate({"task": TASK, "tokens": 2000, **more}))
    assert isinstance(result, RetrieveResult)
    return result


def vote_for(path: str) -> Callable[[Request], str]:
    """A model that names the letter of a file first, wherever it is shown."""

    def play(request: Request) -> str:
        text = request.messages[0].text
        found = re.search(rf"\[([A-Z])\]\n`+\n{re.escape(path)}\n", text)
        assert found is not None, text
        return json.dumps({"order": [found[1]]})

    return play


def first_path(result: RetrieveResult) -> str:
    return result.units[0].span.path


def test_without_a_model_the_ranks_decide_and_it_says_so(quay: Path) -> None:
    result = retrieve(quay, vote_for("nothing"))
    assert (result.judged_by, result.run, first_path(result)) == ("rank", "", "quay/ships.py")


def test_a_file_that_every_order_names_first_comes_first_and_nothing_is_dropped(quay: Path) -> None:
    plain = retrieve(quay, vote_for("nothing"))
    result = retrieve(quay, vote_for("quay/cranes.py"), rerank=True)
    assert (result.judged_by, first_path(result)) == ("rank and a model", "quay/cranes.py")
    assert {unit.symbol for unit in result.units} == {unit.symbol for unit in plain.units}
    assert result.run


def test_a_model_that_names_what_stands_first_changes_nothing(quay: Path) -> None:
    plain = retrieve(quay, vote_for("nothing"))
    result = retrieve(quay, lambda _: '{"order": ["A"]}', rerank=True)
    assert first_path(result) == first_path(plain)


@pytest.mark.parametrize("reply", ["", "the second one", '{"order": ["Z"]}', '{"order": [1]}', '{"order": []}', "null"])
def test_replies_that_name_no_file_vote_for_nothing(quay: Path, reply: str) -> None:
    result = retrieve(quay, lambda _: reply, rerank=True)
    assert (result.judged_by, first_path(result)) == ("rank", "quay/ships.py")


def test_probabilities_of_tokens_are_asked_for_and_recorded_so_that_a_replay_needs_none(quay: Path) -> None:
    def play(request: Request) -> Reply:
        assert request.alternatives == 20
        letter = re.search(r"\[([A-Z])\]\n`+\nquay/cranes.py\n", request.messages[0].text)
        assert letter is not None
        choice = TokenChoice(letter[1], {letter[1]: 0.9, "A" if letter[1] != "A" else "B": 0.1})
        return Reply(json.dumps({"order": [letter[1]]}), tokens=(choice,), model="scripted/model")

    with scripted_workshop(quay, play) as workshop:
        result = workshop.call(RetrieveRequest(task=TASK, tokens=2000, rerank=True))
        assert isinstance(result, RetrieveResult)
        assert first_path(result) == "quay/cranes.py"
        assert workshop.replay(result.run).result() == result


def judge_by(verdicts: dict[str, str], seen: list[str]) -> Callable[[Request], str]:
    def play(request: Request) -> str:
        name = re.search(r"(?:method|function|class|section) (\S+)", request.messages[0].text)
        assert name is not None
        seen.append(name[1])
        return verdicts.get(name[1], "yes")

    return play


def test_symbols_that_a_model_refuses_are_left_out_and_what_it_cannot_say_stays(quay: Path) -> None:
    verdicts = {"Ship.__init__": "No.", "lift": "I am not sure"}
    result = retrieve(quay, judge_by(verdicts, []), judge=True)
    symbols = {unit.symbol for unit in result.units if unit.level == "primary"}
    assert "Ship.__init__" not in symbols
    assert {"lift", "Ship.load"} <= symbols
    reasons = {decision.what: decision.reason for decision in result.decisions}
    assert reasons["Ship.__init__"] == "a model judged that it does not matter"


def test_a_symbol_that_the_task_names_is_shown_whatever_the_model_says(quay: Path) -> None:
    result = retrieve(quay, lambda _: "no", judge=True, task="does `Overloaded` come from Ship.load?")
    assert {"Overloaded", "Ship.load"} <= {unit.symbol for unit in result.units}


def test_a_verdict_is_asked_for_once_for_the_same_task_and_content(quay: Path) -> None:
    first: list[str] = []
    retrieve(quay, judge_by({}, first), judge=True)
    again: list[str] = []
    retrieve(quay, judge_by({}, again), judge=True)
    assert first
    assert again == []
    ships = quay / "quay" / "ships.py"
    ships.write_text(ships.read_text().replace("self.cargo += tons", "self.cargo = self.cargo + tons"))
    retrieve(quay, judge_by({}, again), judge=True)
    assert set(again) == {"Ship", "Ship.load"}


def test_calls_and_decisions_are_recorded(quay: Path) -> None:
    with scripted_workshop(quay, vote_for("quay/cranes.py")) as workshop:
        result = workshop.call(RetrieveRequest(task=TASK, rerank=True))
        assert isinstance(result, RetrieveResult)
        calls = workshop.journal.calls.of_run(result.run)
        notes = workshop.journal.notes.of_run(result.run)
    assert len(calls) == 3
    assert sum(note.name == "context" for note in notes) == len(result.decisions)
