"""One turn of a model: the tools it wants used, through tool calling or through a JSON contract."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from bottega.models import Message, Reply, Request, Tool, ToolCall
from bottega.models.contracts.schema import unfenced, without_doubles

Mode = Literal["native", "json"]
MOST_CALLS = 12


@dataclass(frozen=True, slots=True)
class Turn:
    """What a model wants. `problem` says why nothing could be made of its words."""

    calls: tuple[ToolCall, ...]
    said: str
    problem: str = ""


class TurnContract:
    """Never refuses: what cannot be read is a turn without calls that carries the problem, so a turn is one call."""

    def __init__(self, tools: Sequence[Tool], mode: Mode) -> None:
        self._tools = tools
        self._mode = mode

    @property
    def schema(self) -> Mapping[str, Any] | None:
        return calls_schema(self._tools) if self._mode == "json" else None

    def parse(self, reply: Reply) -> Turn:
        if reply.tool_calls:
            return _bounded(
                [replace(one, arguments=_whole(dict(one.arguments))) for one in reply.tool_calls], reply.text
            )
        if self._mode == "native":
            return _from_text(reply.text) or Turn((), reply.text, "no tool was called")
        found = _from_text(reply.text)
        if found is not None:
            return found
        cut = " before it ended" if reply.finish in {"length", "loop"} else ""
        return Turn((), reply.text, f"the reply was not one JSON object with a list of calls{cut}")

    def reminder(self, reason: str) -> str:
        return reason


def calls_schema(tools: Sequence[Tool]) -> dict[str, Any]:
    """One object with a list of calls, each of one of these tools."""
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
    calls = {"type": "array", "items": call, "minItems": 1, "maxItems": 1 if len(kinds) == 1 else MOST_CALLS}
    return {"type": "object", "properties": {"calls": calls}, "required": ["calls"], "additionalProperties": False}


def told(tools: Sequence[Tool]) -> str:
    """The tools in words, for models that get them through the JSON contract."""
    lines = []
    for tool in tools:
        properties: Mapping[str, Any] = tool.parameters.get("properties", {})
        needed = tool.parameters.get("required", [])
        names = ", ".join(name if name in needed else f"{name}?" for name in properties)
        lines.append(f"- {tool.name}({names}): {tool.description}")
    return "\n".join(lines)


def followed(request: Request, turn: Turn, results: Sequence[str], mode: Mode) -> tuple[Message, ...]:
    """The conversation one turn later: what the model wanted, and what came of it."""
    if mode == "native" and turn.calls:
        asked = Message("assistant", turn.said, tool_calls=turn.calls)
        answers = (Message("tool", text, tool_call_id=call.id) for call, text in zip(turn.calls, results, strict=False))
        return (*request.messages, asked, *answers)
    said = turn.said if mode == "native" else _as_json(turn) or turn.said[:4000] or "(nothing)"
    return (*request.messages, Message("assistant", said), Message("user", "\n\n".join(results)))


def _as_json(turn: Turn) -> str:
    calls = [{"tool": call.name, **call.arguments} for call in turn.calls]
    return json.dumps({"calls": calls}, ensure_ascii=False) if calls else ""


def _from_text(text: str) -> Turn | None:
    """Calls written as JSON: the contract's object, a bare list, or one call alone."""
    try:
        value = json.loads(unfenced(text), object_pairs_hook=without_doubles, parse_constant=_none)
    except (ValueError, RecursionError):
        return None
    value = _whole(value)
    wanted = value.get("calls", [value]) if isinstance(value, dict) else value
    if not isinstance(wanted, list):
        return None
    calls = []
    for number, one in enumerate(wanted, 1):
        name = (one.get("tool") or one.get("name")) if isinstance(one, dict) else None
        if not isinstance(name, str):
            continue
        inner = one.get("arguments")
        given = inner if isinstance(inner, dict) else {key: one[key] for key in one if key not in {"tool", "name"}}
        calls.append(ToolCall(f"call_{number}", name, given))
    return _bounded(calls, text) if calls else None


def _bounded(calls: list[ToolCall], said: str) -> Turn:
    """At most so many at once; the one that submits is always among them, and the model is told of the rest."""
    if len(calls) <= MOST_CALLS:
        return Turn(tuple(calls), said)
    late = [one for one in calls[MOST_CALLS - 1 :] if one.name.startswith("submit_")][:1]
    kept = [*calls[: MOST_CALLS - len(late)], *late]
    return Turn(
        tuple(kept), said, f"{len(calls) - len(kept)} calls were left undone: {MOST_CALLS} in a reply are the most"
    )


def _whole(value: Any) -> Any:
    """Halves of a sign, which nothing can store, become a mark of their own."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_whole(key): _whole(inner) for key, inner in value.items()}
    return [_whole(inner) for inner in value] if isinstance(value, list) else value


def _none(name: str) -> None:
    del name
