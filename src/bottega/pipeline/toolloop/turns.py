"""One turn of a model: the tool calls it makes, as native tool calls or as a JSON object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bottega.models import Message, Reply, Request, Tool, ToolCall
from bottega.models.contracts.schema import refuse_duplicate_keys, strip_fence
from bottega.pipeline.toolloop.profile import Mode

MAX_CALLS = 12
_MAX_QUOTED_CHARS = 4000


@dataclass(frozen=True, slots=True)
class Turn:
    """The calls of one reply. `text` is the whole reply; `problem` says why calls are missing."""

    calls: tuple[ToolCall, ...]
    text: str
    problem: str = ""


class TurnContract:
    """Reads a reply as a turn and never refuses it: an unreadable reply is a turn without calls that says why.

    So one turn is always one model call. `tools` are the tools on offer, the submitting one last.
    """

    def __init__(self, tools: Sequence[Tool], mode: Mode) -> None:
        self._tools = tools
        self._mode = mode

    @property
    def schema(self) -> Mapping[str, Any] | None:
        return calls_schema(self._tools) if self._mode == "json" else None

    def parse(self, reply: Reply) -> Turn:
        if reply.tool_calls:
            calls = [replace(call, arguments=_replace_surrogates(dict(call.arguments))) for call in reply.tool_calls]
            return self._limit(calls, reply.text)
        if calls := _read_calls(reply.text):
            return self._limit(calls, reply.text)
        if self._mode == "native":
            return Turn((), reply.text, "no tool was called")
        cut = " before it ended" if reply.finish in {"length", "loop"} else ""
        return Turn((), reply.text, f"the reply was not one JSON object with a list of calls{cut}")

    def reminder(self, reason: str) -> str:
        return reason

    def _limit(self, calls: list[ToolCall], text: str) -> Turn:
        """At most `MAX_CALLS`; a submission is always among them, and the model is told about the rest."""
        if len(calls) <= MAX_CALLS:
            return Turn(tuple(calls), text)
        submit = self._tools[-1].name
        late = [call for call in calls[MAX_CALLS - 1 :] if call.name == submit][:1]
        kept = [*calls[: MAX_CALLS - len(late)], *late]
        problem = f"{len(calls) - len(kept)} calls were left undone: {MAX_CALLS} in a reply are the most"
        return Turn(tuple(kept), text, problem)


def calls_schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """The JSON contract: one object with a list of calls, each of one of these tools."""
    kinds = [
        {
            "type": "object",
            "properties": {"tool": {"const": tool.name}, **tool.parameters.get("properties", {})},
            "required": ["tool", *tool.parameters.get("required", [])],
            "additionalProperties": False,
        }
        for tool in tools
    ]
    call = kinds[0] if len(kinds) == 1 else {"anyOf": kinds}
    calls = {"type": "array", "items": call, "minItems": 1, "maxItems": 1 if len(kinds) == 1 else MAX_CALLS}
    return {"type": "object", "properties": {"calls": calls}, "required": ["calls"], "additionalProperties": False}


def describe_call_format(mode: Mode) -> str:
    """How to call tools, for the system prompt."""
    if mode == "native":
        return "Use the tools you are given; several calls in one turn are welcome."
    return (
        'Reply with one JSON object and nothing else: {"calls": [{"tool": "NAME", …its arguments…}, …]}.'
        " Several calls in one reply are welcome."
    )


def describe_tools(tools: Sequence[Tool]) -> str:
    """One line per tool, for the system prompt of a model that gets its tools through the JSON contract."""
    lines = []
    for tool in tools:
        properties: Mapping[str, Any] = tool.parameters.get("properties", {})
        required = tool.parameters.get("required", [])
        names = ", ".join(name if name in required else f"{name}?" for name in properties)
        lines.append(f"- {tool.name}({names}): {tool.description}")
    return "\n".join(lines)


def append_turn(request: Request, turn: Turn, results: Sequence[str], mode: Mode) -> Request:
    """The conversation with one more turn: the model's calls and their results."""
    if mode == "native" and turn.calls:
        reply = Message("assistant", turn.text, tool_calls=turn.calls)
        answers = (Message("tool", text, tool_call_id=call.id) for call, text in zip(turn.calls, results, strict=True))
        return replace(request, messages=(*request.messages, reply, *answers))
    text = turn.text if mode == "native" else _calls_json(turn) or turn.text[:_MAX_QUOTED_CHARS] or "(nothing)"
    return request.followed_by(text, "\n\n".join(results))


def _calls_json(turn: Turn) -> str:
    calls = [{"tool": call.name, **call.arguments} for call in turn.calls]
    return json.dumps({"calls": calls}, ensure_ascii=False) if calls else ""


def _read_calls(text: str) -> list[ToolCall]:
    """Calls written as JSON: the contract's object, a bare list, or a single call."""
    try:
        value = json.loads(strip_fence(text), object_pairs_hook=refuse_duplicate_keys, parse_constant=_read_as_none)
    except (ValueError, RecursionError):
        return []
    value = _replace_surrogates(value)
    items = value.get("calls", [value]) if isinstance(value, dict) else value
    if not isinstance(items, list):
        return []
    calls = (_read_call(number, item) for number, item in enumerate(items, 1) if isinstance(item, dict))
    return [call for call in calls if call is not None]


def _read_call(number: int, item: Mapping[str, Any]) -> ToolCall | None:
    """A call names its tool in `tool`, or in `name`; its arguments stand beside that, or together in `arguments`."""
    key = "tool" if item.get("tool") else "name"
    name, inner = item.get(key), item.get("arguments")
    if not isinstance(name, str):
        return None
    arguments = inner if isinstance(inner, dict) else {field: item[field] for field in item if field != key}
    return ToolCall(f"call_{number}", name, arguments)


def _replace_surrogates(value: Any) -> Any:
    """Lone surrogates, which cannot be stored as UTF-8, become U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_replace_surrogates(key): _replace_surrogates(inner) for key, inner in value.items()}
    return [_replace_surrogates(inner) for inner in value] if isinstance(value, list) else value


def _read_as_none(name: str) -> None:
    """NaN and Infinity are not JSON."""
    del name
