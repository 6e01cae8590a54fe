"""Ollama's native API: the window is set on every call, and what the server did with it is checked."""

from __future__ import annotations

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
from bottega.models.providers.patience import LoopWatch, finished
from bottega.models.providers.truncation import is_cut
from bottega.models.request import Message, OnText, Reply, Request, ToolCall, Usage
from bottega.source import estimate_tokens


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
            self._refuse_cut_prompt(request, reply.usage.prompt_tokens)
        return reply

    def context_length(self) -> int | None:
        """The longest window the model was made for, as the server tells it."""
        with self._errors():
            info = object_field(self._show(), "model_info")
            names = [name for name in info if name.endswith(".context_length")]
            return count_field(info, names[0]) if names else None

    def calls_tools(self) -> bool:
        """Whether the server says that the model was made to call tools."""
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
        assembly, watch = ReplyAssembly(self.name, on_text), LoopWatch()
        with self._errors(), self._client.stream("/api/chat", self._body(request)) as chunks:
            for line in read_lines(chunks):
                if not line.strip():
                    continue
                piece = self._add_line(assembly, parse_object(line))
                if assembly.finish:
                    break
                if watch.is_looping(piece):
                    assembly.finish = "loop"
                    break
        if not assembly.finish:
            raise ReplyCut(self.name)
        return assembly.build(finished(assembly.finish))

    def _add_line(self, assembly: ReplyAssembly, line: JsonObject) -> str:
        """Take one line of the stream in; the text it brought."""
        if line.get("error"):
            raise ModelFault(self.name, error_detail(line)[0] or "it reported an error without a message")
        if line.get("message") is None:
            raise WrongReply("`message` is missing")
        message = object_field(line, "message")
        piece = text_field(message, "content")
        assembly.add_text(piece)
        assembly.add_thinking(text_field(message, "thinking"))
        for number, call in enumerate(objects_field(message, "tool_calls"), start=assembly.call_count):
            function = object_field(call, "function")
            arguments = arguments_object(function.get("arguments") or {})
            assembly.add_call(ToolCall(f"call_{number}", text_field(function, "name"), arguments))
        if flag_field(line, "done"):
            assembly.finish = text_field(line, "done_reason") or "stop"
            assembly.usage = Usage(count_field(line, "prompt_eval_count"), count_field(line, "eval_count"))
        return piece

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
        if request.tools:
            body["tools"] = [_tool(tool.name, tool.description, tool.parameters) for tool in request.tools]
        return body

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
        asked = _tagged(self._config.model)
        try:
            with self._errors():
                running = objects_field(self._client.get("/api/ps"), "models")
                windows = [
                    count_field(model, "context_length")
                    for model in running
                    if _tagged(text_field(model, "model")) == asked
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


def _tagged(name: str) -> str:
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
