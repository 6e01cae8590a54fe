"""A model as a call needs it: resolved, with every default filled in."""

from __future__ import annotations

from dataclasses import dataclass

DEFAULT_URLS = {
    "ollama": "http://127.0.0.1:11434",
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
}
HOSTED_WINDOWS = {"openai": 128_000, "anthropic": 200_000}
DEFAULT_KEYS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """`model` is the name at the provider, `provider` the name in the settings, `kind` its protocol."""

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

    @property
    def server(self) -> str:
        """What shares one queue: calls to the same address wait for each other."""
        return self.base_url or self.provider
