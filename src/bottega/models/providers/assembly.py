"""Collect a streamed reply, in the same way for every protocol: bounded, and without split characters."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence

from bottega.errors import ReplyTooLarge
from bottega.models.http.fields import JsonObject, WrongReply, objects_field, probability_field, text_field
from bottega.models.http.limits import REPLY_CHARS, TOKEN_ALTERNATIVES, TOKEN_CHOICES, TOOL_CALLS
from bottega.models.request import Finish, OnText, Reply, TokenChoice, ToolCall, Usage
from bottega.models.surrogates import join_surrogates
from bottega.models.thinking import split_thinking

_SURROGATE = re.compile("[\ud800-\udfff]")
_ENDS_IN_HIGH_SURROGATE = re.compile("[\ud800-\udbff]\\Z")


class ReplyAssembly:
    """Collects the deltas of a reply. `finish` is the server's own finish reason, "" until it sends one."""

    def __init__(self, model: str, on_text: OnText | None) -> None:
        self._model = model
        self._on_text = on_text
        self._started = time.monotonic()
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._size = 0
        self._pending_surrogate = ""
        self._calls: list[ToolCall] = []
        self._tokens: list[TokenChoice] = []
        self.usage = Usage()
        self.finish = ""

    def add_text(self, delta: str) -> None:
        """Append to the text and report it; a high surrogate at the end waits for the low one of the next delta."""
        self._count(delta)
        delta = self._pending_surrogate + delta
        self._pending_surrogate = ""
        if _SURROGATE.search(delta):
            if _ENDS_IN_HIGH_SURROGATE.search(delta):
                delta, self._pending_surrogate = delta[:-1], delta[-1]
            delta = join_surrogates(delta)
        self._append(delta)

    def add_thinking(self, delta: str) -> None:
        self._count(delta)
        if delta:
            self._thinking.append(delta)

    def add_call(self, call: ToolCall) -> None:
        if len(self._calls) >= TOOL_CALLS:
            raise WrongReply(f"a reply holds more than {TOOL_CALLS} tool calls")
        self._calls.append(ToolCall(join_surrogates(call.id), join_surrogates(call.name), call.arguments))

    def add_tokens(self, entries: Sequence[JsonObject]) -> None:
        """Tokens with their logarithms of probabilities, as OpenAI's protocol and Ollama's write them."""
        for entry in entries[: TOKEN_CHOICES - len(self._tokens)]:
            likeliest = objects_field(entry, "top_logprobs")[:TOKEN_ALTERNATIVES]
            text = join_surrogates(text_field(entry, "token"))
            found = {join_surrogates(text_field(one, "token")): probability_field(one, "logprob") for one in likeliest}
            self._tokens.append(TokenChoice(text, {text: probability_field(entry, "logprob"), **found}))

    @property
    def call_count(self) -> int:
        return len(self._calls)

    def build(self, finish: Finish) -> Reply:
        """The complete reply; with tool calls its finish reason is always "tool_calls"."""
        if self._pending_surrogate:
            self._pending_surrogate = ""
            self._append("\ufffd")
        text, inner = split_thinking("".join(self._text))
        thinking = join_surrogates("".join(self._thinking)) or inner
        latency_ms = int((time.monotonic() - self._started) * 1000)
        calls = tuple(self._calls)
        return Reply(
            text,
            thinking,
            calls,
            self.usage,
            latency_ms,
            "tool_calls" if calls else finish,
            self._model,
            tokens=tuple(self._tokens),
        )

    def _append(self, delta: str) -> None:
        if delta:
            self._text.append(delta)
            if self._on_text is not None:
                self._on_text(delta)

    def _count(self, delta: str) -> None:
        self._size += len(delta)
        if self._size > REPLY_CHARS:
            raise ReplyTooLarge(self._model, "text", REPLY_CHARS)
