"""Any OpenAI-compatible server: hosted, vLLM, llama-server, LM Studio, and our own embedded worker."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import openai

from bottega.errors import (
    ModelBusy,
    ModelError,
    ModelFault,
    ModelMissing,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    PromptTooLong,
    PromptTruncated,
    ReplyCut,
)
from bottega.models.config import ModelConfig
from bottega.models.providers.http_errors import seconds, told
from bottega.models.providers.patience import Deadline, LoopWatch, finished
from bottega.models.providers.truncation import is_cut
from bottega.models.request import Finish, Message, OnText, Reply, Request, ToolCall, Usage
from bottega.models.thinking import split_thinking
from bottega.settings import is_loopback
from bottega.source import estimate_tokens


class OpenAI:
    def __init__(self, config: ModelConfig, environ: Mapping[str, str]) -> None:
        self._config = config
        key = environ.get(config.api_key_env, "") if config.api_key_env else ""
        self._client = openai.OpenAI(
            base_url=config.base_url,
            api_key=key or "none",
            timeout=config.timeout,
            max_retries=0,
            http_client=openai.DefaultHttpxClient(
                follow_redirects=False,
                trust_env=not is_loopback(config.base_url),  # what stays on this machine passes no proxy
            ),
        )

    @property
    def name(self) -> str:
        return self._config.id

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        started = time.monotonic()
        with self._errors():
            collected = self._collect(request, on_text)
        if not collected.chunks:
            raise ModelFault(self.name, "it answered with something that is not a stream of this protocol")
        if not collected.finish:
            raise ReplyCut(self.name)
        reply = collected.reply(self.name, int((time.monotonic() - started) * 1000))
        read = reply.usage.prompt_tokens
        if read is not None and is_cut(request.text(), read):
            raise PromptTruncated(self.name, estimate_tokens(request.text()), read)
        return reply

    def available(self) -> list[str]:
        with self._errors():
            return [model.id for model in self._client.models.list()]

    def context_length(self) -> int | None:
        """Some servers tell it beside the model (vLLM `max_model_len`, llama-server `meta.n_ctx_train`)."""
        with self._errors():
            listed = {model.id: model.to_dict() for model in self._client.models.list()}
        facts = listed.get(self._config.model, {})
        meta = facts.get("meta")
        told = facts.get("max_model_len") or facts.get("context_length")
        told = told or (meta.get("n_ctx") or meta.get("n_ctx_train") if isinstance(meta, dict) else None)
        return int(told) if isinstance(told, int | float) else None

    def close(self) -> None:
        self._client.close()

    def _collect(self, request: Request, on_text: OnText | None) -> _Collected:
        collected = _Collected()
        with self._client.chat.completions.create(stream=True, **self._body(request)) as stream:
            deadline, watch = Deadline(self.name, self._config.timeout), LoopWatch()
            for chunk in stream:
                deadline.check()
                piece = collected.add(chunk.to_dict(warnings=False))
                if piece and on_text:
                    on_text(piece)
                if piece and watch.is_looping(piece):
                    collected.finish = "loop"
                    break
        return collected

    def _body(self, request: Request) -> dict[str, Any]:
        config = self._config
        body: dict[str, Any] = {
            "model": config.model,
            "messages": _messages(request),
            "temperature": config.temperature if request.temperature is None else request.temperature,
            "max_tokens": request.max_tokens or config.max_tokens,
            "stream_options": {"include_usage": True},
        }
        if request.seed is not None:
            body["seed"] = request.seed
        if request.schema is not None:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": dict(request.schema), "strict": True},
            }
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {"name": t.name, "description": t.description, "parameters": t.parameters},
                }
                for t in request.tools
            ]
        return body | self._dialect(body)

    def _dialect(self, body: dict[str, Any]) -> dict[str, Any]:
        """The newest hosted models take their limit under another name and accept no temperature but their own."""
        name = self._config.model
        if "api.openai.com" not in self._config.base_url or not re.match(r"gpt-[5-9]|o\d", name):
            return {}
        return {"max_completion_tokens": body.pop("max_tokens"), "temperature": openai.omit}

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except openai.APITimeoutError as error:
            raise ModelTimeout(self.name, self._config.timeout) from error
        except openai.APIConnectionError as error:
            raise self._connection_error(error) from error
        except openai.APIStatusError as error:
            raise self._status_error(error) from error
        except openai.APIError as error:
            raise ModelFault(self.name, told(error.body) or "it does not speak the OpenAI protocol") from error
        except (RecursionError, ValueError, AttributeError, LookupError, TypeError) as error:
            raise ModelFault(self.name, f"it does not speak the OpenAI protocol ({type(error).__name__})") from error

    def _connection_error(self, error: openai.APIConnectionError) -> ModelError:
        inner = type(error.__cause__).__name__
        if inner in {"RemoteProtocolError", "ReadError"}:
            return ReplyCut(self.name)
        return ModelUnreachable(self.name, self._config.base_url)

    def _status_error(self, error: openai.APIStatusError) -> ModelError:
        detail = told(error.body) or error.message
        status = error.status_code
        if isinstance(error, openai.RateLimitError):
            return ModelBusy(self.name, retry_after=seconds(error.response.headers.get("retry-after")))
        if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
            return ModelRefused(self.name, detail, key=self._config.api_key_env)
        if isinstance(error, openai.NotFoundError):
            return ModelMissing(self.name, f"{self.name}: {detail}", hint="`bottega models` lists what is there.")
        if isinstance(error, openai.BadRequestError) and "context" in detail.lower():
            return PromptTooLong(self.name, f"{self.name}: {detail}", hint="Lower context_window for this model.")
        return ModelFault(self.name, f"{status} {detail}", passing=status >= 500)


class _Collected:
    """A streamed reply as it grows."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.thinking: list[str] = []
        self.finish = ""
        self.chunks = 0
        self._usage = Usage()
        self._calls: dict[int, dict[str, str]] = {}

    def add(self, chunk: dict[str, Any]) -> str:
        """Take a chunk in; the text it brought."""
        self.chunks += 1
        if usage := chunk.get("usage"):
            self._usage = Usage(usage.get("prompt_tokens"), usage.get("completion_tokens"))
        piece = ""
        for choice in chunk.get("choices") or ():
            delta = choice.get("delta") or {}
            piece += delta.get("content") or ""
            self.thinking.append(delta.get("reasoning_content") or delta.get("reasoning") or "")
            self._add_calls(delta.get("tool_calls") or ())
            self.finish = choice.get("finish_reason") or self.finish
        self.text.append(piece)
        return piece

    def reply(self, model: str, latency_ms: int) -> Reply:
        text, inner = split_thinking("".join(self.text))
        calls = tuple(
            ToolCall(call["id"], call["name"], parsed_arguments(call["arguments"])) for call in self._calls.values()
        )
        finish: Finish = "tool_calls" if calls else finished(self.finish)
        return Reply(text, "".join(self.thinking) or inner, calls, self._usage, latency_ms, finish, model)

    def _add_calls(self, deltas: Any) -> None:
        for delta in deltas:
            call = self._calls.setdefault(delta.get("index", 0), {"id": "", "name": "", "arguments": ""})
            function = delta.get("function") or {}
            call["id"] = delta.get("id") or call["id"]
            call["name"] += function.get("name") or ""
            call["arguments"] += function.get("arguments") or ""


def parsed_arguments(text: str) -> dict[str, Any]:
    """Arguments of a tool call; what is not a JSON object is kept as text for the caller to refuse."""
    try:
        value = json.loads(text or "{}")
    except (RecursionError, ValueError):
        value = None
    return value if isinstance(value, dict) else {"_unparsed": text}


def _messages(request: Request) -> list[dict[str, Any]]:
    system = [{"role": "system", "content": request.system}] if request.system else []
    return [*system, *(_message(message) for message in request.messages)]


def _message(message: Message) -> dict[str, Any]:
    content: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.tool_call_id:
        content["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        content["tool_calls"] = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": json.dumps(dict(c.arguments))}}
            for c in message.tool_calls
        ]
    return content
