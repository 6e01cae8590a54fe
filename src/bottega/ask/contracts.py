"""The shapes that replies to `ask` must have."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from bottega.ask.parts import sentences
from bottega.models import ContractBroken, LineContract, Reply, SchemaContract
from bottega.models.contracts.base import refuse_cut

ROUTES = {
    "[SEMANTIC:]": "semantic",
    "[SEMANTIC_RERANK:]": "semantic_rerank",
    "[BM25:]": "bm25",
    "[HYBRID:]": "hybrid",
    "[DIRECT:]": "direct",
}
ANSWER, REQUEST = "[Answer:]", "[Requesting data on:]"

router_contract = LineContract(list(ROUTES))


@dataclass(frozen=True, slots=True)
class Spoken:
    """`is_cut` when the reply ended at the token limit."""

    prefix: str
    text: str
    is_cut: bool = False


class AnswerContract:
    """`[Answer:]` or `[Requesting data on:]`, then text; an answer that was cut is kept up to there."""

    schema = None

    def parse(self, reply: Reply) -> Spoken:
        text = reply.text.strip()
        if not text:
            raise ContractBroken("the reply is empty")
        if reply.finish == "loop":
            refuse_cut(reply)
        for prefix in (ANSWER, REQUEST):
            if text.startswith(prefix):
                rest = text[len(prefix) :].strip()
                while rest.startswith(prefix):
                    rest = rest[len(prefix) :].strip()
                rest = rest.partition(f"\n{REQUEST}")[0].strip()
                if not rest:
                    raise ContractBroken(f"nothing follows {prefix}")
                return Spoken(prefix, rest, reply.finish == "length")
        raise ContractBroken(f"the reply starts with neither {ANSWER} nor {REQUEST}")

    def reminder(self, reason: str) -> str:
        return f"Your reply was refused: {reason}.\nAnswer again, beginning with {ANSWER} or with {REQUEST}"


class NumberedContract:
    """An answer as statements, each with numbers chosen from a list: nothing else can be cited."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = list(numbers)

    @property
    def schema(self) -> Mapping[str, Any]:
        statement = {
            "type": "object",
            "properties": {
                "evidence": {
                    "type": "array",
                    "items": {"type": "integer", "enum": self._numbers},
                    "minItems": 1,
                    "maxItems": 3,
                },
                "text": {"type": "string", "minLength": 8, "maxLength": 400},
            },
            "required": ["evidence", "text"],
            "additionalProperties": False,
        }
        return {
            "type": "object",
            "properties": {
                "statements": {"type": "array", "items": statement, "maxItems": 8},
                "missing": {"type": "string", "maxLength": 200},
            },
            "required": ["statements", "missing"],
            "additionalProperties": False,
        }

    def parse(self, reply: Reply) -> Spoken:
        given = SchemaContract(_Statements).parse(reply)
        if given.statements:
            said = "".join(_sentence(one.text, one.evidence) for one in given.statements)
            return Spoken(ANSWER, said.strip())
        if not given.missing.strip():
            raise ContractBroken("there are no statements, and nothing is said to be missing")
        return Spoken(REQUEST, given.missing.strip())

    def reminder(self, reason: str) -> str:
        return SchemaContract(_Statements).reminder(reason)


class _Statement(BaseModel):
    evidence: tuple[int, ...]
    text: str


class _Statements(BaseModel):
    statements: tuple[_Statement, ...]
    missing: str


_WRITTEN = re.compile(
    r'\{\s*"evidence"\s*:\s*(?P<evidence>\[[\d,\s]*\])\s*,\s*"text"\s*:\s*(?P<text>"(?:[^"\\]|\\.)*")\s*\}', re.DOTALL
)


def statements_so_far(reply: str) -> str:
    """The statements of a numbered answer that are whole already, as sentences."""
    said = []
    for one in _WRITTEN.finditer(reply):
        with contextlib.suppress(ValueError):
            said.append(_sentence(json.loads(one["text"], strict=False), json.loads(one["evidence"])))
    return "".join(said)


def _sentence(text: str, numbers: Sequence[int]) -> str:
    """A statement with its numbers after each of its sentences."""
    cited = f" [{', '.join(map(str, dict.fromkeys(numbers)))}]" if numbers else ""
    text = re.sub(r"^[\s#>~|]+|^[-*+](?=\s)|^`{3,}\w*", "", text)
    return "".join(
        f"{one.strip().rstrip('. ')}{cited}. " for one in sentences(" ".join(text.split())) if one.strip(". ")
    )


class PlainContract:
    """Text, whole; every mark that must be kept stands in it as often as in what was sent."""

    schema = None

    def __init__(self, marks: Counter[str] | None = None) -> None:
        self._marks = marks or Counter()

    def parse(self, reply: Reply) -> str:
        refuse_cut(reply)
        text = reply.text.strip()
        if not text:
            raise ContractBroken("the reply is empty")
        for mark, times in self._marks.items():
            if text.count(mark) != times:
                raise ContractBroken(f"the mark {mark} stands {text.count(mark)} times instead of {times}")
        if self._marks:
            other = next((mark for mark in re.findall(r"⟦[^⟧]*⟧", text) if mark not in self._marks), "")
            added = re.search(r"`[^`\n]+`|\[[^\[\]\n]+:\d+(?:-\d+)?(?: weak)?\]", text)
            if other or added:
                raise ContractBroken(f"{other or (added and added[0])} stood nowhere in the text")
        return text

    def reminder(self, reason: str) -> str:
        return f"Your reply was refused: {reason}.\nAnswer again, with the text alone."
