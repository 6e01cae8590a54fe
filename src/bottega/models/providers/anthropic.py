"""Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from bottega.errors import ModelBusy, ModelError, ModelFault, PromptTooLong, ReplyCut
from bottega.models.config import ModelConfig
from bottega.models.http import HttpClient, StatusError, WrongReply, call_budget
from bottega.models.http.client import error_detail
from bottega.models.http.fields import (
    JsonObject,
    arguments_object,
    count_field,
    flag_field,
    object_field,
    objects_field,
    parse_arguments,
    parse_object,
    position_field,
    text_field,
)
from bottega.models.http.lines import read_events
from bottega.models.providers.assembly import ReplyAssembly
from bottega.models.providers.http_errors import explain_status, parse_retry_after
from bottega.models.request import Message, OnText, Reply, Request, ToolCall, Usage

_API_VERSION = "2026-10-21"
_OVERLOADED = 529
_CUT = ("max_tokens", "model_context_window_exceeded")
_BLOCKS = 1024
_PAGES = 20


class Anthropic:
    def __init__(self, config: ModelConfig, environ: Mapping[str, str]) -> None:
        self._config = config
        key = environ.get(config.api_key_env, "") or "none"
        self._client = HttpClient(
            self.name,
            config.base_url,
            seconds=config.timeout,
            headers={"Authorization": f"Bearer {key}", "anthropic-version": _API_VERSION},
            protocol="Anthropic's protocol",
        )

    @property
    def name(self) -> str:
        return self._config.id

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        message = _MessageAssembly(ReplyAssembly(self.name, on_text))
        with self._errors(), self._client.stream("/v1/messages", self._body(request)) as chunks:
            for event in read_events(chunks):
                content = parse_object(event.data)
                if "error" in (event.name, content.get("type")):
                    raise self._stream_error(content)
                message.add(content)
                if message.is_complete:
                    break
            message.refuse_unbegun()
            if not message.reply.finish:
                raise ReplyCut(self.name)
            return message.build()

    def available(self) -> list[str]:
        with self._errors(), call_budget(self._config.timeout):
            return [name for model in self._listing() if (name := text_field(model, "id"))]

    def context_length(self) -> int | None:
        with self._errors():
            facts = self._client.get(f"/v1/models/{quote(self._config.model, safe='')}")
            return count_field(facts, "max_input_tokens") or count_field(facts, "context_window")

    def close(self) -> None:
        self._client.close()

    def _listing(self) -> Iterator[JsonObject]:
        """The models of all pages; a server that always has one more is not asked for ever."""
        path = "/v1/models?limit=100"
        for _ in range(_PAGES):
            page = self._client.get(path)
            yield from objects_field(page, "data")
            last = text_field(page, "last_id")
            if not last or not flag_field(page, "has_more"):
                return
            path = f"/v1/models?limit=100&after_id={quote(last, safe='')}"

    def _body(self, request: Request) -> dict[str, Any]:
        """Without temperature and seed: the API has the former no more and never had the latter."""
        config = self._config
        body: dict[str, Any] = {
            "model": config.model,
            "stream": True,
            "messages": _messages(request),
            "max_tokens": request.max_tokens or config.max_tokens,
        }
        if request.system:
            body["system"] = request.system
        if request.schema is not None:
            body["output_config"] = {"format": {"type": "json_schema", "schema": dict(request.schema)}}
        if request.tools:
            body["tools"] = [
                {"name": t.name, "description": t.description, "input_schema": t.parameters} for t in request.tools
            ]
        return body

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            with self._client.translated_errors():
                yield
        except StatusError as error:
            raise self._explained(error) from error

    def _explained(self, error: StatusError) -> ModelError:
        if error.status == _OVERLOADED or error.kind in {"overloaded_error", "rate_limit_error"}:
            return ModelBusy(self.name, retry_after=parse_retry_after(error.retry_after))
        if error.status == 400 and "too long" in error.detail:
            return PromptTooLong(self.name, f"{self.name}: {error.detail}", hint="Lower context_window for this model.")
        return explain_status(self.name, error, key=self._config.api_key_env)

    def _stream_error(self, content: JsonObject) -> ModelError:
        """The stream had begun when the server broke."""
        detail, kind = error_detail(content)
        if kind in {"overloaded_error", "rate_limit_error"}:
            return ModelBusy(self.name)
        return ModelFault(self.name, detail or "it reported an error without a message")


@dataclass(slots=True)
class _ToolBlock:
    """A tool call whose arguments arrive as pieces of JSON."""

    id: str
    name: str
    input: object
    pieces: list[str] = field(default_factory=list)

    def call(self) -> ToolCall:
        text = "".join(self.pieces)
        return ToolCall(self.id, self.name, parse_arguments(text) if text else arguments_object(self.input or {}))


class _MessageAssembly:
    """The events of a message, read into a reply."""

    def __init__(self, reply: ReplyAssembly) -> None:
        self.reply = reply
        self.is_complete = False
        self._is_begun = False
        self._blocks: dict[int, str] = {}
        self._tools: dict[int, _ToolBlock] = {}

    def add(self, event: JsonObject) -> None:
        kind = text_field(event, "type")
        if kind == "message_start":
            self._begin(object_field(event, "message"))
        elif kind in {"content_block_start", "content_block_delta", "message_delta"}:
            self.refuse_unbegun()
            if kind == "content_block_start":
                self._open_block(position_field(event, "index", _BLOCKS), object_field(event, "content_block"))
            elif kind == "content_block_delta":
                self._add_delta(position_field(event, "index", _BLOCKS), object_field(event, "delta"))
            else:
                self._finish(object_field(event, "delta"), object_field(event, "usage"))
        elif kind == "message_stop":
            self.is_complete = True

    def refuse_unbegun(self) -> None:
        if not self._is_begun:
            raise WrongReply("the stream does not begin with `message_start`")

    def build(self) -> Reply:
        for block in self._tools.values():
            self.reply.add_call(block.call())
        return self.reply.build("length" if self.reply.finish in _CUT else "stop")

    def _begin(self, message: JsonObject) -> None:
        usage = object_field(message, "usage")
        read, written = count_field(usage, "input_tokens"), count_field(usage, "output_tokens")
        if read is None:
            raise WrongReply("`input_tokens` is missing")
        self.reply.usage = Usage(read, written)
        self._is_begun = True

    def _open_block(self, index: int, block: JsonObject) -> None:
        kind = text_field(block, "type")
        self._blocks[index] = kind
        if kind == "text":
            self.reply.add_text(text_field(block, "text"))
        elif kind == "thinking":
            self.reply.add_thinking(text_field(block, "thinking"))
        elif kind == "tool_use":
            self._tools[index] = _ToolBlock(text_field(block, "id"), text_field(block, "name"), block.get("input"))
        elif not kind:
            raise WrongReply("a block of content has no type")

    def _add_delta(self, index: int, delta: JsonObject) -> None:
        if index not in self._blocks:
            raise WrongReply("a piece of content belongs to no block")
        kind = text_field(delta, "type")
        if kind == "text_delta" and self._blocks[index] == "text":
            self.reply.add_text(text_field(delta, "text"))
        elif kind == "thinking_delta" and self._blocks[index] == "thinking":
            self.reply.add_thinking(text_field(delta, "thinking"))
        elif kind == "input_json_delta" and index in self._tools:
            self._tools[index].pieces.append(text_field(delta, "partial_json"))

    def _finish(self, delta: JsonObject, usage: JsonObject) -> None:
        """Counts in a delta are totals, and replace those of the start where they are given."""
        self.reply.finish = text_field(delta, "stop_reason") or self.reply.finish
        read, written = count_field(usage, "input_tokens"), count_field(usage, "output_tokens")
        before = self.reply.usage
        self.reply.usage = Usage(
            before.prompt_tokens if read is None else read, before.completion_tokens if written is None else written
        )


def _messages(request: Request) -> list[dict[str, Any]]:
    return [_message(message) for message in request.messages]


def _message(message: Message) -> dict[str, Any]:
    if message.role == "tool":
        block = {"type": "tool_result", "tool_use_id": message.tool_call_id, "content": message.text}
        return {"role": "user", "content": [block]}
    if message.tool_calls:
        text = [{"type": "text", "text": message.text}] if message.text else []
        calls = [
            {"type": "tool_use", "id": c.id, "name": c.name, "input": dict(c.arguments)} for c in message.tool_calls
        ]
        return {"role": "assistant", "content": [*text, *calls]}
    # A blank message is refused by the API, and a model that said nothing is asked again all the same.
    return {"role": message.role, "content": message.text if message.text.strip() else "(empty)"}
