"""A value is asked for: parse, one repair turn, then a typed failure."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, ConfigDict

from bottega.errors import ReplyRejected
from bottega.models import CodeContract, LineContract, Request, SchemaContract
from bottega.models.providers.scripted import ScriptedModel
from bottega.testing import Prose, Received, Say, ScriptedServer

from .doubles import Desk, OpenDesk


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    score: int


SCORE = SchemaContract(Verdict)
QUESTION = Request.of("Score it.", stage="write.judge")


def roles(ask: Received) -> list[str]:
    return [message["role"] for message in ask.body["messages"]]


def verdicts(desk: Desk) -> list[tuple[str | None, str | None]]:
    return [(call.verdict, call.verdict_reason) for call in desk.calls]


def test_a_good_reply_becomes_its_value(open_desk: OpenDesk) -> None:
    with ScriptedServer([Say('{"score": 8}')]) as server:
        desk = open_desk(server, "openai")
        answer = desk.roster.ask(QUESTION, SCORE, role="judge", log=desk.log())
    assert answer.value == Verdict(score=8)
    assert not answer.repaired
    assert answer.reply.call_id == desk.calls[0].id
    assert verdicts(desk) == [("accepted", "")]
    assert server.asked[0].body["response_format"]["json_schema"]["schema"] == Verdict.model_json_schema()


def test_a_bad_reply_is_repaired_by_a_turn_that_carries_the_exact_error(open_desk: OpenDesk) -> None:
    with ScriptedServer([Prose("I would say 8."), Say('{"score": 8}')]) as server:
        desk = open_desk(server, "openai")
        answer = desk.roster.ask(QUESTION, SCORE, role="judge", log=desk.log())
    assert answer.value == Verdict(score=8)
    assert answer.repaired
    reason = "the reply is not one JSON object: Expecting value at line 1 column 1"
    assert verdicts(desk) == [("refused", reason), ("accepted", "")]
    first, second = server.asked
    assert (roles(first), roles(second)) == (["user"], ["user", "assistant", "user"])
    said, repair = (message["content"] for message in second.body["messages"][1:])
    assert said == "I would say 8."
    assert f"Your reply was refused: {reason}." in repair
    assert '"score"' in repair


def test_two_bad_replies_are_a_rejection_with_reason_and_text(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel(['{"score": "8"}', '{"score": 8, "why": "good"}', "never asked"]))
    with pytest.raises(ReplyRejected) as caught:
        desk.roster.ask(QUESTION, SCORE, role="judge", log=desk.log())
    assert caught.value.reason == "why: Extra inputs are not permitted"
    assert caught.value.text == '{"score": 8, "why": "good"}'
    assert caught.value.model == "scripted/model"
    assert [call.reply for call in desk.calls] == ['{"score": "8"}', '{"score": 8, "why": "good"}']
    assert [verdict for verdict, _ in verdicts(desk)] == ["refused", "refused"]
    assert all(call.status == "completed" for call in desk.calls), "a refused reply is still a reply"


@pytest.mark.parametrize("said", ["", "<think>I only thought about it</think>"])
def test_a_model_that_says_nothing_is_asked_again(open_desk: OpenDesk, wire: str, said: str) -> None:
    with ScriptedServer([Say(said), Say("x = 1")]) as server:
        desk = open_desk(server, wire)
        answer = desk.roster.ask(Request.of("code"), CodeContract(), role="coding", log=desk.log())
    assert (answer.value.text, answer.repaired) == ("x = 1\n", True)


def test_a_reply_cut_at_the_limit_is_refused_as_such(open_desk: OpenDesk) -> None:
    with ScriptedServer([Say("```\nx = [1,", finish="length"), Say("```\nx = [1]\n```")]) as server:
        desk = open_desk(server, "openai")
        answer = desk.roster.ask(Request.of("code"), CodeContract(), role="coding", log=desk.log())
    assert answer.value.text == "x = [1]\n"
    assert verdicts(desk)[0] == ("refused", "the reply was cut at the token limit before it ended")


def test_contracts_that_are_not_json_ask_for_no_schema(open_desk: OpenDesk) -> None:
    model = ScriptedModel(["[YES] sure"])
    desk = open_desk(model)
    request = Request.of("?", schema={"type": "object"})
    assert desk.roster.ask(request, LineContract(["[YES]"]), role="judge", log=desk.log()).value.text == "sure"
    assert model.requests[0].schema is None


def test_a_server_that_refuses_schemas_is_remembered_and_not_asked_for_them_again(
    open_desk: OpenDesk, wire: str
) -> None:
    with ScriptedServer([Say('{"score": 8}')], repeat_last=True, honours_schema=False) as server:
        desk = open_desk(server, wire)
        assert desk.roster.ask(QUESTION, SCORE, role="judge", log=desk.log()).value.score == 8
        assert desk.journal.facts.get(f"{wire}/m", "json_schema") is False
        before = len(server.asked)
        assert desk.roster.ask(QUESTION, SCORE, role="judge", log=desk.log(2)).value.score == 8
    assert before == 2, "once with the schema, once without"
    (later,) = server.asked[before:]
    assert not {"format", "response_format", "output_config"} & {name for name, value in later.body.items() if value}
    assert desk.attempts == [(1, None), (1, None)], "a refused option is no failed try"


def test_what_was_streamed_of_both_replies_is_heard(open_desk: OpenDesk) -> None:
    heard: list[str] = []
    desk = open_desk(ScriptedModel(["eight", '{"score": 8}']))
    desk.roster.ask(QUESTION, SCORE, role="judge", log=desk.log(), on_text=heard.append)
    assert "".join(heard) == 'eight{"score": 8}'
