"""Anthropic messages."""

from __future__ import annotations

from collections.abc import Mapping

from bottega.testing.answer import Answer
from bottega.testing.blocks_anthropic import blocks, event
from bottega.testing.shelf import ServedModel, Shelf
from bottega.testing.wire import Json, Received, Spoken, Stream, encode, refuse

KINDS = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}
STOPS = {"stop": "end_turn", "length": "max_tokens"}


class AnthropicWire:
    asks = frozenset({"/v1/messages"})
    stream_type = "text/event-stream"
    key_refusal = "invalid x-api-key"

    def has_key(self, headers: Mapping[str, str], key: str) -> bool:
        # The client sends its key as a bearer since 2.x; curl and older clients use x-api-key.
        return headers.get("x-api-key") == key or headers.get("authorization") == f"Bearer {key}"

    def admit(self, ask: Received, shelf: Shelf, *, honours_schema: bool) -> Answer | None:
        if ask.path == "/v1/models":
            return Answer((encode(_catalogue(shelf)),))
        is_look_up = ask.path.startswith("/v1/models/")
        name = ask.path.removeprefix("/v1/models/") if is_look_up else ask.model
        model = shelf.find(name)
        if model is None:
            return refuse(self, 404, f"model: {name}")
        if not honours_schema and "format" in (ask.body.get("output_config") or {}):
            return refuse(self, 400, "output_config.format: Extra inputs are not permitted")
        return Answer((encode(_entry(model)),)) if is_look_up else None

    def wants_stream(self, body: Json) -> bool:
        return bool(body.get("stream"))

    def limit(self, body: Json) -> int | None:
        return body.get("max_tokens")

    def reply(self, spoken: Spoken, ask: Received) -> Json:
        content = [block.whole for block in blocks(spoken)]
        usage = {"input_tokens": spoken.prompt_tokens, "output_tokens": spoken.completion_tokens}
        return _message(ask, content=content, stop_reason=_stop(spoken), usage=usage)

    def stream(self, spoken: Spoken, ask: Received) -> Stream:
        usage = {"input_tokens": spoken.prompt_tokens, "output_tokens": 1}
        message = _message(ask, content=[], stop_reason=None, usage=usage)
        content = [part for at, block in enumerate(blocks(spoken)) for part in block.events(at)]
        delta = {"stop_reason": _stop(spoken), "stop_sequence": None}
        last = event("message_delta", delta=delta, usage={"output_tokens": spoken.completion_tokens})
        words = (event("message_start", message=message), *content[:-1])
        return Stream(words, (content[-1], last, event("message_stop")))

    def failure(self, status: int, message: str) -> Json:
        kind = KINDS.get(status, "api_error" if status >= 500 else "invalid_request_error")
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_scripted"}


def _catalogue(shelf: Shelf) -> Json:
    ends = {"first_id": shelf.models[0].name, "last_id": shelf.models[-1].name} if shelf.models else {}
    return {"data": [_entry(model) for model in shelf.models], "has_more": False, **ends}


def _entry(model: ServedModel) -> Json:
    return {
        "type": "model",
        "id": model.name,
        "display_name": model.name,
        "created_at": "2026-01-01T00:00:00Z",
        "lifecycle": "active",
        "max_input_tokens": model.context_length,
    }


def _message(ask: Received, **rest: object) -> Json:
    head = {"id": "msg_scripted", "type": "message", "role": "assistant", "model": ask.model}
    return {**head, "stop_sequence": None, **rest}


def _stop(spoken: Spoken) -> str:
    return "tool_use" if spoken.tool_calls else STOPS[spoken.finish]
