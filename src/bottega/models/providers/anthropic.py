"""Anthropic's Messages API."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

from bottega.errors import ModelBusy, ModelError, ModelFault, PromptTooLong, ReplyCut
from bottega.models.config import ModelConfig
from bottega.models.http import HttpClient, StatusError, call_budget
from bottega.models.http.client import error_detail
from bottega.models.http.fields import (
    JsonObject,
    count_field,
    flag_field,
    objects_field,
    parse_object,
    text_field,
)
from bottega.models.http.lines import read_events
from bottega.models.providers.anthropic_events import MessageAssembly
from bottega.models.providers.assembly import ReplyAssembly
from bottega.models.providers.http_errors import explain_status, parse_retry_after
from bottega.models.request import Message, OnText, Reply, Request

_API_VERSION = "2026-10-21"
_OVERLOADED = 529
_MOST_PAGES = 20


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
        message = MessageAssembly(ReplyAssembly(self.name, on_text))
        with self._errors(), self._client.stream("/v1/messages", self._body(request)) as chunks:
            for event in read_events(chunks):
                content = parse_object(event.data)
                if "error" in (event.name, content.get("type")):
                    raise self._stream_error(content)
                message.add(content)
                if message.is_complete:
                    break
            message.require_start()
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

    def calls_tools(self) -> bool:
        """Every model of this API does."""
        return True

    def close(self) -> None:
        self._client.close()

    def _listing(self) -> Iterator[JsonObject]:
        """The models of all pages, up to a limit on pages."""
        path = "/v1/models?limit=100"
        for _ in range(_MOST_PAGES):
            page = self._client.get(path)
            yield from objects_field(page, "data")
            last = text_field(page, "last_id")
            if not last or not flag_field(page, "has_more"):
                return
            path = f"/v1/models?limit=100&after_id={quote(last, safe='')}"

    def _body(self, request: Request) -> dict[str, Any]:
        """Without temperature and seed, which the API does not accept."""
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
            raise self._explain(error) from error

    def _explain(self, error: StatusError) -> ModelError:
        if error.status == _OVERLOADED or error.kind in {"overloaded_error", "rate_limit_error"}:
            return ModelBusy(self.name, retry_after=parse_retry_after(error.retry_after))
        if error.status == 400 and "too long" in error.detail:
            return PromptTooLong(self.name, f"{self.name}: {error.detail}", hint="Lower context_window for this model.")
        return explain_status(self.name, error, key=self._config.api_key_env)

    def _stream_error(self, content: JsonObject) -> ModelError:
        """The error that an event in the middle of a stream reports."""
        detail, kind = error_detail(content)
        if kind in {"overloaded_error", "rate_limit_error"}:
            return ModelBusy(self.name)
        return ModelFault(self.name, detail or "it reported an error without a message")


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
    # The API refuses a blank message; a repair turn quotes a reply that may be blank.
    return {"role": message.role, "content": message.text if message.text.strip() else "(empty)"}


PROVIDER = Anthropic
