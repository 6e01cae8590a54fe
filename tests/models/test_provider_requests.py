"""What each wire is really asked, as the server received it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bottega.models import Message, ModelConfig, Request, Tool, ToolCall
from bottega.testing import Received, Say, ScriptedServer

from .doubles import PATIENT, opened, talking

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
LOOK = Tool("look", "Look at a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
FULL = Request.of("2 + 2?", system="Be brief.", temperature=0.3, max_tokens=77, seed=5, schema=SCHEMA, tools=(LOOK,))


def received(wire: str, request: Request, like: ModelConfig = PATIENT) -> Received:
    server = ScriptedServer([Say("{}")])
    with talking(wire, server, like) as model:
        model.complete(request)
    (asked,) = server.asked
    return asked


def test_ollama_receives_every_option_in_its_own_words() -> None:
    body = received("ollama", FULL).body
    assert body["model"] == "m"
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "2 + 2?"},
    ]
    assert body["options"] == {"num_ctx": 8192, "num_predict": 77, "temperature": 0.3, "seed": 5}
    assert body["format"] == SCHEMA
    assert body["tools"][0]["function"]["name"] == "look"


def test_openai_receives_every_option_in_its_own_words() -> None:
    body = received("openai", FULL).body
    assert body["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "2 + 2?"},
    ]
    assert (body["model"], body["max_tokens"], body["temperature"], body["seed"]) == ("m", 77, 0.3, 5)
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert body["tools"][0]["function"]["parameters"] == LOOK.parameters
    assert body["stream_options"] == {"include_usage": True}


def test_anthropic_receives_every_option_its_api_still_has() -> None:
    body = received("anthropic", FULL).body
    assert body["messages"] == [{"role": "user", "content": "2 + 2?"}]
    assert (body["model"], body["max_tokens"], body["system"]) == ("m", 77, "Be brief.")
    assert body["output_config"]["format"] == {"type": "json_schema", "schema": SCHEMA}
    assert body["tools"][0]["input_schema"] == LOOK.parameters
    assert not {"temperature", "seed"} & set(body)


def test_what_a_request_leaves_open_is_filled_from_the_configuration() -> None:
    like = replace(PATIENT, temperature=0.7, max_tokens=123)
    assert received("openai", Request.of("hi"), like).body["temperature"] == 0.7
    assert received("openai", Request.of("hi", temperature=0.0), like).body["temperature"] == 0.0
    assert received("ollama", Request.of("hi"), like).body["options"]["num_predict"] == 123
    assert received("anthropic", Request.of("hi"), like).body["max_tokens"] == 123


def test_nothing_is_said_of_system_schema_seed_or_tools_when_there_are_none(wire: str) -> None:
    body = received(wire, Request.of("hi")).body
    said = {name for name, value in {**body, **body.get("options", {})}.items() if value}
    assert [message["role"] for message in body["messages"]] == ["user"]
    assert not said & {"system", "format", "response_format", "output_config", "tools", "seed"}


@pytest.mark.parametrize("window", [2048, 8192, 131_072])
def test_ollama_is_told_the_window_on_every_call(window: int) -> None:
    server = ScriptedServer([Say("a")], repeat_last=True)
    with talking("ollama", server, replace(PATIENT, context_window=window)) as model:
        for prompt in ("one", "two"):
            model.complete(Request.of(prompt))
    assert [ask.body["options"]["num_ctx"] for ask in server.asked] == [window, window]


def test_the_key_is_read_from_the_named_variable(wire: str) -> None:
    server = ScriptedServer([Say("welcome")], api_key="secret-of-the-house")
    with talking(wire, server) as model:
        assert model.complete(Request.of("hello")).text == "welcome"


def test_a_conversation_with_tools_keeps_its_order_and_its_ids() -> None:
    call = ToolCall("call_7", "look", {"path": "a.py"})
    asking, looking = Message("user", "look"), Message("assistant", "", (call,))
    request = Request((asking, looking, Message("tool", "x = 1", tool_call_id="call_7")), tools=(LOOK,))
    _, asked, answered = received("openai", request).body["messages"]
    assert asked["tool_calls"][0]["id"] == answered["tool_call_id"] == "call_7"
    _, asked, answered = received("anthropic", request).body["messages"]
    assert asked["content"] == [{"type": "tool_use", "id": "call_7", "name": "look", "input": {"path": "a.py"}}]
    assert answered["content"] == [{"type": "tool_result", "tool_use_id": "call_7", "content": "x = 1"}]
    _, asked, answered = received("ollama", request).body["messages"]
    assert asked["tool_calls"] == [{"function": {"name": "look", "arguments": {"path": "a.py"}}}]
    assert answered == {"role": "tool", "content": "x = 1"}


def test_anthropic_is_not_sent_the_blank_message_it_would_refuse() -> None:
    asked = received("anthropic", Request.of("say it").followed_by(" \n", "You said nothing."))
    assert all(message["content"].strip() for message in asked.body["messages"])


def test_the_newest_hosted_models_get_their_limit_under_its_new_name() -> None:
    """The address decides, so that nothing changes for a server here that serves a model of the same name."""
    assert received("openai", Request.of("hi"), replace(PATIENT, model="gpt-5-mini")).body["max_tokens"] == 2048
    hosted = ModelConfig("gpt-5-mini", "openai", base_url="https://api.openai.com/v1")
    with opened(hosted) as model:
        body: dict[str, Any] = model._body(Request.of("hi"))  # type: ignore[attr-defined]  # nothing is sent to it
    assert body["max_completion_tokens"] == 2048
    assert "max_tokens" not in body
