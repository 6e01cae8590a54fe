"""The token budget of a call: estimate what a request needs, and refuse it if the context window is too small."""

from __future__ import annotations

import json
from dataclasses import dataclass

from bottega.errors import PromptTooLong
from bottega.journal import FactStore
from bottega.models.config import ModelConfig
from bottega.models.request import Reply, Request, Usage
from bottega.source import estimate_tokens

DEFAULT_CHARS_PER_TOKEN = 4.0
_MARGIN = 64
_WEIGHT = 0.2
_SMALLEST_SAMPLE = 200


@dataclass(frozen=True, slots=True)
class Account:
    """How a context window is divided: system + messages + tools + completion + margin + free = window."""

    window: int
    system: int
    messages: int
    completion: int
    tools: int = 0
    margin: int = _MARGIN

    @property
    def free(self) -> int:
        return self.window - self.system - self.messages - self.tools - self.completion - self.margin

    def __str__(self) -> str:
        sent = f"system {self.system} + messages {self.messages + self.tools}"
        return f"{sent} + reply {self.completion} + margin {self.margin} against a window of {self.window}"


class Ledger:
    """Estimates tokens per model, calibrated by the counts that servers report."""

    def __init__(self, facts: FactStore | None = None, *, safety: float = 1.1) -> None:
        self._facts = facts
        self._safety = safety

    def chars_per_token(self, model: str) -> float:
        known = self._facts.get(model, "chars_per_token") if self._facts else None
        return float(known) if known else DEFAULT_CHARS_PER_TOKEN

    def estimate(self, model: str, text: str) -> int:
        """Tokens of a text, rounded up by the safety factor."""
        return int(estimate_tokens(text, self.chars_per_token(model)) * self._safety) + 1 if text else 0

    def account(self, config: ModelConfig, request: Request) -> Account:
        return Account(
            window=config.context_window,
            system=self.estimate(config.id, request.system),
            messages=sum(self.estimate(config.id, message.text) + 4 for message in request.messages),
            completion=request.max_tokens or config.max_tokens,
            tools=self.estimate(config.id, json.dumps(request.as_json().get("tools", "")) if request.tools else ""),
        )

    def admit(self, config: ModelConfig, request: Request) -> Account:
        """Raise `PromptTooLong` if request and reply do not fit the context window."""
        account = self.account(config, request)
        if account.free < 0:
            raise PromptTooLong(
                config.id,
                f"the request does not fit {config.id}: {account} tokens",
                hint="Shorten the request, or use a model with a larger window (context_window).",
            )
        return account

    def estimate_usage(self, config: ModelConfig, request: Request, reply: Reply) -> Usage:
        """The usage that a server reported; what it did not report is estimated and marked."""
        known = reply.usage
        if known.prompt_tokens is not None and known.completion_tokens is not None:
            return known
        account = self.account(config, request)
        written = [reply.text, reply.thinking, *(json.dumps(dict(call.arguments)) for call in reply.tool_calls)]
        prompt = account.system + account.messages + account.tools
        completion = sum(self.estimate(config.id, text) for text in written)
        return Usage(
            prompt if known.prompt_tokens is None else known.prompt_tokens,
            completion if known.completion_tokens is None else known.completion_tokens,
            is_estimated=True,
        )

    def learn(self, model: str, request: Request, prompt_tokens: int | None) -> None:
        """Calibrate the estimate of a model by the token count of its server."""
        chars = request.chars()
        if self._facts is None or not prompt_tokens or chars < _SMALLEST_SAMPLE:
            return
        measured = min(8.0, max(1.0, chars / prompt_tokens))
        known = self._facts.get(model, "chars_per_token")
        self._facts.put(model, "chars_per_token", round(known + _WEIGHT * (measured - known) if known else measured, 3))
