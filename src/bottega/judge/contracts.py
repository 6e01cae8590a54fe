"""The contracts of judgements: an order of candidates by number, and yes or no."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel

from bottega.models import ContractBroken, Reply, SchemaContract, TokenChoice

Verdict = Literal["yes", "no", "unreadable"]
_MOST_ORDERED = 5
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""What candidates are called: one token each, whose probabilities say how sure a model is."""
_ANSWER = re.compile(r"\W*(yes|no)\b", re.IGNORECASE)


class _Order(BaseModel):
    order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ballot:
    """Candidates by their place in the shown order, the best first.

    `probabilities` are those of being named first, where the server gives the probabilities of tokens; else empty.
    """

    order: tuple[int, ...]
    probabilities: Mapping[int, float] = field(default_factory=dict)


class OrderContract:
    """`{"order": ["C", "A"]}`: letters of candidates, the best first; letters that are not offered are left out."""

    def __init__(self, candidates: int) -> None:
        self._letters = LETTERS[:candidates]

    @property
    def schema(self) -> Mapping[str, Any]:
        letters = {"type": "string", "enum": list(self._letters)}
        order = {"type": "array", "items": letters, "minItems": 1, "maxItems": _MOST_ORDERED}
        return {
            "type": "object",
            "properties": {"order": order},
            "required": ["order"],
            "additionalProperties": False,
        }

    def parse(self, reply: Reply) -> Ballot:
        letters = SchemaContract(_Order).parse(reply).order
        offered = [letter for letter in dict.fromkeys(letters) if len(letter) == 1 and letter in self._letters]
        if not offered:
            raise ContractBroken(f"no letter from A to {self._letters[-1]} is in the order")
        order = tuple(self._letters.index(letter) for letter in offered[:_MOST_ORDERED])
        return Ballot(order, self._read_probabilities(reply.tokens, offered[0]))

    def _read_probabilities(self, tokens: Sequence[TokenChoice], first: str) -> dict[int, float]:
        """The probabilities of the letters in the place of the first; a token may begin with a quote."""
        for token in tokens:
            if _strip_token(token.text) == first:
                found: dict[int, float] = {}
                for text, probability in token.probabilities.items():
                    letter = _strip_token(text)
                    if len(letter) == 1 and letter in self._letters:
                        at = self._letters.index(letter)
                        found[at] = found.get(at, 0.0) + probability
                total = sum(found.values())
                return {at: probability / total for at, probability in found.items()} if total else {}
        return {}

    def reminder(self, reason: str) -> str:
        return SchemaContract(_Order).reminder(reason)


def _strip_token(text: str) -> str:
    return text.strip(' \t\n"[')


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
