"""The steps of a script in which something goes wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from bottega.testing.answer import Answer
from bottega.testing.steps import Say, Step, streamed
from bottega.testing.wire import Received, Wire, encode, refuse


@dataclass(frozen=True, slots=True)
class Fail:
    """An error status, in the error shape of the wire that was asked."""

    status: int
    message: str = ""
    retry_after: float | None = None

    def answer(self, _ask: Received, wire: Wire, /) -> Answer:
        headers = () if self.retry_after is None else (("Retry-After", f"{self.retry_after:g}"),)
        return refuse(wire, self.status, self.message or f"scripted failure {self.status}", *headers)


@dataclass(frozen=True, slots=True)
class Delay:
    seconds: float
    then: Step

    def answer(self, ask: Received, wire: Wire, /) -> Answer:
        late = self.then.answer(ask, wire)
        return replace(late, wait=late.wait + self.seconds)


@dataclass(frozen=True, slots=True)
class Hang:
    """The request is accepted and never answered, until the client or the server leaves."""

    def answer(self, _ask: Received, _wire: Wire, /) -> Answer:
        return Answer((), wait=math.inf)


@dataclass(frozen=True, slots=True)
class Stall:
    """A stream that falls silent after `after` characters of its text, and stays open until the client leaves."""

    text: str
    after: int

    def answer(self, ask: Received, wire: Wire, /) -> Answer:
        if not wire.wants_stream(ask.body):
            return Answer((), wait=math.inf)
        begun = wire.stream(Say(self.text[: self.after]).spoken(ask), ask)
        return replace(streamed(wire, (b"".join(begun.words),)), pace=math.inf)


@dataclass(frozen=True, slots=True)
class CutStream:
    """A reply that ends after `after` characters of its text.

    The connection drops where the rest should come. A `silent` cut closes the HTTP body as if all were well.
    """

    text: str
    after: int
    silent: bool = False

    def answer(self, ask: Received, wire: Wire, /) -> Answer:
        spoken = Say(self.text).spoken(ask)
        if wire.wants_stream(ask.body):
            begun = wire.stream(replace(spoken, text=self.text[: self.after]), ask)
            return replace(streamed(wire, begun.words), missing=0 if self.silent else 1)
        whole = encode(wire.reply(spoken, ask))
        sent = whole[: whole.find(_bare(self.text)) + len(_bare(self.text[: self.after]))]
        return Answer((sent,), missing=0 if self.silent else len(whole) - len(sent))


@dataclass(frozen=True, slots=True)
class TruncatedJson:
    """Status 200 and a complete HTTP body, whose JSON breaks off in the middle."""

    def answer(self, ask: Received, wire: Wire, /) -> Answer:
        spoken = Say("never read to its end").spoken(ask)
        if wire.wants_stream(ask.body):
            first = wire.stream(spoken, ask).words[0]
            return streamed(wire, (first[: len(first) // 2] + b"\n\n",))
        whole = encode(wire.reply(spoken, ask))
        return Answer((whole[: len(whole) // 2],))


@dataclass(frozen=True, slots=True)
class Garbage:
    """Status 200 and a body from somewhere else: a proxy's login page, another protocol."""

    body: bytes
    content_type: str = "text/html"

    def answer(self, _ask: Received, _wire: Wire, /) -> Answer:
        return Answer((self.body,), content_type=self.content_type)


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirect to a full URL that keeps the method and the body."""

    url: str

    def answer(self, _ask: Received, _wire: Wire, /) -> Answer:
        return Answer((), status=307, headers=(("Location", self.url),))


def _bare(text: str) -> bytes:
    """The text as it stands inside a JSON string, quotes left off."""
    return encode(text)[1:-1]
