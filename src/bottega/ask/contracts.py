"""The contracts that replies to `ask` must keep."""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from bottega.ask.parts import split_sentences
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
ABSENT, PREMISE = "[Not in this repository:]", "[Wrong premise:]"

_PREFIXES = (ANSWER, REQUEST, ABSENT, PREMISE)

router_contract = LineContract(list(ROUTES))


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """An answer of one of the forms, or a request for more data; `is_cut` when the reply ended at the token limit."""

    prefix: str
    text: str
    is_cut: bool = False


class AnswerContract:
    """One of the four prefixes, then text; an answer cut at the token limit is kept."""

    schema = None

    def parse(self, reply: Reply) -> ParsedAnswer:
        text = reply.text.strip()
        if not text:
            raise ContractBroken("the reply is empty")
        if reply.finish == "loop":
            refuse_cut(reply)
        for prefix in _PREFIXES:
            if text.startswith(prefix):
                rest = text[len(prefix) :].strip()
                while rest.startswith(prefix):
                    rest = rest[len(prefix) :].strip()
                rest = rest.partition(f"\n{REQUEST}")[0].strip()
                if not rest:
                    raise ContractBroken(f"nothing follows {prefix}")
                return ParsedAnswer(prefix, rest, reply.finish == "length")
        raise ContractBroken(f"the reply starts with none of {', '.join(_PREFIXES)}")

    def reminder(self, reason: str) -> str:
        return f"Your reply was refused: {reason}.\nAnswer again, beginning with one of {', '.join(_PREFIXES)}"


class NumberedContract:
    """A JSON answer of statements, each citing evidence by number; the schema allows no other citation."""

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

    def parse(self, reply: Reply) -> ParsedAnswer:
        answer = SchemaContract(_Statements).parse(reply)
        if answer.statements:
            text = "".join(_cite_sentences(statement.text, statement.evidence) for statement in answer.statements)
            return ParsedAnswer(ANSWER, text.strip())
        if not answer.missing.strip():
            raise ContractBroken("statements and missing are both empty")
        return ParsedAnswer(REQUEST, answer.missing.strip())

    def reminder(self, reason: str) -> str:
        return SchemaContract(_Statements).reminder(reason)


class _Statement(BaseModel):
    evidence: tuple[int, ...]
    text: str


class _Statements(BaseModel):
    statements: tuple[_Statement, ...]
    missing: str


_STATEMENT = re.compile(
    r'\{\s*"evidence"\s*:\s*(?P<evidence>\[[\d,\s]*\])\s*,\s*"text"\s*:\s*(?P<text>"(?:[^"\\]|\\.)*")\s*\}', re.DOTALL
)


def read_complete_statements(reply: str) -> str:
    """The complete statements of a numbered answer that is still being received, as cited sentences."""
    sentences = []
    for statement in _STATEMENT.finditer(reply):
        with contextlib.suppress(ValueError):
            text, evidence = json.loads(statement["text"], strict=False), json.loads(statement["evidence"])
            sentences.append(_cite_sentences(text, evidence))
    return "".join(sentences)


def _cite_sentences(text: str, numbers: Sequence[int]) -> str:
    """The text of a statement with its evidence numbers after each sentence."""
    cited = f" [{', '.join(map(str, dict.fromkeys(numbers)))}]" if numbers else ""
    text = re.sub(r"^[\s#>~|]+|^[-*+](?=\s)|^`{3,}\w*", "", text)
    return "".join(
        f"{sentence.strip().rstrip('. ')}{cited}. "
        for sentence in split_sentences(" ".join(text.split()))
        if sentence.strip(". ")
    )


class PlainContract:
    """Complete text that contains every placeholder of the request as often as the request does, and no other."""

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
                raise ContractBroken(f"the mark {mark} occurs {text.count(mark)} times instead of {times}")
        if self._marks:
            other = next((mark for mark in re.findall(r"⟦[^⟧]*⟧", text) if mark not in self._marks), "")
            added = re.search(r"`[^`\n]+`|\[[^\[\]\n]+:\d+(?:-\d+)?(?: weak)?\]", text)
            if other or added:
                raise ContractBroken(f"{other or (added and added[0])} stood nowhere in the text")
        return text

    def reminder(self, reason: str) -> str:
        return f"Your reply was refused: {reason}.\nAnswer again, with the text alone."
