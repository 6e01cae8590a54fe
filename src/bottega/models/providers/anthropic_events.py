"""Build a reply from the events of a streamed Anthropic message."""

from __future__ import annotations

from dataclasses import dataclass, field

from bottega.models.http import WrongReply
from bottega.models.http.fields import (
    JsonObject,
    arguments_object,
    count_field,
    object_field,
    parse_arguments,
    position_field,
    text_field,
)
from bottega.models.providers.assembly import ReplyAssembly
from bottega.models.request import Reply, ToolCall, Usage

_LENGTH_REASONS = ("max_tokens", "model_context_window_exceeded")
_MOST_BLOCKS = 1024


@dataclass(slots=True)
class _ToolBlock:
    """A tool call whose arguments arrive as deltas of JSON."""

    id: str
    name: str
    input: object
    deltas: list[str] = field(default_factory=list)

    def call(self) -> ToolCall:
        text = "".join(self.deltas)
        return ToolCall(self.id, self.name, parse_arguments(text) if text else arguments_object(self.input or {}))


class MessageAssembly:
    """Builds a reply from the events of a message."""

    def __init__(self, reply: ReplyAssembly) -> None:
        self.reply = reply
        self.is_complete = False
        self._has_started = False
        self._blocks: dict[int, str] = {}
        self._tools: dict[int, _ToolBlock] = {}

    def add(self, event: JsonObject) -> None:
        kind = text_field(event, "type")
        if kind == "message_start":
            self._start(object_field(event, "message"))
        elif kind in {"content_block_start", "content_block_delta", "message_delta"}:
            self.require_start()
            if kind == "content_block_start":
                self._open_block(position_field(event, "index", _MOST_BLOCKS), object_field(event, "content_block"))
            elif kind == "content_block_delta":
                self._add_delta(position_field(event, "index", _MOST_BLOCKS), object_field(event, "delta"))
            else:
                self._finish(object_field(event, "delta"), object_field(event, "usage"))
        elif kind == "message_stop":
            self.is_complete = True

    def require_start(self) -> None:
        if not self._has_started:
            raise WrongReply("the stream does not begin with `message_start`")

    def build(self) -> Reply:
        for block in self._tools.values():
            self.reply.add_call(block.call())
        return self.reply.build("length" if self.reply.finish in _LENGTH_REASONS else "stop")

    def _start(self, message: JsonObject) -> None:
        usage = object_field(message, "usage")
        read, written = count_field(usage, "input_tokens"), count_field(usage, "output_tokens")
        if read is None:
            raise WrongReply("`input_tokens` is missing")
        self.reply.usage = Usage(read, written)
        self._has_started = True

    def _open_block(self, index: int, block: JsonObject) -> None:
        kind = text_field(block, "type")
        self._blocks[index] = kind
        if kind == "text":
            self.reply.add_text(text_field(block, "text"))
        elif kind == "thinking":
            self.reply.add_thinking(text_field(block, "thinking"))
        elif kind == "tool_use":
            self._tools[index] = _ToolBlock(text_field(block, "id"), text_field(block, "name"), block.get("input"))
        elif not kind:
            raise WrongReply("a content block has no type")

    def _add_delta(self, index: int, delta: JsonObject) -> None:
        if index not in self._blocks:
            raise WrongReply("a delta belongs to no content block")
        kind = text_field(delta, "type")
        if kind == "text_delta" and self._blocks[index] == "text":
            self.reply.add_text(text_field(delta, "text"))
        elif kind == "thinking_delta" and self._blocks[index] == "thinking":
            self.reply.add_thinking(text_field(delta, "thinking"))
        elif kind == "input_json_delta" and index in self._tools:
            self._tools[index].deltas.append(text_field(delta, "partial_json"))

    def _finish(self, delta: JsonObject, usage: JsonObject) -> None:
        """Token counts in a delta are totals: they replace those of `message_start` where they are given."""
        self.reply.finish = text_field(delta, "stop_reason") or self.reply.finish
        read, written = count_field(usage, "input_tokens"), count_field(usage, "output_tokens")
        before = self.reply.usage
        self.reply.usage = Usage(
            before.prompt_tokens if read is None else read, before.completion_tokens if written is None else written
        )
