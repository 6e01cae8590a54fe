"""Whatever a server answers with status 200, it is a reply or a `ModelError`."""

from __future__ import annotations

import pytest

from bottega.errors import ModelBusy, ModelError, ModelFault
from bottega.models import Request
from bottega.testing import Garbage, ScriptedServer, Step, TruncatedJson

from .doubles import MESSAGE_START, Raw, chunks, events, lines, talking


def failure(wire: str, step: Step) -> ModelError:
    with talking(wire, ScriptedServer([step])) as model, pytest.raises(ModelError) as caught:
        model.complete(Request.of("hello"))
    return caught.value


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(TruncatedJson(), id="truncated"),
        pytest.param(Garbage(b"<html><body>Please log in</body></html>"), id="html"),
        pytest.param(Garbage(b"{}", "application/json"), id="empty object"),
        pytest.param(Garbage(b"[]", "application/json"), id="empty list"),
        pytest.param(Garbage(b"null", "application/json"), id="null"),
        pytest.param(Garbage(b"7", "application/json"), id="number"),
        pytest.param(Garbage(b'"hello"', "application/json"), id="string"),
        pytest.param(Garbage(b"\xff\xfe\x00", "application/octet-stream"), id="bytes"),
    ],
)
def test_an_answer_in_no_known_protocol_is_a_fault(wire: str, step: Step) -> None:
    assert isinstance(failure(wire, step), ModelFault)


def test_an_empty_body_is_no_empty_reply(wire: str) -> None:
    failure(wire, Garbage(b"", "application/json"))


@pytest.mark.parametrize(
    "data",
    [
        [],
        5,
        None,
        {"choices": 5},
        {"choices": [None]},
        {"choices": [{"delta": 5}]},
        {"choices": [{"delta": {"content": 5}}]},
        {"choices": [{"delta": {"content": ["x"]}}]},
        {"choices": [{"delta": {"tool_calls": [None]}}]},
        {"choices": [], "usage": 5},
    ],
    ids=repr,
)
def test_chunks_of_the_wrong_shape_are_a_fault(data: object) -> None:
    assert isinstance(failure("openai", Raw(chunks(data))), ModelFault)


@pytest.mark.parametrize(
    "data", [{"done": True}, {"message": 5, "done": True}, {"message": {"content": 5}, "done": True}], ids=repr
)
def test_lines_of_the_wrong_shape_are_a_fault(data: object) -> None:
    assert isinstance(failure("ollama", Raw(lines(data))), ModelFault)


@pytest.mark.parametrize(
    "step",
    [
        Raw(events({"type": "message_start"})),
        Raw(events({"type": "message_start", "message": {"content": []}}, {"type": "message_stop"})),
        Raw(events(MESSAGE_START, {"type": "content_block_start", "index": 0, "content_block": 5})),
        Raw(events(MESSAGE_START, {"type": "content_block_delta", "index": 4, "delta": {"type": "text_delta"}})),
    ],
)
def test_events_of_the_wrong_shape_are_a_model_error(step: Raw) -> None:
    failure("anthropic", step)


def test_usage_that_is_left_out_of_a_message_is_a_fault() -> None:
    start = {"type": "message_start", "message": {"id": "x", "content": [], "role": "assistant"}}
    stop = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 1}}
    assert isinstance(failure("anthropic", Raw(events(start, stop, {"type": "message_stop"}))), ModelFault)


def test_a_server_that_breaks_in_mid_stream_is_quoted_and_may_recover(wire: str) -> None:
    said = {
        "ollama": lines({"error": "out of memory"}),
        "openai": chunks({"error": {"message": "out of memory", "type": "server_error"}}),
        "anthropic": events(
            MESSAGE_START, {"type": "error", "error": {"type": "api_error", "message": "out of memory"}}
        ),
    }
    error = failure(wire, Raw(said[wire]))
    assert isinstance(error, ModelFault)
    assert error.passing
    assert "out of memory" in str(error)


def test_an_anthropic_that_is_overloaded_in_mid_stream_is_busy() -> None:
    overloaded = {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    assert isinstance(failure("anthropic", Raw(events(MESSAGE_START, overloaded))), ModelBusy)
