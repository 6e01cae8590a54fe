"""A reply that is one JSON object of a pydantic model."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError

from bottega.models.contracts.base import ContractBroken, refuse_cut, refuse_oversized
from bottega.models.request import Reply

M = TypeVar("M", bound=BaseModel)

_WHOLE_FENCE = re.compile(r"\A\s*```[A-Za-z0-9]*[ \t]*\r?\n(.*?)\r?\n?```\s*\Z", re.S)


class SchemaContract(Generic[M]):
    """Strict: no number in quotes, no boolean for a number, no second object, no text around it but one code fence."""

    def __init__(self, model: type[M]) -> None:
        self._model = model

    @property
    def schema(self) -> Mapping[str, Any]:
        return self._model.model_json_schema()

    def parse(self, reply: Reply) -> M:
        refuse_oversized(reply)
        text = strip_fence(reply.text)
        try:
            value = json.loads(text, object_pairs_hook=refuse_duplicate_keys, parse_constant=_refuse_constant)
        except (ValueError, RecursionError) as error:
            refuse_cut(reply)
            raise ContractBroken(f"the reply is not one JSON object: {_describe(error)}") from None
        if not isinstance(value, dict):
            raise ContractBroken("the reply is JSON, but not an object")
        try:
            return self._model.model_validate_json(text, strict=True)
        except ValidationError as error:
            details = error.errors(include_input=False, include_context=False, include_url=False)[:5]
            raise ContractBroken("; ".join(_field_error(detail) for detail in details)) from None

    def reminder(self, reason: str) -> str:
        fields = ", ".join(f'"{name}"' for name in self._model.model_fields)
        return (
            f"Your reply was refused: {reason}.\n"
            f"Answer again with exactly one JSON object with the fields {fields}, and nothing else."
        )


def strip_fence(text: str) -> str:
    """The content of the code fence around a whole reply, or the reply if it has none."""
    fence = _WHOLE_FENCE.match(text)
    return (fence.group(1) if fence else text).strip()


def refuse_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An `object_pairs_hook` for `json.loads` that raises `ValueError` when a key occurs twice."""
    table: dict[str, Any] = {}
    for key, value in pairs:
        if key in table:
            raise ValueError(f"the key {key!r} occurs twice")
        table[key] = value
    return table


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _describe(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at line {error.lineno} column {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else "a number of thousands of digits"


def _field_error(detail: Mapping[str, Any]) -> str:
    place = ".".join(str(part) for part in detail["loc"])
    return f"{place}: {detail['msg']}"
