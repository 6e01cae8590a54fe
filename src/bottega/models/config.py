"""The configuration of one model, with every default filled in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """`model` is the name at the server, `provider` the name in the settings, `kind` the provider's code."""

    model: str
    provider: str
    kind: str = ""
    base_url: str = ""
    api_key_env: str = ""
    temperature: float = 0.0
    max_tokens: int = 2048
    context_window: int = 8192
    timeout: float = 300.0
    concurrency: int = 1
    threads: int | None = None

    @property
    def id(self) -> str:
        return f"{self.provider}/{self.model}"

    @property
    def protocol(self) -> str:
        return self.kind or self.provider
