"""The scripted server as the official OpenAI client sees it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import openai
import pytest
from openai.types.chat import ChatCompletion, ChatCompletionChunk, ChatCompletionMessageParam

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

HELLO: list[ChatCompletionMessageParam] = [{"role": "user", "content": "hello there, model"}]


def client(server: ScriptedServer, *, key: str = "any", timeout: float = 5.0) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{server.url}/v1", api_key=key, max_retries=0, timeout=timeout)


@contextmanager
def talking_to(*steps: Step, timeout: float = 5.0, **settings: Any) -> Iterator[openai.OpenAI]:
    with ScriptedServer(steps, **settings) as server, client(server, timeout=timeout) as model:
        yield model


def ask(model: openai.OpenAI, name: str = "m") -> ChatCompletion:
    return model.chat.completions.create(model=name, messages=HELLO)


def stream(model: openai.OpenAI) -> openai.Stream[ChatCompletionChunk]:
    return model.chat.completions.create(model="m", messages=HELLO, stream=True, stream_options={"include_usage": True})


def text_of(chunks: Iterable[ChatCompletionChunk]) -> str:
    return "".join(choice.delta.content or "" for chunk in chunks for choice in chunk.choices)


def test_a_plain_reply_comes_with_its_usage() -> None:
    with talking_to(Say("hi", prompt_tokens=7, completion_tokens=3)) as model:
        reply = ask(model)
    assert (reply.choices[0].message.content, reply.choices[0].finish_reason) == ("hi", "stop")
    assert reply.usage is not None
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens, reply.usage.total_tokens) == (7, 3, 10)


def test_a_stream_ends_with_a_chunk_of_usage_alone() -> None:
    with talking_to(Say("hello world")) as model:
        chunks = list(stream(model))
    assert text_of(chunks) == "hello world"
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert chunks[-1].choices == []
    assert chunks[-1].usage is not None


def test_usage_stays_out_of_a_stream_that_does_not_ask_for_it() -> None:
    with talking_to(Say("hello")) as model:
        chunks = list(model.chat.completions.create(model="m", messages=HELLO, stream=True))
    assert all(chunk.usage is None for chunk in chunks)


def test_thinking_is_an_extra_field_of_message_and_delta() -> None:
    with talking_to(Say("42", thinking="let me see"), repeat_last=True) as model:
        extra = ask(model).choices[0].message.model_extra
        deltas = [choice.delta.model_extra or {} for chunk in stream(model) for choice in chunk.choices]
    assert extra == {"reasoning_content": "let me see"}
    assert "".join(delta.get("reasoning_content", "") for delta in deltas) == "let me see"


def test_tool_calls_carry_their_arguments_as_text() -> None:
    step = Say("", tool_calls=(ToolCall("read", {"path": "a.py"}),))
    with talking_to(step, step) as model:
        choice = ask(model).choices[0]
        deltas = [choice.delta for chunk in stream(model) for choice in chunk.choices]
    calls = [call for call in choice.message.tool_calls or () if call.type == "function"]
    pieces = [call.function for delta in deltas for call in delta.tool_calls or () if call.function]
    assert choice.finish_reason == "tool_calls"
    assert [json.loads(call.function.arguments) for call in calls] == [{"path": "a.py"}]
    assert [piece.arguments for piece in pieces] == [calls[0].function.arguments]


def test_a_rate_limit_tells_when_to_come_back() -> None:
    with (
        talking_to(Fail(429, "slow down", retry_after=0.2)) as model,
        pytest.raises(openai.RateLimitError, match="slow down") as caught,
    ):
        ask(model)
    assert caught.value.response.headers["retry-after"] == "0.2"
    assert caught.value.code == "rate_limit_exceeded"


def test_a_broken_server_is_an_internal_server_error() -> None:
    with talking_to(Fail(500)) as model, pytest.raises(openai.InternalServerError):
        stream(model)


def test_a_wrong_key_is_an_authentication_error() -> None:
    with ScriptedServer([Say("hi")], api_key="right") as server:
        with client(server, key="wrong") as model, pytest.raises(openai.AuthenticationError) as caught:
            ask(model)
        with client(server, key="right") as model:
            assert ask(model).choices[0].message.content == "hi"
    assert caught.value.code == "invalid_api_key"


def test_an_unknown_model_is_not_found() -> None:
    with talking_to(models=[ServedModel("known")]) as model, pytest.raises(openai.NotFoundError) as caught:
        ask(model, "other")
    assert caught.value.code == "model_not_found"


def test_the_models_are_listed_under_either_path() -> None:
    served = [ServedModel("a", context_length=32768), ServedModel("b")]
    with ScriptedServer([], models=served) as server, client(server) as model:
        assert [entry.id for entry in model.models.list()] == ["a", "b"]
        assert model.models.retrieve("a").model_extra == {"max_model_len": 32768}
        with openai.OpenAI(base_url=server.url, api_key="any", max_retries=0) as bare:
            assert [entry.id for entry in bare.models.list()] == ["a", "b"]


def test_a_cut_reply_is_a_connection_error_whole_or_streamed() -> None:
    step = CutStream("hello world", after=5)
    heard: list[ChatCompletionChunk] = []
    with talking_to(step, step) as model:
        with pytest.raises(openai.APIConnectionError):
            ask(model)
        with pytest.raises(openai.APIConnectionError):
            heard.extend(stream(model))
    assert text_of(heard) == "hello"


def test_a_silent_cut_shows_only_in_the_missing_finish() -> None:
    with talking_to(CutStream("hello world", after=5, silent=True)) as model:
        chunks = list(stream(model))
    assert [choice.finish_reason for chunk in chunks for choice in chunk.choices if choice.finish_reason] == []


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
    with talking_to(Hang(), timeout=0.1) as model, pytest.raises(openai.APITimeoutError):
        ask(model)


def test_a_schema_is_accepted() -> None:
    with talking_to(Say("{}")) as model:
        assert ask_by_schema(model).choices[0].message.content == "{}"


def test_a_schema_may_be_refused() -> None:
    with (
        talking_to(honours_schema=False) as model,
        pytest.raises(openai.BadRequestError, match="response_format is not supported"),
    ):
        ask_by_schema(model)


def ask_by_schema(model: openai.OpenAI) -> ChatCompletion:
    return model.chat.completions.create(
        model="m",
        messages=HELLO,
        response_format={"type": "json_schema", "json_schema": {"name": "any", "schema": {"type": "object"}}},
    )


def test_a_loop_runs_until_max_tokens() -> None:
    with talking_to(Loop("again", 1000)) as model:
        choice = model.chat.completions.create(model="m", messages=HELLO, max_completion_tokens=2).choices[0]
    assert (choice.message.content, choice.finish_reason) == ("again again", "length")
