"""Ollama's native API: the window is set on every call, and what the server did with it is checked."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx
import ollama

from bottega.errors import (
    ModelBusy,
    ModelError,
    ModelFault,
    ModelMissing,
    ModelRefused,
    ModelTimeout,
    ModelUnreachable,
    PromptTruncated,
    ReplyCut,
)
from bottega.models.config import ModelConfig
from bottega.models.providers.http_errors import seconds
from bottega.models.providers.patience import Deadline, LoopWatch, finished
from bottega.models.providers.truncation import is_cut
from bottega.models.request import Finish, Message, OnText, Reply, Request, ToolCall, Usage
from bottega.models.thinking import split_thinking
from bottega.settings import is_loopback
from bottega.source import estimate_tokens


class Ollama:
    def __init__(self, config: ModelConfig, environ: Mapping[str, str]) -> None:
        self._config = config
        key = environ.get(config.api_key_env, "") if config.api_key_env else ""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        timeout = httpx.Timeout(config.timeout, connect=min(10.0, config.timeout))
        self._client = ollama.Client(
            config.base_url,
            headers=headers,
            timeout=timeout,
            follow_redirects=False,
            trust_env=not is_loopback(config.base_url),  # what stays on this machine passes no proxy
        )

    @property
    def name(self) -> str:
        return self._config.id

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        started = time.monotonic()
        with self._errors():
            chunks = list(self._chunks(request, on_text))
        reply = self._reply(chunks, int((time.monotonic() - started) * 1000))
        self._refuse_cut_prompt(request, reply.usage.prompt_tokens)
        return reply

    def context_length(self) -> int | None:
        """The longest window the model was made for, as the server tells it."""
        with self._errors():
            info = self._client.show(self._config.model).modelinfo or {}
        return next((int(value) for key, value in info.items() if key.endswith(".context_length")), None)

    def calls_tools(self) -> bool:
        """Whether the server says that the model was made to call tools."""
        with self._errors():
            return "tools" in (self._client.show(self._config.model).capabilities or ())

    def available(self) -> list[str]:
        with self._errors():
            return [model.model for model in self._client.list().models if model.model]

    def close(self) -> None:
        self._client._client.close()  # noqa: SLF001 - the client offers no close of its own

    def _chunks(self, request: Request, on_text: OnText | None) -> Iterator[ollama.ChatResponse]:
        deadline, watch = Deadline(self.name, self._config.timeout), LoopWatch()
        for chunk in self._client.chat(stream=True, **self._body(request)):
            deadline.check()
            if on_text and chunk.message.content:
                on_text(chunk.message.content)
            yield chunk
            if watch.is_looping(chunk.message.content or ""):
                yield ollama.ChatResponse(message=ollama.Message(role="assistant"), done=True, done_reason="loop")
                return

    def _body(self, request: Request) -> dict[str, Any]:
        temperature = self._config.temperature if request.temperature is None else request.temperature
        options: dict[str, Any] = {
            "num_ctx": self._config.context_window,
            "num_predict": request.max_tokens or self._config.max_tokens,
            "temperature": temperature,
        }
        if request.seed is not None:
            options["seed"] = request.seed
        body: dict[str, Any] = {"model": self._config.model, "messages": _messages(request), "options": options}
        if request.schema is not None:
            body["format"] = dict(request.schema)
        if request.tools:
            body["tools"] = [_tool(tool.name, tool.description, tool.parameters) for tool in request.tools]
        return body

    def _reply(self, chunks: list[ollama.ChatResponse], latency_ms: int) -> Reply:
        if not chunks or not chunks[-1].done:
            raise ReplyCut(self.name)
        last = chunks[-1]
        text, inner = split_thinking("".join(chunk.message.content or "" for chunk in chunks))
        thinking = "".join(chunk.message.thinking or "" for chunk in chunks) or inner
        calls = tuple(
            ToolCall(f"call_{number}", call.function.name, dict(call.function.arguments))
            for number, call in enumerate(call for chunk in chunks for call in chunk.message.tool_calls or ())
        )
        finish: Finish = "tool_calls" if calls else finished(last.done_reason)
        usage = Usage(last.prompt_eval_count, last.eval_count)
        return Reply(text, thinking, calls, usage, latency_ms, finish, self.name)

    def _refuse_cut_prompt(self, request: Request, read: int | None) -> None:
        """The server may load a model with a smaller window than asked for, and cut the prompt without a word."""
        sent = estimate_tokens(request.text())
        window = self._loaded_window()
        if window is not None and window < self._config.context_window and sent > window * 0.9:
            raise PromptTruncated(self.name, sent, min(read or window, window))
        if read is not None and is_cut(request.text(), read):
            raise PromptTruncated(self.name, sent, read)

    def _loaded_window(self) -> int | None:
        """None when the server does not tell; then only its token count can show a cut."""
        try:
            with self._errors():
                running = self._client.ps().models
        except ModelError:
            return None
        asked = _tagged(self._config.model)
        return next((model.context_length for model in running if _tagged(model.model or "") == asked), None)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        config = self._config
        try:
            yield
        except ollama.ResponseError as error:
            raise self._status_error(error) from error
        except httpx.TimeoutException as error:
            raise ModelTimeout(self.name, config.timeout) from error
        except (httpx.RemoteProtocolError, httpx.ReadError) as error:
            raise ReplyCut(self.name) from error
        except (ConnectionError, httpx.HTTPError) as error:
            raise ModelUnreachable(self.name, config.base_url) from error
        except (RecursionError, ValueError, TypeError, AttributeError) as error:
            raise ModelFault(self.name, f"it does not speak Ollama's protocol ({type(error).__name__})") from error

    def _status_error(self, error: ollama.ResponseError) -> ModelError:
        status = error.status_code
        if status == httpx.codes.TOO_MANY_REQUESTS:
            return ModelBusy(self.name, retry_after=_retry_after(error))
        if status == httpx.codes.NOT_FOUND:
            hint = f"`ollama pull {self._config.model}` fetches it; `bottega models` lists what is there."
            return ModelMissing(self.name, f"{self.name}: {error.error}", hint=hint)
        if status in {httpx.codes.UNAUTHORIZED, httpx.codes.FORBIDDEN}:
            return ModelRefused(self.name, error.error, key=self._config.api_key_env)
        detail = error.error or f"status {status}"
        return ModelFault(self.name, detail, passing=status < 0 or status >= httpx.codes.INTERNAL_SERVER_ERROR)


def _tagged(name: str) -> str:
    """`qwen3` is listed as `qwen3:latest`."""
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


def _retry_after(error: ollama.ResponseError) -> float | None:
    """The client keeps the response only on the error it was made from."""
    response = getattr(error.__context__, "response", None)
    return seconds(response.headers.get("retry-after")) if response is not None else None


def _messages(request: Request) -> list[dict[str, Any]]:
    system = [{"role": "system", "content": request.system}] if request.system else []
    return [*system, *(_message(message) for message in request.messages)]


def _message(message: Message) -> dict[str, Any]:
    content: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.tool_calls:
        content["tool_calls"] = [
            {"function": {"name": call.name, "arguments": dict(call.arguments)}} for call in message.tool_calls
        ]
    return content


def _tool(name: str, description: str, parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}
