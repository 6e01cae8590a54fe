"""The steps of a script in which the model speaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

from bottega.testing.answer import Answer
from bottega.testing.wire import Finish, Received, Spoken, ToolCall, Wire, encode, estimate


class Step(Protocol):
    """Anything that can answer; a test may bring its own."""

    def answer(self, ask: Received, wire: Wire, /) -> Answer: ...


@dataclass(frozen=True, slots=True)
class Say:
    """A reply. Token counts left out are estimated at four characters each; `pace` slows a stream down."""

    text: str
    thinking: str = ""
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    finish: Finish = "stop"
    tool_calls: tuple[ToolCall, ...] = ()
    delay: float = 0.0
    pace: float = 0.0
    probabilities: tuple[Mapping[str, float], ...] = ()
    """Sent where the request asks for them: for each of the first tokens the likeliest, the spoken one first."""

    def answer(self, ask: Received, wire: Wire, /) -> Answer:
        spoken = self.spoken(ask)
        if not wire.wants_stream(ask.body):
            return Answer((encode(wire.reply(spoken, ask)),), wait=self.delay)
        stream = wire.stream(spoken, ask)
        return replace(streamed(wire, stream.words + stream.end), wait=self.delay, pace=self.pace)

    def spoken(self, ask: Received) -> Spoken:
        said = self.thinking + self.text + "".join(f"{call.name}{call.arguments}" for call in self.tool_calls)
        return Spoken(
            self.text,
            self.thinking,
            self.tool_calls,
            self.finish,
            estimate(ask.prompt) if self.prompt_tokens is None else self.prompt_tokens,
            estimate(said) if self.completion_tokens is None else self.completion_tokens,
            self.probabilities if ask.body.get("logprobs") else (),
        )


@dataclass(frozen=True, slots=True)
class Prose:
    """A reply that pays no attention to the schema asked for."""

    text: str

    def answer(self, ask: Received, wire: Wire, /) -> Answer:
        return Say(self.text).answer(ask, wire)


@dataclass(frozen=True, slots=True)
class Loop:
    """A model that repeats a word until it is stopped: `times` words, or as many tokens as the client allows."""

    word: str
    times: int

    def answer(self, ask: Received, wire: Wire, /) -> Answer:
        limit = wire.limit(ask.body)
        count = self.times if limit is None else min(limit, self.times)
        text = " ".join([self.word] * count)
        return Say(text, completion_tokens=count, finish="length").answer(ask, wire)


@dataclass(frozen=True, slots=True)
class CutPrompt:
    """A server that silently drops part of the prompt: it reports `read` tokens, whatever was sent."""

    text: str
    read: int

    def answer(self, ask: Received, wire: Wire, /) -> Answer:
        return Say(self.text, prompt_tokens=self.read).answer(ask, wire)


def streamed(wire: Wire, parts: tuple[bytes, ...]) -> Answer:
    return Answer(parts, content_type=wire.stream_type, is_streamed=True)
