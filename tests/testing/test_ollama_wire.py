"""The scripted server as the official Ollama client sees it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import ollama
import pytest

from bottega.testing import (
    CutPrompt,
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

HELLO = [{"role": "user", "content": "hello there, model"}]
QWEN = ServedModel("qwen3:8b", context_length=40960, quantization="Q8_0", family="qwen3")


def client(server: ScriptedServer, *, key: str | None = None, timeout: float = 5.0) -> ollama.Client:
    headers = {"Authorization": f"Bearer {key}"} if key else None
    return ollama.Client(server.url, timeout=timeout, headers=headers)


@contextmanager
def talking_to(*steps: Step, timeout: float = 5.0, **settings: Any) -> Iterator[ollama.Client]:
    with ScriptedServer(steps, **settings) as server, client(server, timeout=timeout) as model:
        yield model


def test_a_plain_reply_comes_with_its_account_of_tokens() -> None:
    with talking_to(Say("hi", prompt_tokens=7, completion_tokens=3)) as model:
        reply = model.chat("m", HELLO)
    assert (reply.message.content, reply.done_reason) == ("hi", "stop")
    assert (reply.prompt_eval_count, reply.eval_count) == (7, 3)
    assert reply.total_duration


def test_tokens_left_out_are_estimated_at_four_characters() -> None:
    with talking_to(Say("x" * 40)) as model:
        reply = model.chat("m", [{"role": "user", "content": "y" * 80}])
    assert (reply.prompt_eval_count, reply.eval_count) == (20, 10)


def test_a_stream_ends_with_the_account() -> None:
    with talking_to(Say("hello world", thinking="let me see")) as model:
        parts = list(model.chat("m", HELLO, stream=True))
    assert "".join(part.message.content or "" for part in parts) == "hello world"
    assert "".join(part.message.thinking or "" for part in parts) == "let me see"
    assert [part.done for part in parts] == [False] * (len(parts) - 1) + [True]
    assert parts[-1].eval_count == 5


def test_thinking_stands_beside_the_content() -> None:
    with talking_to(Say("42", thinking="hm")) as model:
        message = model.chat("m", HELLO, think=True).message
    assert (message.content, message.thinking) == ("42", "hm")


def test_generate_answers_whole_and_streamed() -> None:
    with talking_to(Say("one two", thinking="hm"), repeat_last=True) as model:
        whole = model.generate("m", "count")
        parts = list(model.generate("m", "count", stream=True))
    assert (whole.response, whole.thinking) == ("one two", "hm")
    assert "".join(part.response or "" for part in parts) == "one two"


def test_a_stream_may_hold_the_line_separators_that_go_escapes() -> None:
    with talking_to(Say("a\u2028b\u2029c è 漢")) as model:
        parts = list(model.chat("m", HELLO, stream=True))
    assert "".join(part.message.content or "" for part in parts) == "a\u2028b\u2029c è 漢"


@pytest.mark.parametrize("stream", [False, True])
def test_tool_calls_carry_their_arguments_as_a_mapping(stream: bool) -> None:
    step = Say("", tool_calls=(ToolCall("read", {"path": "a.py"}),))
    with talking_to(step) as model:
        if stream:
            messages = [part.message for part in model.chat("m", HELLO, stream=True)]
        else:
            messages = [model.chat("m", HELLO).message]
    calls = [call.function for message in messages for call in message.tool_calls or ()]
    assert [(call.name, call.arguments) for call in calls] == [("read", {"path": "a.py"})]


@pytest.mark.parametrize("status", [429, 500])
def test_a_failure_is_a_response_error_and_hides_the_retry_after_in_its_context(status: int) -> None:
    with talking_to(Fail(status, "not now", retry_after=0.2)) as model, pytest.raises(ollama.ResponseError) as caught:
        model.chat("m", HELLO)
    cause = caught.value.__context__
    assert (caught.value.error, caught.value.status_code) == ("not now", status)
    assert isinstance(cause, httpx.HTTPStatusError)
    assert cause.response.headers["retry-after"] == "0.2"


def test_a_wrong_key_is_refused() -> None:
    with ScriptedServer([Say("hi")], api_key="right") as server:
        with client(server, key="wrong") as model, pytest.raises(ollama.ResponseError, match="unauthorized"):
            model.chat("m", HELLO)
        with client(server, key="right") as model:
            assert model.chat("m", HELLO).message.content == "hi"


def test_an_unknown_model_is_missing() -> None:
    with talking_to(models=[QWEN]) as model:
        with pytest.raises(ollama.ResponseError, match="model 'other' not found") as caught:
            model.chat("other", HELLO)
        with pytest.raises(ollama.ResponseError, match="model 'other' not found"):
            model.show("other")
    assert caught.value.status_code == 404


def test_a_cut_reply_is_a_protocol_error_whole_or_streamed() -> None:
    heard: list[ollama.ChatResponse] = []
    with talking_to(CutStream("hello world", after=5), repeat_last=True) as model:
        with pytest.raises(httpx.RemoteProtocolError):
            model.chat("m", HELLO)
        with pytest.raises(httpx.RemoteProtocolError):
            heard.extend(model.chat("m", HELLO, stream=True))
    assert "".join(part.message.content or "" for part in heard) == "hello"


def test_a_silent_cut_shows_only_in_the_missing_done() -> None:
    with talking_to(CutStream("hello world", after=5, silent=True)) as model:
        parts = list(model.chat("m", HELLO, stream=True))
    assert not any(part.done for part in parts)


@pytest.mark.parametrize("step", [TruncatedJson(), Garbage(b"<html>log in</html>")])
def test_a_body_that_is_not_json_is_a_decode_error(step: TruncatedJson | Garbage) -> None:
    with talking_to(step, step) as model:
        with pytest.raises(json.JSONDecodeError):
            model.chat("m", HELLO)
        with pytest.raises(json.JSONDecodeError):
            list(model.chat("m", HELLO, stream=True))


def test_a_server_that_hangs_runs_into_the_clients_timeout() -> None:
    with talking_to(Hang(), timeout=0.1) as model, pytest.raises(httpx.ReadTimeout):
        model.chat("m", HELLO)


def test_a_schema_may_be_refused() -> None:
    with talking_to(Say("{}"), honours_schema=False) as model:
        with pytest.raises(ollama.ResponseError, match="format") as caught:
            model.chat("m", HELLO, format={"type": "object"})
        assert caught.value.status_code == 400
        assert model.chat("m", HELLO, format="json").message.content == "{}"


def test_a_model_may_lack_thinking_or_tools() -> None:
    plain = ServedModel("plain", capabilities=("completion",))
    tool = {"type": "function", "function": {"name": "read"}}
    with talking_to(models=[plain]) as model:
        with pytest.raises(ollama.ResponseError, match="does not support thinking"):
            model.chat("plain", HELLO, think=True)
        with pytest.raises(ollama.ResponseError, match="does not support tools"):
            model.chat("plain", HELLO, tools=[tool])


def test_the_catalogue_tells_the_window_trained_and_the_window_loaded() -> None:
    with talking_to(Say("hi"), models=[QWEN]) as model:
        details, info = model.show("qwen3:8b").details, model.show("qwen3:8b").modelinfo
        listed = model.list().models
        model.chat("qwen3:8b", HELLO, options={"num_ctx": 16384})
        loaded = model.ps().models
    assert details is not None
    assert details.quantization_level == "Q8_0"
    assert info == {"general.architecture": "qwen3", "qwen3.context_length": 40960}
    assert [entry.model for entry in listed] == ["qwen3:8b"]
    assert [(entry.model, entry.context_length) for entry in loaded] == [("qwen3:8b", 16384)]


def test_the_version_is_told() -> None:
    with ScriptedServer([]) as server:
        assert "version" in httpx.get(f"{server.url}/api/version").json()


def test_an_empty_prompt_loads_the_model_and_takes_no_step() -> None:
    with talking_to(Say("hi")) as model:
        assert model.chat("m").done_reason == "load"
        assert model.chat("m", HELLO).message.content == "hi"
        assert [entry.context_length for entry in model.ps().models] == [4096]


def test_a_loop_runs_until_num_predict() -> None:
    with talking_to(Loop("again", 1000)) as model:
        reply = model.chat("m", HELLO, options={"num_predict": 3})
    assert (reply.message.content, reply.done_reason, reply.eval_count) == ("again again again", "length", 3)


def test_a_cut_prompt_shows_in_the_tokens_read() -> None:
    with talking_to(CutPrompt("hi", read=5)) as model:
        reply = model.chat("m", [{"role": "user", "content": "x" * 4000}])
    assert reply.prompt_eval_count == 5
