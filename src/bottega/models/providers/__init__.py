"""Find a provider by its name, and open its models.

Each module here that is named in `bottega.settings.providers.BUILT_IN` holds one provider as `PROVIDER`. Other packages
bring theirs by the entry point `bottega.providers`.
"""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from typing import cast

from bottega.errors import SettingsError
from bottega.models.config import ModelConfig
from bottega.models.provider import Environ, ProviderFactory
from bottega.models.request import Model
from bottega.settings import BUILT_IN, ENTRY_POINT_GROUP, ProviderDefaults, is_loopback, provider_names

PROVIDERS = {name: f"bottega.models.providers.{name}:PROVIDER" for name in BUILT_IN}


def open_model(config: ModelConfig, environ: Environ = os.environ) -> Model:
    """The bare model behind a configuration, without retries, budget or records."""
    return load_provider(config.protocol)(config, environ)


def load_provider(name: str) -> ProviderFactory:
    """The factory of a provider; raises `SettingsError` when there is none of that name or it cannot be imported."""
    if name in PROVIDERS:
        module, _, attribute = PROVIDERS[name].partition(":")
        return cast("ProviderFactory", getattr(import_module(module), attribute))  # each PROVIDER is one
    factory = _load_outside(name)
    if factory is None:
        known = ", ".join(provider_names())
        raise SettingsError(f"there is no provider {name}", hint=f"Known: {known}; or give [providers.{name}] a kind.")
    return factory


def defaults_of(name: str) -> ProviderDefaults:
    """The defaults of a provider; empty ones for a name that no provider has."""
    if name in BUILT_IN:
        return BUILT_IN[name]
    defaults = getattr(_load_outside(name), "defaults", None)
    return defaults if isinstance(defaults, ProviderDefaults) else ProviderDefaults()


def is_local(kind: str, base_url: str) -> bool:
    """Whether the models of a provider run on this machine."""
    return defaults_of(kind).location != "server" or is_loopback(base_url)


@cache
def _load_outside(name: str) -> ProviderFactory | None:
    from importlib.metadata import entry_points  # needed only for providers that are not ours

    for entry in entry_points(group=ENTRY_POINT_GROUP, name=name):
        try:
            return cast("ProviderFactory", entry.load())  # the contract of the entry point
        except (ImportError, AttributeError) as error:
            package = entry.dist.name if entry.dist else entry.value
            raise SettingsError(
                f"the provider {name} of the package {package} cannot be loaded: {error}",
                hint=f"Install a version of {package} that fits this one of bottega.",
            ) from error
    return None
