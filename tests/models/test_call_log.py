"""What a run has already been answered is not asked again."""

from __future__ import annotations

import json

import pytest

from bottega.errors import ModelError, ModelFault, ReplyRejected
from bottega.models import Message, ReplayLog, Reply, Request, Tool, ToolCall, Usage
from bottega.models.providers.scripted import ScriptedModel
from bottega.testing import Say, ScriptedServer

from .doubles import Desk, OpenDesk
from .test_roster_contracts import QUESTION, SCORE


def replay_of(desk: Desk, seq: int = 1) -> ReplayLog:
    return ReplayLog(desk.journal.calls, desk.journal.mask, desk.run_id, seq)


def test_a_step_that_starts_over_is_answered_from_the_journal(open_desk: OpenDesk, wire: str) -> None:
    with ScriptedServer([Say("first", thinking="hm", prompt_tokens=5, completion_tokens=2)]) as server:
        desk = open_desk(server, wire)
        first = desk.roster.complete(Request.of("go"), role="coding", log=desk.log())
        again = desk.roster.complete(Request.of("go"), role="coding", log=desk.log())
    assert len(server.asked) == len(desk.calls) == 1
    assert (again.text, again.thinking, again.usage) == ("first", "hm", Usage(5, 2))
    assert (again.call_id, again.model) == (first.call_id, first.model)
    assert (first.recalled, again.recalled) == (False, True)


def test_an_equal_request_later_in_the_same_step_is_another_call(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel(["one", "two", "three"]))
    log = desk.log()
    assert [desk.complete("go", log), desk.complete("go", log)] == ["one", "two"]
    again = desk.log()
    assert [desk.complete("go", again) for _ in range(3)] == ["one", "two", "three"]
    assert [call.nth for call in desk.calls] == [0, 1, 2]


def test_another_step_or_another_run_asks_for_itself(open_desk: OpenDesk) -> None:
    model = ScriptedModel(["one", "two", "three"])
    desk, other = open_desk(model), open_desk(model)
    assert [desk.complete("go", desk.log(1)), desk.complete("go", desk.log(2)), other.complete("go")] == [
        "one",
        "two",
        "three",
    ]


@pytest.mark.parametrize(
    "other",
    [
        Request.of("go!"),
        Request.of("go", system="Be brief."),
        Request.of("go", temperature=0.5),
        Request.of("go", max_tokens=5),
        Request.of("go", seed=1),
        Request.of("go", tools=(Tool("look", "Look.", {}),)),
        Request.of("go", schema={"type": "object"}),
        Request((Message("assistant", "go"),)),
    ],
)
def test_anything_the_model_sees_makes_it_another_request(open_desk: OpenDesk, other: Request) -> None:
    desk = open_desk(ScriptedModel(["one", "two"]))
    assert desk.complete("go") == "one"
    assert desk.roster.complete(other, role="coding", log=desk.log()).text == "two"


def test_a_failed_call_is_asked_again(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel([ModelFault("scripted/model", "400", passing=False), "better"]))
    with pytest.raises(ModelFault):
        desk.complete()
    assert desk.complete() == "better"
    assert [call.status for call in desk.calls] == ["failed", "completed"]


def test_a_refused_reply_and_its_repair_are_both_recalled(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel(["eight", '{"score": 8}']))
    for _ in range(2):
        answer = desk.roster.ask(QUESTION, SCORE, role="judge", log=desk.log())
        assert (answer.value.score, answer.repaired) == (8, True)
    assert [call.verdict for call in desk.calls] == ["refused", "accepted"]


def test_tool_calls_are_recalled_whole(open_desk: OpenDesk) -> None:
    said = Reply("", tool_calls=(ToolCall("c1", "look", {"path": "ä.py"}),), finish="tool_calls")
    desk = open_desk(ScriptedModel([said]))
    for _ in range(2):
        reply = desk.roster.complete(Request.of("look"), role="coding", log=desk.log())
        assert (reply.tool_calls, reply.finish) == (said.tool_calls, "tool_calls")


def test_a_request_with_a_masked_secret_is_recognised(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel(["one"]))
    secret = "password = 'hunter2-a1b2c3d4'"
    assert desk.complete(secret) == desk.complete(secret) == "one"
    assert "hunter2" not in desk.calls[0].request


def test_a_replay_answers_without_any_model_and_writes_nothing(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel(['{"score": 11}', '{"score": 8}']))
    desk.roster.ask(QUESTION, SCORE, role="judge", log=desk.log())
    before = desk.calls
    answer = desk.roster.ask(QUESTION, SCORE, role="judge", log=replay_of(desk))
    assert answer.value.score == json.loads(str(before[0].reply))["score"] == 11
    assert desk.calls == before


def test_a_replay_that_asks_something_new_ends_with_the_reason(open_desk: OpenDesk) -> None:
    model = ScriptedModel(["one"])
    desk = open_desk(model)
    with pytest.raises(ModelError, match="did not ask") as caught:
        desk.roster.complete(Request.of("new", stage="write.code"), role="coding", log=replay_of(desk))
    assert "changed since" in caught.value.hint
    assert (model.requests, desk.calls) == ([], [])


def test_a_replay_of_a_rejected_reply_is_rejected_again(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel(["eight", "nine"]))
    for log in (desk.log(), replay_of(desk)):
        with pytest.raises(ReplyRejected) as caught:
            desk.roster.ask(QUESTION, SCORE, role="judge", log=log)
        assert caught.value.text == "nine"
