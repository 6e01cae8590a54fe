"""Ask a model two small questions and measure: does it answer, does it honour a schema, how fast is it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from bottega.errors import ModelError
from bottega.journal import Facts
from bottega.models.config import ModelConfig
from bottega.models.contracts import ContractBroken, SchemaContract
from bottega.models.request import Model, Request

_COUNTING = "Count from 1 to 40 in words, separated by commas."


@dataclass(frozen=True, slots=True)
class Probe:
    """What was measured. None is unknown."""

    model: str
    answers: bool
    problem: str = ""
    context_length: int | None = None
    json_schema: bool | None = None
    tokens_per_second: float | None = None


class _Colour(BaseModel):
    """A value that no model chooses on its own, so that obeying it proves that decoding is constrained."""

    model_config = ConfigDict(extra="forbid")

    colour: Literal["zq-violet-7", "zq-ochre-3"]


def probe(model: Model, config: ModelConfig, facts: Facts) -> Probe:
    """Probe and remember."""
    try:
        speed = _speed(model)
        schema = _honours_schema(model)
        length = _context_length(model)
    except ModelError as error:
        return Probe(config.id, answers=False, problem=str(error))
    facts.put(config.id, "json_schema", schema)
    facts.put(config.id, "tokens_per_second", speed)
    if length is not None:
        facts.put(config.id, "context_length_max", length)
    return Probe(config.id, answers=True, context_length=length, json_schema=schema, tokens_per_second=speed)


def _speed(model: Model) -> float | None:
    started = time.monotonic()
    reply = model.complete(Request.of(_COUNTING, max_tokens=96, temperature=0.0, stage="probe"))
    seconds = time.monotonic() - started
    tokens = reply.usage.completion_tokens
    return round(tokens / seconds, 1) if tokens and seconds else None


def _honours_schema(model: Model) -> bool:
    contract = SchemaContract(_Colour)
    request = Request.of(
        "Name a colour of the sky as JSON.", schema=contract.schema, max_tokens=64, temperature=0.0, stage="probe"
    )
    try:
        contract.parse(model.complete(request))
    except ContractBroken:
        return False
    except ModelError as error:
        if "format" in str(error).lower() or "schema" in str(error).lower():
            return False
        raise
    return True


def _context_length(model: Model) -> int | None:
    ask = getattr(model, "context_length", None)
    length = ask() if ask is not None else None
    return length if isinstance(length, int) else None
