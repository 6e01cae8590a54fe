"""Ollama's native API: every call sets the context window, and a truncated prompt is an error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from bottega.errors import ModelError, ModelFault, PromptTruncated, ReplyCut
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
    parse_object,
    text_field,
)
from bottega.models.http.lines import read_lines
from bottega.models.providers.assembly import ReplyAssembly
from bottega.models.providers.http_errors import explain_status
from bottega.models.providers.loop_detection import LoopDetector, parse_finish
from bottega.models.providers.truncation import is_truncated
from bottega.models.request import Message, OnText, Reply, Request, ToolCall, Usage
from bottega.source import estimate_tokens

_MOST_ALTERNATIVES = 20
_NUM_CTX = re.compile(r"^num_ctx\s+(\d{1,8})\s*$", re.MULTILINE)


class Ollama:
    def __init__(self, config: ModelConfig, environ: Mapping[str, str]) -> None:
        self._config = config
        key = environ.get(config.api_key_env, "") if config.api_key_env else ""
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = HttpClient(
            self.name, config.base_url, seconds=config.timeout, headers=headers, protocol="Ollama's protocol"
        )

    @property
    def name(self) -> str:
        return self._config.id

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        with call_budget(self._config.timeout):
            reply = self._read_reply(request, on_text)
            self._refuse_truncated_prompt(request, reply.usage.prompt_tokens)
        return reply

    def context_length(self) -> int | None:
        """The longest context window that the model supports, from the server's metadata."""
        with self._errors():
            info = object_field(self._show(), "model_info")
            names = [name for name in info if name.endswith(".context_length")]
            return count_field(info, names[0]) if names else None

    def served_window(self) -> int | None:
        """The `num_ctx` of the model's Modelfile; without one, the server's default depends on its memory."""
        with self._errors():
            found = _NUM_CTX.search(text_field(self._show(), "parameters"))
        return int(found[1]) if found else None

    def calls_tools(self) -> bool:
        """Whether the server lists tools among the model's capabilities."""
        with self._errors():
            capabilities = self._show().get("capabilities")
        return isinstance(capabilities, list) and "tools" in capabilities

    def available(self) -> list[str]:
        with self._errors():
            models = objects_field(self._client.get("/api/tags"), "models")
            return [name for model in models if (name := text_field(model, "model") or text_field(model, "name"))]

    def close(self) -> None:
        self._client.close()

    def _read_reply(self, request: Request, on_text: OnText | None) -> Reply:
        assembly, detector = ReplyAssembly(self.name, on_text), LoopDetector()
        with self._errors(), self._client.stream("/api/chat", self._body(request)) as chunks:
            for line in read_lines(chunks):
                if not line.strip():
                    continue
                text = self._add_line(assembly, parse_object(line))
                if assembly.finish:
                    break
                if detector.is_looping(text):
                    assembly.finish = "loop"
                    break
        if not assembly.finish:
            raise ReplyCut(self.name)
        return assembly.build(parse_finish(assembly.finish))

    def _add_line(self, assembly: ReplyAssembly, line: JsonObject) -> str:
        """Add one line of the stream; returns the text in it."""
        if line.get("error"):
            raise ModelFault(self.name, error_detail(line)[0] or "it reported an error without a message")
        if line.get("message") is None:
            raise WrongReply("`message` is missing")
        message = object_field(line, "message")
        text = text_field(message, "content")
        assembly.add_text(text)
        assembly.add_thinking(text_field(message, "thinking"))
        assembly.add_tokens(objects_field(line, "logprobs"))
        for number, call in enumerate(objects_field(message, "tool_calls"), start=assembly.call_count):
            function = object_field(call, "function")
            arguments = arguments_object(function.get("arguments") or {})
            assembly.add_call(ToolCall(f"call_{number}", text_field(function, "name"), arguments))
        if flag_field(line, "done"):
            assembly.finish = text_field(line, "done_reason") or "stop"
            assembly.usage = Usage(count_field(line, "prompt_eval_count"), count_field(line, "eval_count"))
        return text

    def _body(self, request: Request) -> dict[str, Any]:
        temperature = self._config.temperature if request.temperature is None else request.temperature
        options: dict[str, Any] = {
            "num_ctx": self._config.context_window,
            "num_predict": request.max_tokens or self._config.max_tokens,
            "temperature": temperature,
        }
        if request.seed is not None:
            options["seed"] = request.seed
        body: dict[str, Any] = {
            "model": self._config.model,
            "stream": True,
            "messages": _messages(request),
            "options": options,
        }
        if request.schema is not None:
            body["format"] = dict(request.schema)
        if request.alternatives:
            body |= {"logprobs": True, "top_logprobs": min(request.alternatives, _MOST_ALTERNATIVES)}
        if request.tools:
            body["tools"] = [_tool(tool.name, tool.description, tool.parameters) for tool in request.tools]
        return body

    def _refuse_truncated_prompt(self, request: Request, read: int | None) -> None:
        """Raise `PromptTruncated` if the server dropped part of the prompt, as it does silently in a smaller window."""
        sent = estimate_tokens(request.text())
        window = self._loaded_window()
        if window is not None and window < self._config.context_window and sent > window * 0.9:
            raise PromptTruncated(self.name, sent, min(read or window, window))
        if read is not None and is_truncated(request.text(), read):
            raise PromptTruncated(self.name, sent, read)

    def _loaded_window(self) -> int | None:
        """The context window of the loaded model; None when the server does not report it."""
        asked = _add_tag(self._config.model)
        try:
            with self._errors():
                running = objects_field(self._client.get("/api/ps"), "models")
                windows = [
                    count_field(model, "context_length")
                    for model in running
                    if _add_tag(text_field(model, "model")) == asked
                ]
        except ModelError:
            return None
        return windows[0] if windows else None

    def _show(self) -> JsonObject:
        return self._client.post("/api/show", {"model": self._config.model})

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            with self._client.translated_errors():
                yield
        except StatusError as error:
            hint = f"`ollama pull {self._config.model}` fetches it; `bottega models` lists what is there."
            key = self._config.api_key_env
            raise explain_status(self.name, error, key=key, missing_hint=hint) from error


def _add_tag(name: str) -> str:
    """`qwen3` is listed as `qwen3:latest`."""
    return name if ":" in name.rpartition("/")[2] else f"{name}:latest"


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


PROVIDER = Ollama
