"""Any OpenAI-compatible server: hosted, vLLM, llama-server, LM Studio, and the embedded worker."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from bottega.errors import ModelError, ModelFault, PromptTooLong, PromptTruncated, ReplyCut
from bottega.models.config import ModelConfig
from bottega.models.http import HttpClient, StatusError
from bottega.models.http.client import error_detail
from bottega.models.http.fields import (
    JsonObject,
    count_field,
    object_field,
    objects_field,
    parse_arguments,
    parse_object,
    position_field,
    text_field,
)
from bottega.models.http.limits import TOOL_CALLS
from bottega.models.http.lines import read_events
from bottega.models.providers.assembly import ReplyAssembly
from bottega.models.providers.http_errors import explain_status
from bottega.models.providers.loop_detection import LoopDetector, parse_finish
from bottega.models.providers.truncation import is_truncated
from bottega.models.request import Message, OnText, Reply, Request, ToolCall, Usage
from bottega.source import estimate_tokens

_ACCOUNT_HEADERS = {"OPENAI_ORG_ID": "OpenAI-Organization", "OPENAI_PROJECT_ID": "OpenAI-Project"}
# The protocol's own limit.
_MOST_ALTERNATIVES = 20


class OpenAI:
    def __init__(self, config: ModelConfig, environ: Mapping[str, str]) -> None:
        self._config = config
        key = environ.get(config.api_key_env, "") if config.api_key_env else ""
        account = {header: environ[name] for name, header in _ACCOUNT_HEADERS.items() if environ.get(name)}
        self._client = HttpClient(
            self.name,
            config.base_url,
            seconds=config.timeout,
            headers={"Authorization": f"Bearer {key or 'none'}", **account},
            protocol="the OpenAI protocol",
        )

    @property
    def name(self) -> str:
        return self._config.id

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """Complete a request; a server that refuses to give probabilities is asked again without them."""
        try:
            return self._complete(request, on_text)
        except ModelFault as fault:
            if not request.alternatives or "logprobs" not in str(fault):
                raise
        return self._complete(replace(request, alternatives=0), on_text)

    def _complete(self, request: Request, on_text: OnText | None) -> Reply:
        assembly, detector = _ChatAssembly(ReplyAssembly(self.name, on_text)), LoopDetector()
        with self._errors(), self._client.stream("/chat/completions", self._body(request)) as chunks:
            for event in read_events(chunks):
                if event.data.startswith(b"[DONE]"):
                    break
                delta_text = assembly.add(self._refuse_error(parse_object(event.data)))
                if delta_text and detector.is_looping(delta_text):
                    assembly.reply.finish = "loop"
                    break
            reply = assembly.build() if assembly.reply.finish else None
        if not assembly.chunks:
            raise ModelFault(self.name, "it answered with something that is not a stream of this protocol")
        if reply is None:
            raise ReplyCut(self.name)
        read = reply.usage.prompt_tokens
        if read is not None and is_truncated(request.text(), read):
            raise PromptTruncated(self.name, estimate_tokens(request.text()), read)
        return reply

    def available(self) -> list[str]:
        with self._errors():
            return [name for model in self._listing() if (name := text_field(model, "id"))]

    def context_length(self) -> int | None:
        """From the list of models, where some servers add it: vLLM `max_model_len`, llama-server `meta.n_ctx_train`."""
        return self._find_length(("max_model_len", "context_length"), ("n_ctx", "n_ctx_train"))

    def served_window(self) -> int | None:
        """What vLLM (`max_model_len`) and llama-server (`meta.n_ctx`) have made room for."""
        return self._find_length(("max_model_len",), ("n_ctx",))

    def calls_tools(self) -> bool:
        """Certain of the hosted models only: compatible servers accept tools and ignore them."""
        return self._config.base_url.startswith("https://api.openai.com")

    def close(self) -> None:
        self._client.close()

    def _find_length(self, fields: Sequence[str], meta_fields: Sequence[str]) -> int | None:
        """The first of some fields that the list of models has for this one."""
        with self._errors():
            listed = {text_field(model, "id"): model for model in self._listing()}
        facts = listed.get(self._config.model, {})
        meta = object_field(facts, "meta")
        lengths = [count_field(facts, name) for name in fields] + [count_field(meta, name) for name in meta_fields]
        return next((length for length in lengths if length), None)

    def _listing(self) -> list[JsonObject]:
        return objects_field(self._client.get("/models"), "data")

    def _refuse_error(self, chunk: JsonObject) -> JsonObject:
        if chunk.get("error"):
            raise ModelFault(self.name, error_detail(chunk)[0] or "it reported an error without a message")
        return chunk

    def _body(self, request: Request) -> dict[str, Any]:
        config = self._config
        body: dict[str, Any] = {
            "model": config.model,
            "stream": True,
            "stream_options": {"include_usage": True},
            "messages": _messages(request),
            **self._sampling(request),
        }
        if request.seed is not None:
            body["seed"] = request.seed
        if request.schema is not None:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "schema": dict(request.schema), "strict": True},
            }
        if request.alternatives:
            body |= {"logprobs": True, "top_logprobs": min(request.alternatives, _MOST_ALTERNATIVES)}
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {"name": t.name, "description": t.description, "parameters": t.parameters},
                }
                for t in request.tools
            ]
        return body

    def _sampling(self, request: Request) -> dict[str, Any]:
        """OpenAI's newest models name the limit `max_completion_tokens` and accept no temperature."""
        config = self._config
        limit = request.max_tokens or config.max_tokens
        if "api.openai.com" in config.base_url and re.match(r"gpt-[5-9]|o\d", config.model):
            return {"max_completion_tokens": limit}
        temperature = config.temperature if request.temperature is None else request.temperature
        return {"max_tokens": limit, "temperature": temperature}

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            with self._client.translated_errors():
                yield
        except StatusError as error:
            raise self._explain(error) from error

    def _explain(self, error: StatusError) -> ModelError:
        if error.status == 400 and "context" in error.detail.lower():
            return PromptTooLong(self.name, f"{self.name}: {error.detail}", hint="Lower context_window for this model.")
        return explain_status(self.name, error, key=self._config.api_key_env)


