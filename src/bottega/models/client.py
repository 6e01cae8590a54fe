"""The simplest interface: one prompt in, one text out, nothing recorded."""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Self

from bottega.models.config import ModelConfig
from bottega.models.provider import close_model
from bottega.models.providers import open_model
from bottega.models.request import Request


@dataclass(frozen=True, slots=True)
class LLMResponse:
    """Token counts are None when the server did not report them."""

    text: str
    thinking: str
    prompt_tokens: int | None
    completion_tokens: int | None
    latency_ms: int


class LLMClient:
    """A bare client, closed by `close` or by `with`; verbs use `Roster`, which also budgets, retries and records."""

    def __init__(self, config: ModelConfig) -> None:
        self._model = open_model(config)

    def complete(self, prompt: str, system: str | None = None) -> LLMResponse:
        reply = self._model.complete(Request.of(prompt, system=system or ""))
        usage = reply.usage
        return LLMResponse(reply.text, reply.thinking, usage.prompt_tokens, usage.completion_tokens, reply.latency_ms)

    def close(self) -> None:
        close_model(self._model)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
