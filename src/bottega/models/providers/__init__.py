"""Providers by name. Outside packages join by the entry point `bottega.providers`."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import cast

from bottega.errors import SettingsError
from bottega.models.config import ModelConfig
from bottega.models.request import Model

PROVIDERS = {
    "ollama": "bottega.models.providers.ollama:Ollama",
    "openai": "bottega.models.providers.openai:OpenAI",
    "anthropic": "bottega.models.providers.anthropic:Anthropic",
    "embedded": "bottega.models.providers.embedded:Embedded",
    "scripted": "bottega.models.providers.scripted:ScriptedModel",
}

Environ = Mapping[str, str]
ProviderFactory = Callable[[ModelConfig, Environ], Model]


def open_model(config: ModelConfig, environ: Environ = os.environ) -> Model:
    """The bare model behind a configuration, without retries, accounts or records."""
    return provider(config.protocol)(config, environ)


def provider(name: str) -> ProviderFactory:
    if name in PROVIDERS:
        module, _, attribute = PROVIDERS[name].partition(":")
        return cast("ProviderFactory", getattr(import_module(module), attribute))  # the table holds only factories
    for entry in entry_points(group="bottega.providers", name=name):
        return cast("ProviderFactory", entry.load())  # the entry point's contract
    raise SettingsError(
        f"there is no provider {name}", hint=f"Known: {', '.join(PROVIDERS)}; or give [providers.{name}] a kind."
    )