@dataclass(slots=True)
class _CallParts:
    """A tool call whose name and arguments arrive in several deltas."""

    id: str = ""
    name: list[str] = field(default_factory=list)
    arguments: list[str] = field(default_factory=list)


class _ChatAssembly:
    """Builds a reply from the chunks of a chat completion."""

    def __init__(self, reply: ReplyAssembly) -> None:
        self.reply = reply
        self.chunks = 0
        self._calls: dict[int, _CallParts] = {}

    def add(self, chunk: JsonObject) -> str:
        """Add a chunk; returns the text in it."""
        self.chunks += 1
        if usage := object_field(chunk, "usage"):
            self.reply.usage = Usage(count_field(usage, "prompt_tokens"), count_field(usage, "completion_tokens"))
        text = ""
        for choice in objects_field(chunk, "choices"):
            delta = object_field(choice, "delta")
            delta_text = text_field(delta, "content")
            self.reply.add_text(delta_text)
            self.reply.add_thinking(text_field(delta, "reasoning_content") or text_field(delta, "reasoning"))
            self._add_calls(objects_field(delta, "tool_calls"))
            self.reply.add_tokens(objects_field(object_field(choice, "logprobs"), "content"))
            self.reply.finish = text_field(choice, "finish_reason") or self.reply.finish
            text += delta_text
        return text

    def build(self) -> Reply:
        for call in self._calls.values():
            arguments = parse_arguments("".join(call.arguments))
            self.reply.add_call(ToolCall(call.id, "".join(call.name), arguments))
        return self.reply.build(parse_finish(self.reply.finish))

    def _add_calls(self, deltas: list[JsonObject]) -> None:
        for delta in deltas:
            call = self._calls.setdefault(position_field(delta, "index", TOOL_CALLS), _CallParts())
            function = object_field(delta, "function")
            call.id = text_field(delta, "id") or call.id
            call.name.append(text_field(function, "name"))
            call.arguments.append(text_field(function, "arguments"))


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


PROVIDER = OpenAI
