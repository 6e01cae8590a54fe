"""What comes back from each wire, through the real clients."""

from __future__ import annotations

import pytest

from bottega.models import Request, Tool, ToolCall, Usage
from bottega.testing import Fail, Loop, Received, Say, ScriptedServer, ServedModel, Step
from bottega.testing import ToolCall as Called

from .doubles import MESSAGE_START, Raw, chunks, events, talking

LONG = "A reply of several pieces.\n\nIt goes on, with ünïcode and 😀.\n"


def test_a_plain_reply_brings_text_usage_and_the_models_name(wire: str) -> None:
    with talking(wire, ScriptedServer([Say("four", prompt_tokens=11, completion_tokens=3)])) as model:
        reply = model.complete(Request.of("2 + 2?"))
    assert (reply.text, reply.thinking, reply.finish) == ("four", "", "stop")
    assert reply.usage == Usage(11, 3)
    assert reply.model == model.name == f"{wire}/m"
    assert reply.latency_ms >= 0


def test_a_stream_is_heard_piece_by_piece_and_adds_up_to_the_reply(wire: str) -> None:
    heard: list[str] = []
    with talking(wire, ScriptedServer([Say(LONG)])) as model:
        reply = model.complete(Request.of("go on"), heard.append)
    assert "".join(heard) == reply.text == LONG
    assert len(heard) > 1


def test_native_thinking_is_kept_apart_and_not_streamed(wire: str) -> None:
    heard: list[str] = []
    with talking(wire, ScriptedServer([Say("four", thinking="two and two")])) as model:
        reply = model.complete(Request.of("2 + 2?"), heard.append)
    assert (reply.text, reply.thinking) == ("four", "two and two")
    assert "".join(heard) == "four"


def test_inline_thinking_is_kept_apart(wire: str) -> None:
    with talking(wire, ScriptedServer([Say("<think>two and two</think>\n\nfour")])) as model:
        reply = model.complete(Request.of("2 + 2?"))
    assert (reply.text, reply.thinking) == ("four", "two and two")


def test_a_reply_that_ran_into_the_limit_says_so(wire: str) -> None:
    with talking(wire, ScriptedServer([Loop("word", 500)])) as model:
        reply = model.complete(Request.of("talk", max_tokens=7))
    assert reply.finish == "length"
    assert reply.text == " ".join(["word"] * 7)


def test_probabilities_of_the_first_tokens_come_where_they_are_asked_for_and_known(wire: str) -> None:
    said = Say("yes", probabilities=({"yes": 0.8, "no": 0.2},))
    with talking(wire, ScriptedServer([said, said])) as model:
        plain = model.complete(Request.of("is it?"))
        reply = model.complete(Request.of("is it?", alternatives=5))
    assert (plain.text, plain.tokens) == (reply.text, ())
    if wire == "anthropic":  # its protocol has none
        assert reply.tokens == ()
        return
    (token,) = reply.tokens
    assert token.text == "yes"
    assert token.probabilities == {"yes": pytest.approx(0.8), "no": pytest.approx(0.2)}


def test_a_server_that_refuses_probabilities_is_asked_without_them() -> None:
    def answer(ask: Received) -> Step:
        return Fail(400, "logprobs are not supported") if "logprobs" in ask.body else Say("yes")

    with talking("openai", ScriptedServer(answer)) as model:
        assert model.complete(Request.of("is it?", alternatives=5)).text == "yes"


def test_tool_calls_come_with_their_arguments(wire: str) -> None:
    call = Called("look", {"path": "a.py", "lines": [1, 2]})
    with talking(wire, ScriptedServer([Say("", tool_calls=(call, call))])) as model:
        reply = model.complete(Request.of("look", tools=(Tool("look", "Look.", {"type": "object"}),)))
    assert reply.finish == "tool_calls"
    assert [(one.name, dict(one.arguments)) for one in reply.tool_calls] == [(call.name, call.arguments)] * 2
    assert len({one.id for one in reply.tool_calls}) == 2


def test_arguments_that_are_no_object_are_kept_for_the_caller_to_refuse() -> None:
    call = {"index": 0, "id": "c", "function": {"name": "look", "arguments": "[1"}}
    choice = {"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}
    with talking("openai", ScriptedServer([Raw(chunks({"choices": [choice]}))])) as model:
        reply = model.complete(Request.of("look"))
    assert reply.tool_calls == (ToolCall("c", "look", {"_unparsed": "[1"}),)


def test_a_reply_cut_by_the_models_window_counts_as_cut() -> None:
    stop = {"type": "message_delta", "delta": {"stop_reason": "model_context_window_exceeded"}, "usage": {}}
    said = Raw(events(MESSAGE_START, stop, {"type": "message_stop"}))
    with talking("anthropic", ScriptedServer([said])) as model:
        assert model.complete(Request.of("go on")).finish == "length"


def test_the_window_of_a_model_is_read_from_its_server(wire: str) -> None:
    with talking(wire, ScriptedServer([], models=[ServedModel("m", context_length=16_384)])) as model:
        assert getattr(model, "context_length")() == 16_384  # noqa: B009 - not every model can tell
        assert getattr(model, "available")() == ["m"]  # noqa: B009


def test_what_stays_on_this_machine_passes_no_proxy(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer([Say("from the proxy")], repeat_last=True) as proxy:
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HTTP_PROXY", proxy.url)
        with talking(wire, ScriptedServer([Say("from the server")])) as model:
            assert model.complete(Request.of("who are you?")).text == "from the server"
    assert proxy.requests == ()
