"""Probe a model with two small requests: does it answer, does it honour a JSON schema, how fast is it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from bottega.errors import ModelError
from bottega.journal import FactStore
from bottega.models.config import ModelConfig
from bottega.models.contracts import ContractBroken, SchemaContract
from bottega.models.provider import read_context_length
from bottega.models.request import Model, Request

_COUNTING = "Count from 1 to 40 in words, separated by commas."


@dataclass(frozen=True, slots=True)
class Probe:
    """The results of a probe; None where it is unknown."""

    model: str
    answers: bool
    problem: str = ""
    context_length: int | None = None
    json_schema: bool | None = None
    tokens_per_second: float | None = None


class _Colour(BaseModel):
    """Values that no model would choose by itself: a reply with one of them proves that decoding is constrained."""

    model_config = ConfigDict(extra="forbid")

    colour: Literal["zq-violet-7", "zq-ochre-3"]


def probe(model: Model, config: ModelConfig, facts: FactStore) -> Probe:
    """Probe a model and store the results as facts about it."""
    try:
        speed = _measure_speed(model)
        schema = _check_schema(model)
        length = read_context_length(model)
    except ModelError as error:
        return Probe(config.id, answers=False, problem=str(error))
    facts.put(config.id, "json_schema", schema)
    facts.put(config.id, "tokens_per_second", speed)
    if length is not None:
        facts.put(config.id, "context_length_max", length)
    return Probe(config.id, answers=True, context_length=length, json_schema=schema, tokens_per_second=speed)


def _measure_speed(model: Model) -> float | None:
    started = time.monotonic()
    reply = model.complete(Request.of(_COUNTING, max_tokens=96, temperature=0.0, stage="probe"))
    seconds = time.monotonic() - started
    tokens = reply.usage.completion_tokens
    return round(tokens / seconds, 1) if tokens and seconds else None


def _check_schema(model: Model) -> bool:
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
