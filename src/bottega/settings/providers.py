"""The known providers: the built-in ones with their defaults, and those of other packages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

ENTRY_POINT_GROUP = "bottega.providers"

Location = Literal["server", "machine", "process"]
"""Where a model runs: at its address, on this machine without an address, or inside the calling process."""


@dataclass(frozen=True, slots=True)
class ProviderDefaults:
    """The defaults of a provider, which `[providers.NAME]` overrides."""

    base_url: str = ""
    api_key_env: str = ""
    """The variable that holds the key; it is read for ids that begin with the provider's own name only."""
    context_window: int | None = None
    """Tokens; a server on this machine has the window of `[budget]` instead, since memory bounds it."""
    location: Location = "server"


BUILT_IN = {
    "ollama": ProviderDefaults(base_url="http://127.0.0.1:11434"),
    "openai": ProviderDefaults(
        base_url="https://api.openai.com/v1", api_key_env="OPENAI_API_KEY", context_window=128_000
    ),
    "anthropic": ProviderDefaults(
        base_url="https://api.anthropic.com", api_key_env="ANTHROPIC_API_KEY", context_window=200_000
    ),
    "embedded": ProviderDefaults(location="machine"),
    "scripted": ProviderDefaults(location="process"),
}
"""By name; `bottega.models.providers.NAME` holds the code."""


@cache
def outside_providers() -> frozenset[str]:
    """Names of the providers of other installed packages; a built-in name cannot be replaced."""
    from importlib.metadata import entry_points  # slower to import than all settings are to read

    return frozenset(entry.name for entry in entry_points(group=ENTRY_POINT_GROUP)) - BUILT_IN.keys()


def is_provider(name: str) -> bool:
    return name in BUILT_IN or name in outside_providers()


def provider_names() -> tuple[str, ...]:
    return (*BUILT_IN, *sorted(outside_providers()))
