"""The scripted server as the official Anthropic client sees it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import anthropic
import httpx2
import pytest
from anthropic.types import Message, MessageParam, RawMessageStreamEvent

from bottega.testing import (
    CutStream,
    Fail,
    Garbage,
    Hang,
    Loop,
    Say,
    ScriptedServer,
    ServedModel,
    Step,
    ToolCall,
    TruncatedJson,
)

HELLO: list[MessageParam] = [{"role": "user", "content": "hello there, model"}]


def client(server: ScriptedServer, *, key: str = "any", timeout: float = 5.0) -> anthropic.Anthropic:
    return anthropic.Anthropic(base_url=server.url, api_key=key, max_retries=0, timeout=timeout)


@contextmanager
def talking_to(*steps: Step, timeout: float = 5.0, **settings: Any) -> Iterator[anthropic.Anthropic]:
    with ScriptedServer(steps, **settings) as server, client(server, timeout=timeout) as model:
        yield model


def ask(model: anthropic.Anthropic, name: str = "m") -> Message:
    return model.messages.create(model=name, messages=HELLO, max_tokens=100)


def stream(model: anthropic.Anthropic) -> anthropic.Stream[RawMessageStreamEvent]:
    return model.messages.create(model="m", messages=HELLO, max_tokens=100, stream=True)


def final(model: anthropic.Anthropic) -> Message:
    with model.messages.stream(model="m", messages=HELLO, max_tokens=100) as streamed:
        return streamed.get_final_message()


def text_of(message: Message) -> str:
    return "".join(block.text for block in message.content if block.type == "text")


def test_a_plain_reply_comes_with_its_usage() -> None:
    with talking_to(Say("hi", prompt_tokens=7, completion_tokens=3)) as model:
        reply = ask(model)
    assert (text_of(reply), reply.stop_reason) == ("hi", "end_turn")
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (7, 3)


def test_a_stream_goes_through_every_event() -> None:
    with talking_to(Say("hello")) as model:
        kinds = [event.type for event in stream(model)]
    assert kinds == [
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ]


def test_the_clients_own_gathering_of_a_stream_gives_the_whole_reply() -> None:
    step = Say("4 2", thinking="let me see", tool_calls=(ToolCall("read", {"path": "a.py"}),), prompt_tokens=7)
    with talking_to(step, step) as model:
        whole, gathered = ask(model), final(model)
    assert [block.type for block in gathered.content] == ["thinking", "text", "tool_use"]
    assert text_of(gathered) == text_of(whole) == "4 2"
    assert gathered.usage == whole.usage
    assert gathered.stop_reason == whole.stop_reason == "tool_use"


@pytest.mark.parametrize("ask_how", [ask, final])
def test_thinking_and_tool_calls_are_blocks(ask_how: Callable[[anthropic.Anthropic], Message]) -> None:
    with talking_to(Say("", thinking="hm", tool_calls=(ToolCall("read", {"path": "a.py"}),))) as model:
        thought, call = ask_how(model).content
    assert thought.type == "thinking"
    assert thought.thinking == "hm"
    assert call.type == "tool_use"
    assert (call.name, call.input) == ("read", {"path": "a.py"})


def test_a_rate_limit_tells_when_to_come_back() -> None:
    with (
        talking_to(Fail(429, "slow down", retry_after=0.2)) as model,
        pytest.raises(anthropic.RateLimitError) as caught,
    ):
        ask(model)
    assert caught.value.response.headers["retry-after"] == "0.2"
    assert (caught.value.type, caught.value.api_message) == ("rate_limit_error", "slow down")


@pytest.mark.parametrize(("status", "kind"), [(500, "api_error"), (529, "overloaded_error")])
def test_a_broken_server_is_an_internal_server_error(status: int, kind: str) -> None:
    with talking_to(Fail(status)) as model, pytest.raises(anthropic.InternalServerError) as caught:
        ask(model)
    assert (caught.value.status_code, caught.value.type) == (status, kind)


def test_a_wrong_key_is_an_authentication_error() -> None:
    with ScriptedServer([Say("hi")], api_key="right") as server:
        with client(server, key="wrong") as model, pytest.raises(anthropic.AuthenticationError):
            ask(model)
        with client(server, key="right") as model:
            assert text_of(ask(model)) == "hi"


def test_the_key_is_also_taken_from_the_header_of_older_clients() -> None:
    headers = {"x-api-key": "right", "anthropic-version": "2023-06-01"}
    with ScriptedServer([], api_key="right") as server:
        reply = httpx2.get(f"{server.url}/v1/models", headers=headers)
    assert reply.json() == {"data": [], "has_more": False}


def test_an_unknown_model_is_not_found() -> None:
    with (
        talking_to(models=[ServedModel("known")]) as model,
        pytest.raises(anthropic.NotFoundError, match="model: other"),
    ):
        ask(model, "other")


def test_the_models_are_listed_with_their_window() -> None:
    served = [ServedModel("a", context_length=200_000), ServedModel("b")]
    with talking_to(models=served) as model:
        assert [entry.id for entry in model.models.list()] == ["a", "b"]
        assert model.models.retrieve("a").max_input_tokens == 200_000


def test_a_cut_reply_is_wrapped_only_when_it_is_not_streamed() -> None:
    step = CutStream("hello world", after=5)
    heard: list[RawMessageStreamEvent] = []
    with talking_to(step, step) as model:
        with pytest.raises(anthropic.APIConnectionError):
            ask(model)
        with pytest.raises(httpx2.RemoteProtocolError):
            heard.extend(stream(model))
    deltas = [event.delta for event in heard if event.type == "content_block_delta"]
    assert "".join(delta.text for delta in deltas if delta.type == "text_delta") == "hello"


def test_a_silent_cut_shows_only_in_the_missing_stop_reason() -> None:
    with talking_to(CutStream("hello world", after=5, silent=True)) as model:
        reply = final(model)
    assert (text_of(reply), reply.stop_reason) == ("hello", None)


def test_truncated_json_is_a_decode_error() -> None:
    with talking_to(TruncatedJson(), repeat_last=True) as model:
        with pytest.raises(json.JSONDecodeError):
            ask(model)
        with pytest.raises(json.JSONDecodeError):
            list(stream(model))


def test_a_page_of_html_passes_for_a_reply() -> None:
    with talking_to(Garbage(b"<html>log in</html>"), repeat_last=True) as model:
        assert str(ask(model)) == "<html>log in</html>"
        assert list(stream(model)) == []


def test_a_server_that_hangs_runs_into_the_clients_timeout() -> None:
    with talking_to(Hang(), timeout=0.1) as model, pytest.raises(anthropic.APITimeoutError):
        ask(model)


def test_a_schema_is_accepted() -> None:
    with talking_to(Say("{}")) as model:
        assert text_of(ask_by_schema(model)) == "{}"


def test_a_schema_may_be_refused() -> None:
    with talking_to(honours_schema=False) as model, pytest.raises(anthropic.BadRequestError, match="format"):
        ask_by_schema(model)


def ask_by_schema(model: anthropic.Anthropic) -> Message:
    return model.messages.create(
        model="m",
        messages=HELLO,
        max_tokens=100,
        output_config={"format": {"type": "json_schema", "schema": {"type": "object"}}},
    )


def test_a_loop_runs_until_max_tokens() -> None:
    with talking_to(Loop("again", 1000)) as model:
        reply = model.messages.create(model="m", messages=HELLO, max_tokens=2)
    assert (text_of(reply), reply.stop_reason) == ("again again", "max_tokens")
