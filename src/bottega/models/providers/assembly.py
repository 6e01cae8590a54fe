"""A streamed reply as it grows, the same for every wire: typed, bounded, and with whole characters only."""

from __future__ import annotations

import re
import time

from bottega.errors import ReplyTooLarge
from bottega.models.http.fields import WrongReply, join_halves
from bottega.models.http.limits import REPLY_CHARS, TOOL_CALLS
from bottega.models.request import Finish, OnText, Reply, ToolCall, Usage
from bottega.models.thinking import split_thinking

_SURROGATE = re.compile("[\ud800-\udfff]")
_ENDS_IN_FIRST_HALF = re.compile("[\ud800-\udbff]\\Z")


class ReplyAssembly:
    """Collects the pieces of a reply. `finish` is the server's own word for why it ended, "" while it goes on."""

    def __init__(self, model: str, on_text: OnText | None) -> None:
        self._model = model
        self._on_text = on_text
        self._started = time.monotonic()
        self._text: list[str] = []
        self._thinking: list[str] = []
        self._size = 0
        self._half = ""
        self._calls: list[ToolCall] = []
        self.usage = Usage()
        self.finish = ""

    def add_text(self, piece: str) -> None:
        """Append to the text and report it; half of a surrogate pair waits for the other half."""
        self._count(piece)
        piece = self._half + piece
        self._half = ""
        if _SURROGATE.search(piece):
            if _ENDS_IN_FIRST_HALF.search(piece):
                piece, self._half = piece[:-1], piece[-1]
            piece = join_halves(piece)
        self._append(piece)

    def add_thinking(self, piece: str) -> None:
        self._count(piece)
        if piece:
            self._thinking.append(piece)

    def add_call(self, call: ToolCall) -> None:
        if len(self._calls) >= TOOL_CALLS:
            raise WrongReply(f"a reply holds more than {TOOL_CALLS} tool calls")
        self._calls.append(ToolCall(join_halves(call.id), join_halves(call.name), call.arguments))

    @property
    def call_count(self) -> int:
        return len(self._calls)

    def build(self, finish: Finish) -> Reply:
        """The reply; tool calls are a reason to end of their own."""
        if self._half:
            self._half = ""
            self._append("\ufffd")
        text, inner = split_thinking("".join(self._text))
        thinking = join_halves("".join(self._thinking)) or inner
        latency_ms = int((time.monotonic() - self._started) * 1000)
        calls = tuple(self._calls)
        return Reply(text, thinking, calls, self.usage, latency_ms, "tool_calls" if calls else finish, self._model)

    def _append(self, piece: str) -> None:
        if piece:
            self._text.append(piece)
            if self._on_text is not None:
                self._on_text(piece)

    def _count(self, piece: str) -> None:
        self._size += len(piece)
        if self._size > REPLY_CHARS:
            raise ReplyTooLarge(self._model, "text", REPLY_CHARS)
