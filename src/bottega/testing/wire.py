"""What the wire formats share: the request received, the reply spoken, and the protocol of a wire."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from bottega.testing.answer import Answer
from bottega.testing.shelf import Shelf

Json = dict[str, Any]
Finish = Literal["stop", "length"]

CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Received:
    """A request as it arrived: header names in lower case, `at` on the monotonic clock."""

    path: str
    headers: Mapping[str, str]
    body: Json
    at: float

    @property
    def model(self) -> str:
        return str(self.body.get("model", ""))

    @property
    def prompt(self) -> str:
        """Every word the model is given to read: system prompt, messages, tool results."""
        return "\n".join(_texts([self.body.get(key) for key in ("system", "prompt", "messages")]))


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    if isinstance(value, dict):
        return _texts([value.get("text"), value.get("content")])
    return []


@dataclass(frozen=True, slots=True)
class ToolCall:
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A reply with nothing left open, ready for any wire."""

    text: str
    thinking: str
    tool_calls: tuple[ToolCall, ...]
    finish: Finish
    prompt_tokens: int
    completion_tokens: int
    probabilities: tuple[Mapping[str, float], ...] = ()
    """For each of the first tokens the likeliest ones, the one that is spoken first."""

    @property
    def logprobs(self) -> list[Json]:
        """The probabilities as servers write them."""
        return [
            {
                "token": next(iter(choices)),
                "logprob": math.log(next(iter(choices.values()))),
                "top_logprobs": [{"token": token, "logprob": math.log(p)} for token, p in choices.items()],
            }
            for choices in self.probabilities
        ]


@dataclass(frozen=True, slots=True)
class Stream:
    """The parts of a streamed reply; without `end` it is a reply that broke off."""

    words: tuple[bytes, ...]
    end: tuple[bytes, ...]


class Wire(Protocol):
    """How one family of servers is asked, and how it answers."""

    asks: frozenset[str]
    """The paths where a model is asked to speak; each such request takes a step of the script."""
    stream_type: str
    key_refusal: str

    def has_key(self, headers: Mapping[str, str], key: str) -> bool: ...

    def admit(self, ask: Received, shelf: Shelf, *, honours_schema: bool) -> Answer | None:
        """Answer what needs no model: catalogues, unknown models, refused options. `None` lets it through."""

    def wants_stream(self, body: Json) -> bool: ...

    def limit(self, body: Json) -> int | None:
        """The most tokens the client lets the model write."""

    def reply(self, spoken: Spoken, ask: Received) -> Json: ...

    def stream(self, spoken: Spoken, ask: Received) -> Stream: ...

    def failure(self, status: int, message: str) -> Json: ...


def refuse(wire: Wire, status: int, message: str, *headers: tuple[str, str]) -> Answer:
    return Answer((encode(wire.failure(status, message)),), status=status, headers=headers)


def encode(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode()


def estimate(text: str) -> int:
    return max(1, len(text) // CHARS_PER_TOKEN)


def split_text(text: str) -> list[str]:
    """The text as it trickles out of a model, a token at a time."""
    return [text[start : start + CHARS_PER_TOKEN] for start in range(0, len(text), CHARS_PER_TOKEN)]
