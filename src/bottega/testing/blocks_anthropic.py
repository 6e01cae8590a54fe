"""The blocks of content in an Anthropic message, whole or as the events of a stream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from bottega.testing.wire import Json, Spoken, ToolCall, encode, split_text

SIGNATURE = "scripted"


@dataclass(frozen=True, slots=True)
class Block:
    """`start` opens the block in a stream, the deltas fill it; `whole` is the same without a stream."""

    start: Json
    deltas: tuple[Json, ...]
    whole: Json

    def events(self, index: int) -> Iterator[bytes]:
        yield event("content_block_start", index=index, content_block=self.start)
        yield from (event("content_block_delta", index=index, delta=delta) for delta in self.deltas)
        yield event("content_block_stop", index=index)


def blocks(spoken: Spoken) -> list[Block]:
    """Thinking, text, tool calls, in the order Claude gives them; never an empty message."""
    thinking = [_thinking(spoken.thinking)] if spoken.thinking else []
    text = [_text(spoken.text)] if spoken.text or not spoken.tool_calls else []
    return thinking + text + [_tool_use(at, call) for at, call in enumerate(spoken.tool_calls)]


def event(kind: str, **rest: object) -> bytes:
    return f"event: {kind}\ndata: ".encode() + encode({"type": kind, **rest}) + b"\n\n"


def _thinking(text: str) -> Block:
    start = {"type": "thinking", "thinking": "", "signature": ""}
    deltas = tuple({"type": "thinking_delta", "thinking": fragment} for fragment in split_text(text))
    signed = {"type": "signature_delta", "signature": SIGNATURE}
    return Block(start, (*deltas, signed), {**start, "thinking": text, "signature": SIGNATURE})


def _text(text: str) -> Block:
    start = {"type": "text", "text": ""}
    deltas = tuple({"type": "text_delta", "text": fragment} for fragment in split_text(text))
    return Block(start, deltas, {**start, "text": text})


def _tool_use(at: int, call: ToolCall) -> Block:
    arguments = dict(call.arguments)
    start = {"type": "tool_use", "id": f"toolu_{at}", "name": call.name, "input": {}}
    parts = split_text(json.dumps(arguments))
    deltas = tuple({"type": "input_json_delta", "partial_json": part} for part in parts)
    return Block(start, deltas, {**start, "input": arguments})
