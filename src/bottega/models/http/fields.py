"""Read typed fields of a server's JSON; a value of the wrong type raises `WrongReply`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from bottega.models.http.limits import JSON_DEPTH, TOKENS
from bottega.models.surrogates import join_surrogates

JsonObject = Mapping[str, Any]
_LEAST_LOGARITHM = -700.0


class WrongReply(Exception):
    """A reply that breaks its protocol; the message names the field and the types, never the server's own text."""


def parse_object(data: bytes) -> JsonObject:
    """Parse one JSON object in UTF-8."""
    value = _parse(data)
    if not isinstance(value, dict):
        raise WrongReply(f"a JSON object is expected, not {_type_name(value)}")
    return value


def text_field(table: JsonObject, name: str) -> str:
    """Text; "" when it is absent or null."""
    value = table.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise WrongReply(f"`{name}` is {_type_name(value)}, not text")
    return value


def count_field(table: JsonObject, name: str) -> int | None:
    """A number of tokens; None when it is absent or null."""
    value = table.get(name)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= TOKENS):
        return value
    raise WrongReply(f"`{name}` is no count of tokens")


def flag_field(table: JsonObject, name: str) -> bool:
    value = table.get(name)
    if value is None:
        return False
    if not isinstance(value, bool):
        raise WrongReply(f"`{name}` is {_type_name(value)}, not true or false")
    return value


def position_field(table: JsonObject, name: str, limit: int) -> int:
    """An index below `limit`; 0 when it is absent or null."""
    value = table.get(name)
    if value is None:
        return 0
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < limit:
        raise WrongReply(f"`{name}` is no number from 0 to {limit - 1}")
    return value


def object_field(table: JsonObject, name: str) -> JsonObject:
    """An object; an empty one when it is absent or null."""
    value = table.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise WrongReply(f"`{name}` is {_type_name(value)}, not an object")
    return value


def objects_field(table: JsonObject, name: str) -> list[JsonObject]:
    """A list of objects; an empty one when it is absent or null."""
    value = table.get(name)
    if value is None:
        return []
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise WrongReply(f"`{name}` is not a list of objects")
    return value


def probability_field(table: JsonObject, name: str) -> float:
    """A probability from its logarithm; 0 when it is absent or below what a float holds."""
    value = table.get(name)
    if value is None:
        return 0.0
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise WrongReply(f"`{name}` is no logarithm of a probability")
    return math.exp(min(0.0, max(value, _LEAST_LOGARITHM)))


def parse_arguments(text: str) -> dict[str, Any]:
    """Arguments of a tool call; text that is not a JSON object is returned as `{"_unparsed": text}`."""
    try:
        return arguments_object(_parse((text or "{}").encode("utf-8", "replace")))
    except WrongReply:
        return {"_unparsed": text}


def arguments_object(value: object) -> dict[str, Any]:
    """Arguments of a tool call that arrive as JSON, refused if they are nested too deeply."""
    if not isinstance(value, dict):
        raise WrongReply(f"the arguments of a tool call are {_type_name(value)}, not an object")
    plain: dict[str, Any] = _plain_value(value, JSON_DEPTH)
    return plain


def _parse(data: bytes) -> object:
    try:
        return json.loads(data.decode("utf-8"), parse_constant=_refuse_constant)
    except RecursionError:
        raise WrongReply("its JSON is nested too deeply") from None
    except ValueError:
        raise WrongReply("it is not JSON") from None


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _plain_value(value: Any, depth: int) -> Any:
    if depth <= 0:
        raise WrongReply("the arguments of a tool call are nested too deeply")
    if isinstance(value, dict):
        return {join_surrogates(name): _plain_value(inner, depth - 1) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain_value(inner, depth - 1) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        raise WrongReply("the arguments of a tool call hold a number out of range")
    return join_surrogates(value) if isinstance(value, str) else value


def _type_name(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")
