"""Every call is in the journal: before it is sent, and whatever becomes of it."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from bottega.errors import InputError, ModelRefused
from bottega.journal import CallRecord, Journal
from bottega.models import Reply, Request, Usage, open_model
from bottega.models.providers.scripted import ScriptedModel
from bottega.settings import Price
from bottega.testing import Fail, Say, ScriptedServer

from .doubles import MESSAGE_START, Desk, OpenDesk, Raw, chunks, events, lines, settings_for


def test_a_call_is_written_before_it_is_sent(open_desk: OpenDesk, journal: Journal) -> None:
    seen: list[CallRecord] = []

    def look_and_answer(_request: Request) -> str:
        seen.extend(desk.calls)
        return "done"

    desk = open_desk(ScriptedModel(look_and_answer))
    desk.complete("Do it.")
    (before,), (after,) = seen, desk.calls
    assert (before.status, before.reply, before.ended_at) == ("sent", None, None)
    assert (after.status, after.reply, after.id) == ("completed", "done", before.id)
    assert json.loads(before.request)["messages"] == [{"role": "user", "text": "Do it."}]


def test_a_record_says_everything_that_was_asked_and_answered(open_desk: OpenDesk) -> None:
    said = Reply("done", "let me see", usage=Usage(10, 20), latency_ms=5, finish="length")
    desk = open_desk(ScriptedModel([said]), prices={"scripted/model": Price(input=1, output=2)})
    request = Request.of("Do it.", system="Be brief.", stage="write.code", prompt_version="abc", seed=3)
    reply = desk.roster.complete(request, role="coding", log=desk.log(seq=4))
    (call,) = desk.calls
    assert (call.run_id, call.seq, call.nth) == (desk.run_id, 4, 0)
    assert (call.stage, call.role, call.model, call.prompt_version) == ("write.code", "coding", "scripted/model", "abc")
    asked = json.loads(call.request)
    assert (asked["system"], asked["seed"], asked["temperature"], asked["max_tokens"]) == ("Be brief.", 3, 0.0, 2048)
    assert (call.reply, call.thinking, call.finish, call.latency_ms) == ("done", "let me see", "length", 5)
    assert (call.prompt_tokens, call.completion_tokens, call.cost) == (10, 20, 50 / 1_000_000)
    assert (reply.call_id, reply.model) == (call.id, call.model)


def test_every_try_is_recorded_under_its_call(open_desk: OpenDesk) -> None:
    with ScriptedServer([Fail(500, "tired"), Fail(429), Say("done")]) as server:
        desk = open_desk(server, "openai")
        assert desk.complete() == "done"
    assert desk.attempts == [
        (1, "ModelFault: openai/m failed: 500 tired"),
        (2, "ModelBusy: openai/m is over its rate limit"),
        (3, None),
    ]
    assert [call.status for call in desk.calls] == ["completed"]


def test_a_call_that_fails_says_why(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel([ModelRefused("scripted/model", "no")]))
    with pytest.raises(ModelRefused):
        desk.complete()
    (call,) = desk.calls
    assert (call.status, call.error) == ("failed", "ModelRefused: scripted/model refused the request: no")
    assert call.ended_at


def test_an_interrupted_call_is_left_as_failed(open_desk: OpenDesk) -> None:
    def interrupt(_request: Request) -> str:
        raise KeyboardInterrupt

    desk = open_desk(ScriptedModel(interrupt))
    with pytest.raises(KeyboardInterrupt):
        desk.complete()
    assert [(call.status, call.error) for call in desk.calls] == [("failed", "interrupted")]


def test_a_model_that_cannot_even_be_opened_says_why(journal: Journal, tmp_path: Path) -> None:
    desk = Desk(journal, tmp_path, settings_for("scripted/nowhere.yaml"), open_model)
    with pytest.raises(InputError):
        desk.complete()
    (call,) = desk.calls
    assert call.status == "failed"
    assert call.error is not None
    assert call.error.startswith("InputError: the script nowhere.yaml cannot be read")


def test_calls_of_many_threads_are_all_recorded(open_desk: OpenDesk) -> None:
    desk = open_desk(ScriptedModel(lambda request: request.messages[0].text.upper()))
    log = desk.log()
    threads = [threading.Thread(target=desk.complete, args=(f"call {n}", log)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(str(call.reply) for call in desk.calls) == [f"CALL {n}" for n in range(8)]


def test_a_character_that_arrives_in_two_halves_is_whole_in_the_record(open_desk: OpenDesk, wire: str) -> None:
    halves = ("smile \ud83d", "\ude00 and a lone \ud83d")
    deltas = [{"type": "text_delta", "text": half} for half in halves]
    choices = [{"index": 0, "delta": {"content": half}, "finish_reason": "stop"} for half in halves]
    messages = [{"role": "assistant", "content": half} for half in halves]
    streams = {
        "ollama": lines(*({"message": message, "done": message is messages[-1]} for message in messages)),
        "openai": chunks(*({"choices": [choice]} for choice in choices)),
        "anthropic": events(
            MESSAGE_START,
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            *({"type": "content_block_delta", "index": 0, "delta": delta} for delta in deltas),
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        ),
    }
    with ScriptedServer([Raw(streams[wire])]) as server:
        desk = open_desk(server, wire)
        assert desk.complete() == "smile 😀 and a lone \ufffd"
    assert [call.reply for call in desk.calls] == ["smile 😀 and a lone \ufffd"]


def test_a_secret_in_a_prompt_is_masked_in_the_record_and_in_what_is_sent(open_desk: OpenDesk) -> None:
    key = "sk-a1b2c3d4e5f6g7h8i9j0k1l2m3n4"
    model = ScriptedModel([f"your key is {key}"])
    desk = open_desk(model)
    desk.complete(f"my key is {key}")
    assert key not in model.requests[0].text()
    (call,) = desk.calls
    assert key not in f"{call.request} {call.reply}"
