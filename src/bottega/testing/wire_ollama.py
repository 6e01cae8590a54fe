"""Ollama's native chat and generate."""

from __future__ import annotations

from collections.abc import Mapping

from bottega.testing.answer import Answer
from bottega.testing.catalogue_ollama import CATALOGUE, show
from bottega.testing.shelf import ServedModel, Shelf
from bottega.testing.wire import Json, Received, Spoken, Stream, encode, refuse, split_text

CREATED = "2026-01-01T00:00:00Z"
TOKEN_NANOSECONDS = 10_000_000


class OllamaWire:
    asks = frozenset({"/api/chat", "/api/generate"})
    stream_type = "application/x-ndjson"
    key_refusal = "unauthorized"

    def has_key(self, headers: Mapping[str, str], key: str) -> bool:
        return headers.get("authorization") == f"Bearer {key}"

    def admit(self, ask: Received, shelf: Shelf, *, honours_schema: bool) -> Answer | None:
        if ask.path in CATALOGUE:
            return Answer((encode(CATALOGUE[ask.path](shelf)),))
        model = shelf.find(ask.model)
        if model is None:
            return refuse(self, 404, f"model '{ask.model}' not found")
        if ask.path == "/api/show":
            return Answer((encode(show(model)),))
        if ask.path not in self.asks:
            return None
        objection = _objection(ask.body, model, honours_schema=honours_schema)
        if objection:
            return refuse(self, 400, objection)
        shelf.load(model, (ask.body.get("options") or {}).get("num_ctx"))
        return None if ask.body.get("messages") or ask.body.get("prompt") else _load(ask)

    def wants_stream(self, body: Json) -> bool:
        return bool(body.get("stream", True))

    def limit(self, body: Json) -> int | None:
        limit: int | None = (body.get("options") or {}).get("num_predict")
        return limit if limit is not None and limit >= 0 else None

    def reply(self, spoken: Spoken, ask: Received) -> Json:
        calls = _calls(spoken) if spoken.tool_calls else {}
        thought = {"thinking": spoken.thinking} if spoken.thinking else {}
        return _frame(ask, {"content": spoken.text, **thought, **calls}, **_account(spoken))

    def stream(self, spoken: Spoken, ask: Received) -> Stream:
        deltas: list[Json] = [{"content": "", "thinking": fragment} for fragment in split_text(spoken.thinking)]
        deltas += [{"content": fragment} for fragment in split_text(spoken.text)]
        deltas += [{"content": "", **_calls(spoken)}] if spoken.tool_calls else []
        words = tuple(_line(_frame(ask, delta, done=False)) for delta in deltas)
        if spoken.probabilities:
            words = (_line(_frame(ask, {"content": ""}, done=False, logprobs=spoken.logprobs)), *words)
        return Stream(words, (_line(_frame(ask, {"content": ""}, **_account(spoken))),))

    def failure(self, status: int, message: str) -> Json:  # noqa: ARG002  the status is not told twice
        return {"error": message}


def _objection(body: Json, model: ServedModel, *, honours_schema: bool) -> str:
    if isinstance(body.get("format"), dict) and not honours_schema:
        return "json: cannot unmarshal object into Go struct field ChatRequest.format of type string"
    if body.get("think") and "thinking" not in model.capabilities:
        return f'"{model.name}" does not support thinking'
    if body.get("tools") and "tools" not in model.capabilities:
        return f"registry.ollama.ai/library/{model.name} does not support tools"
    return ""


def _load(ask: Received) -> Answer:
    """An empty prompt loads the model and asks nothing of it."""
    return Answer((encode(_frame(ask, {"content": ""}, done=True, done_reason="load")),))


def _calls(spoken: Spoken) -> Json:
    functions = [{"name": call.name, "arguments": dict(call.arguments)} for call in spoken.tool_calls]
    return {"tool_calls": [{"function": function} for function in functions]}


def _account(spoken: Spoken) -> Json:
    return {
        "done": True,
        "done_reason": spoken.finish,
        "total_duration": (spoken.prompt_tokens + spoken.completion_tokens) * TOKEN_NANOSECONDS,
        "load_duration": TOKEN_NANOSECONDS,
        "prompt_eval_count": spoken.prompt_tokens,
        "prompt_eval_duration": spoken.prompt_tokens * TOKEN_NANOSECONDS,
        "eval_count": spoken.completion_tokens,
        "eval_duration": spoken.completion_tokens * TOKEN_NANOSECONDS,
    }


def _frame(ask: Received, said: Json, **account: object) -> Json:
    head = {"model": ask.model, "created_at": CREATED}
    if ask.path == "/api/chat":
        return {**head, "message": {"role": "assistant", **said}, **account}
    renamed = {"response" if name == "content" else name: value for name, value in said.items()}
    return {**head, **renamed, **account}


def _line(frame: Json) -> bytes:
    # Go escapes these two; the client would take either for the end of the line.
    return encode(frame).replace("\u2028".encode(), b"\\u2028").replace("\u2029".encode(), b"\\u2029") + b"\n"
