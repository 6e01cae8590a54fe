"""OpenAI chat completions, as OpenAI and the servers that imitate it speak it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from bottega.testing.answer import Answer
from bottega.testing.shelf import ServedModel, Shelf
from bottega.testing.wire import Json, Received, Spoken, Stream, ToolCall, encode, refuse, split_text

CREATED = 1_767_225_600
KINDS = {
    401: ("invalid_request_error", "invalid_api_key"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("requests", "rate_limit_exceeded"),
}


class OpenAIWire:
    asks = frozenset({"/v1/chat/completions", "/chat/completions"})
    stream_type = "text/event-stream"
    key_refusal = "Incorrect API key provided."

    def has_key(self, headers: Mapping[str, str], key: str) -> bool:
        return headers.get("authorization") == f"Bearer {key}"

    def admit(self, ask: Received, shelf: Shelf, *, honours_schema: bool) -> Answer | None:
        place = ask.path.removeprefix("/v1")
        if place == "/models":
            return Answer((encode({"object": "list", "data": [_entry(model) for model in shelf.models]}),))
        is_look_up = place.startswith("/models/")
        name = place.removeprefix("/models/") if is_look_up else ask.model
        model = shelf.find(name)
        if model is None:
            return refuse(self, 404, f"The model `{name}` does not exist or you do not have access to it.")
        if not honours_schema and "response_format" in ask.body:
            return refuse(self, 400, "response_format is not supported")
        return Answer((encode(_entry(model)),)) if is_look_up else None

    def wants_stream(self, body: Json) -> bool:
        return bool(body.get("stream"))

    def limit(self, body: Json) -> int | None:
        return body.get("max_completion_tokens", body.get("max_tokens"))

    def reply(self, spoken: Spoken, ask: Received) -> Json:
        message: Json = {"role": "assistant", "content": spoken.text, "refusal": None}
        if spoken.thinking:
            message["reasoning_content"] = spoken.thinking
        if spoken.tool_calls:
            message["tool_calls"] = [_call(at, call) for at, call in enumerate(spoken.tool_calls)]
        choice = {"index": 0, "message": message, "logprobs": _logprobs(spoken), "finish_reason": _finish(spoken)}
        return _frame(ask, "chat.completion", [choice], usage=_usage(spoken))

    def stream(self, spoken: Spoken, ask: Received) -> Stream:
        usage = {"usage": None} if _wants_usage(ask) else {}
        deltas: list[Json] = [{"role": "assistant", "content": ""}]
        deltas += [{"reasoning_content": fragment} for fragment in split_text(spoken.thinking)]
        deltas += [{"content": fragment} for fragment in split_text(spoken.text)]
        deltas += [{"tool_calls": [{"index": at, **_call(at, call)}]} for at, call in enumerate(spoken.tool_calls)]
        end = [_chunk(ask, [_choice({}, _finish(spoken))], **usage)]
        if _wants_usage(ask):
            end.append(_chunk(ask, [], usage=_usage(spoken)))
        words = tuple(_chunk(ask, [_choice(delta, None)], **usage) for delta in deltas)
        if spoken.probabilities:
            words = (_chunk(ask, [{**_choice({"content": ""}, None), "logprobs": _logprobs(spoken)}], **usage), *words)
        return Stream(words, (*end, b"data: [DONE]\n\n"))

    def failure(self, status: int, message: str) -> Json:
        kind, code = KINDS.get(status, ("server_error" if status >= 500 else "invalid_request_error", None))
        return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def _logprobs(spoken: Spoken) -> Json | None:
    return {"content": spoken.logprobs} if spoken.probabilities else None


def _entry(model: ServedModel) -> Json:
    # max_model_len is vLLM's addition: the only window an OpenAI-shaped catalogue tells of.
    return {
        "id": model.name,
        "object": "model",
        "created": CREATED,
        "owned_by": "scripted",
        "max_model_len": model.context_length,
    }


def _wants_usage(ask: Received) -> bool:
    return bool((ask.body.get("stream_options") or {}).get("include_usage"))


def _finish(spoken: Spoken) -> str:
    return "tool_calls" if spoken.tool_calls else spoken.finish


def _usage(spoken: Spoken) -> Json:
    return {
        "prompt_tokens": spoken.prompt_tokens,
        "completion_tokens": spoken.completion_tokens,
        "total_tokens": spoken.prompt_tokens + spoken.completion_tokens,
    }


def _call(at: int, call: ToolCall) -> Json:
    function = {"name": call.name, "arguments": json.dumps(dict(call.arguments))}
    return {"id": f"call_{at}", "type": "function", "function": function}


def _choice(delta: Json, finish: str | None) -> Json:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}


def _chunk(ask: Received, choices: list[Json], **more: Json | None) -> bytes:
    return b"data: " + encode(_frame(ask, "chat.completion.chunk", choices, **more)) + b"\n\n"


def _frame(ask: Received, kind: str, choices: list[Json], **more: Json | None) -> Json:
    frame: Json = {"id": "chatcmpl-scripted", "object": kind, "created": CREATED, "model": ask.model}
    return {**frame, "choices": choices, **more}
