"""The request to a model, and its reply."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

Role = Literal["user", "assistant", "tool"]
Finish = Literal["stop", "length", "loop", "tool_calls"]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool that the model asks for."""

    id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that a model may use; `parameters` is a JSON schema."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the server counted them; None when it did not say. `is_estimated` where they are our estimate."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    is_estimated: bool = False


@dataclass(frozen=True, slots=True)
class TokenChoice:
    """A token of a reply, and the probabilities of the likeliest tokens in its place, itself included."""

    text: str
    probabilities: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Request:
    """One stateless request. `schema` asks for constrained decoding where the server supports it.

    `alternatives` asks for the probabilities of so many tokens in each place, where the server gives them.
    """

    messages: tuple[Message, ...]
    system: str = ""
    schema: Mapping[str, Any] | None = None
    tools: tuple[Tool, ...] = ()
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    alternatives: int = 0
    stage: str = ""
    prompt_version: str = ""

    @classmethod
    def of(cls, prompt: str, **rest: Any) -> Request:
        return cls((Message("user", prompt),), **rest)

    def followed_by(self, reply: str, answer: str) -> Request:
        """The same conversation with one more reply and the user's answer to it."""
        return replace(self, messages=(*self.messages, Message("assistant", reply), Message("user", answer)))

    def as_json(self) -> dict[str, Any]:
        """All that the model sees; the journal stores it, and its hash identifies the request."""
        content: dict[str, Any] = {
            "system": self.system,
            "messages": [_message_json(message) for message in self.messages],
        }
        options = {
            "schema": self.schema,
            "tools": [{"name": t.name, "description": t.description, "parameters": t.parameters} for t in self.tools],
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            "seed": self.seed,
            "alternatives": self.alternatives or None,
        }
        return content | {name: value for name, value in options.items() if value not in (None, [])}

    def chars(self) -> int:
        return len(self.system) + sum(len(message.text) for message in self.messages)

    def text(self) -> str:
        return "\n".join([self.system, *(message.text for message in self.messages)])


def request_hash(content: Mapping[str, Any]) -> str:
    canonical = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


def _message_json(message: Message) -> dict[str, Any]:
    content: dict[str, Any] = {"role": message.role, "text": message.text}
    if message.tool_calls:
        content["tool_calls"] = [tool_call_json(call) for call in message.tool_calls]
    if message.tool_call_id:
        content["tool_call_id"] = message.tool_call_id
    return content


def tool_call_json(call: ToolCall) -> dict[str, Any]:
    return {"id": call.id, "name": call.name, "arguments": dict(call.arguments)}


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a model; `thinking` is its reasoning, `call_id` its record in the journal.

    `recalled` means that it comes from the journal and was not sent again. `tokens` are its first tokens with their
    probabilities, where they were asked for and the server gives them; the journal does not keep them.
    """

    text: str
    thinking: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = field(default_factory=Usage)
    latency_ms: int = 0
    finish: Finish = "stop"
    model: str = ""
    call_id: str = ""
    recalled: bool = False
    tokens: tuple[TokenChoice, ...] = ()


OnText = Callable[[str], None]


class Model(Protocol):
    """One model behind one server."""

    @property
    def name(self) -> str:
        """`provider/model`."""

    def complete(self, request: Request, on_text: OnText | None = None) -> Reply:
        """Raise a `ModelError` when nothing usable comes back; never return an empty stand-in instead.

        `on_text` receives the text of the reply as it arrives. A call whose run is cancelled raises `Cancelled`: see
        `bottega.cancellation`.
        """
