"""The contracts of judgements: an order of candidates by number, and yes or no."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel

from bottega.models import ContractBroken, Reply, SchemaContract

Verdict = Literal["yes", "no", "unreadable"]
_MOST_ORDERED = 5
_ANSWER = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


class _Order(BaseModel):
    order: tuple[int, ...]


class OrderContract:
    """`{"order": [3, 1]}`: numbers of candidates, the best first; numbers that are not offered are left out."""

    def __init__(self, candidates: int) -> None:
        self._candidates = candidates

    @property
    def schema(self) -> Mapping[str, Any]:
        numbers = {"type": "integer", "minimum": 1, "maximum": self._candidates}
        order = {"type": "array", "items": numbers, "minItems": 1, "maxItems": _MOST_ORDERED}
        return {
            "type": "object",
            "properties": {"order": order},
            "required": ["order"],
            "additionalProperties": False,
        }

    def parse(self, reply: Reply) -> tuple[int, ...]:
        order = SchemaContract(_Order).parse(reply).order
        offered = tuple(dict.fromkeys(number for number in order if 1 <= number <= self._candidates))
        if not offered:
            raise ContractBroken(f"no number between 1 and {self._candidates} is in the order")
        return offered[:_MOST_ORDERED]

    def reminder(self, reason: str) -> str:
        return SchemaContract(_Order).reminder(reason)


class VerdictContract:
    """Yes or no; anything else is an answer of its own, which decides nothing."""

    schema = None

    def parse(self, reply: Reply) -> Verdict:
        text = reply.text.strip()
        try:
            content = json.loads(text)
        except ValueError:
            content = None
        if isinstance(content, dict):
            text = str(content.get("verdict", content.get("relevant", "")))
            text = {"True": "yes", "relevant": "yes", "False": "no", "irrelevant": "no"}.get(text, text)
        answer = _ANSWER.match(text)
        if answer is None:
            return "unreadable"
        return "yes" if answer[1].lower() == "yes" else "no"

    def reminder(self, reason: str) -> str:
        return f"Your reply was refused: {reason}.\nAnswer yes or no."
