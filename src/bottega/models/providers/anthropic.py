"""Anthropic's Messages API."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import anthropic
import httpx2

from bottega.errors import (
    ModelBusy,
    ModelError,
    ModelFault,
    ModelMissing,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    PromptTooLong,
    ReplyCut,
)
from bottega.models.config import ModelConfig
from bottega.models.providers.http_errors import seconds, told
from bottega.models.providers.patience import Deadline
from bottega.models.request import Finish, Message, OnText, Reply, Request, ToolCall, Usage
from bottega.models.thinking import split_thinking
from bottega.settings import is_loopback

_OVERLOADED = 529
_OUT_OF_PROTOCOL = (RecursionError, ValueError, AssertionError, AttributeError, LookupError, TypeError)
_CUT = ("max_tokens", "model_context_window_exceeded")


class Anthropic:
    def __init__(self, config: ModelConfig, environ: Mapping[str, str]) -> None:
        self._config = config
        is_local = is_loopback(config.base_url)  # what stays on this machine passes no proxy
        direct: dict[str, Any] = {"transport": httpx2.HTTPTransport()} if is_local else {}
        self._client = anthropic.Anthropic(
            base_url=config.base_url,
            api_key=environ.get(config.api_key_env, "") or "none",
            timeout=config.timeout,
            max_retries=0,
            http_client=anthropic.DefaultHttpxClient(follow_redirects=False, **direct),
        )

    @property
    def name(self) -> str:
        return self._config.id

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        started = time.monotonic()
        opening = self._client.messages.stream(**self._body(request))
        with self._errors(), opening as stream:
            deadline = Deadline(self.name, self._config.timeout)
            for event in stream:
                deadline.check()
                if on_text and event.type == "text":
                    on_text(event.text)
            return self._reply(stream.get_final_message(), int((time.monotonic() - started) * 1000))

    def available(self) -> list[str]:
        with self._errors():
            return [model.id for model in self._client.models.list()]

    def context_length(self) -> int | None:
        with self._errors():
            facts = self._client.models.retrieve(self._config.model).to_dict()
        told_length = facts.get("max_input_tokens") or facts.get("context_window")
        return int(told_length) if isinstance(told_length, int) else None

    def close(self) -> None:
        self._client.close()

    def _body(self, request: Request) -> dict[str, Any]:
        """Without temperature and seed: the API has the former no more and never had the latter."""
        config = self._config
        body: dict[str, Any] = {
            "model": config.model,
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

    def _reply(self, message: anthropic.types.Message, latency_ms: int) -> Reply:
        if message.stop_reason is None:
            raise ReplyCut(self.name)
        blocks = [block.to_dict() for block in message.content]
        text, inner = split_thinking("".join(str(block["text"]) for block in blocks if block["type"] == "text"))
        thinking = "".join(str(block["thinking"]) for block in blocks if block["type"] == "thinking") or inner
        calls = tuple(_tool_call(block) for block in blocks if block["type"] == "tool_use")
        finish: Finish = "tool_calls" if calls else "length" if message.stop_reason in _CUT else "stop"
        usage = Usage(message.usage.input_tokens, message.usage.output_tokens)
        return Reply(text, thinking, calls, usage, latency_ms, finish, self.name)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except (anthropic.APITimeoutError, httpx2.TimeoutException) as error:
            raise ModelTimeout(self.name, self._config.timeout) from error
        except anthropic.APIConnectionError as error:
            cut = type(error.__cause__).__name__ in {"RemoteProtocolError", "ReadError"}
            raise (ReplyCut(self.name) if cut else ModelUnreachable(self.name, self._config.base_url)) from error
        except httpx2.TransportError as error:
            raise ReplyCut(self.name) from error
        except anthropic.APIStatusError as error:
            raise self._status_error(error) from error
        except (
            anthropic.APIError,
            RecursionError,
            ValueError,
            AssertionError,
            AttributeError,
            LookupError,
            TypeError,
        ) as error:
            raise ModelFault(self.name, f"it does not speak Anthropic's protocol ({type(error).__name__})") from error

    def _status_error(self, error: anthropic.APIStatusError) -> ModelError:
        detail = told(error.body) or error.message
        if (
            isinstance(error, anthropic.RateLimitError)
            or error.status_code == _OVERLOADED
            or error.type == "overloaded_error"
        ):
            return ModelBusy(self.name, retry_after=seconds(error.response.headers.get("retry-after")))
        if isinstance(error, anthropic.AuthenticationError | anthropic.PermissionDeniedError):
            return ModelRefused(self.name, detail, key=self._config.api_key_env)
        if isinstance(error, anthropic.NotFoundError):
            return ModelMissing(self.name, f"{self.name}: {detail}", hint="`bottega models` lists what is there.")
        if isinstance(error, anthropic.BadRequestError) and "too long" in detail:
            return PromptTooLong(self.name, f"{self.name}: {detail}", hint="Lower context_window for this model.")
        if error.response.is_success:  # the stream had begun when the server broke
            return ModelFault(self.name, detail)
        return ModelFault(self.name, f"{error.status_code} {detail}", passing=error.status_code >= 500)


def _tool_call(block: Mapping[str, Any]) -> ToolCall:
    arguments = block["input"]
    return ToolCall(str(block["id"]), str(block["name"]), arguments if isinstance(arguments, dict) else {})


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
