"""What a provider is: the protocols that a package implements to bring models of its own.

A package names a `ProviderFactory` under the entry point `bottega.providers`; ids `NAME/model` then work. The factory
makes `Model`s. A model may also implement any of the optional protocols below; whoever wants to use one calls the
function beside it, which has an answer for models that do not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from bottega.models.config import ModelConfig
from bottega.models.request import Model

Environ = Mapping[str, str]


class ProviderFactory(Protocol):
    """Makes the model that a configuration describes; a class with this constructor is one.

    Making a model must not use the network nor load weights: that is for the first call. `environ` holds the variable
    that `config.api_key_env` names. An attribute `defaults` of type `ProviderDefaults` is optional.
    """

    def __call__(self, config: ModelConfig, environ: Environ, /) -> Model: ...


@runtime_checkable
class ListsModels(Protocol):
    """Optional: knows which models the server has."""

    def available(self) -> list[str]: ...


@runtime_checkable
class HasContextLength(Protocol):
    """Optional: knows the longest context window of its model, in tokens; None when the server does not say."""

    def context_length(self) -> int | None: ...


@runtime_checkable
class HasServedWindow(Protocol):
    """Optional: knows the window that its server serves the model with, which may be below what the model supports."""

    def served_window(self) -> int | None: ...


@runtime_checkable
class CallsTools(Protocol):
    """Optional: knows whether its model can be given tools."""

    def calls_tools(self) -> bool: ...


@runtime_checkable
class Closable(Protocol):
    """Optional: holds connections or processes."""

    def close(self) -> None: ...


def list_models(model: Model) -> list[str] | None:
    """Names of the models at the same server; None when the provider cannot list them."""
    return model.available() if isinstance(model, ListsModels) else None


def read_context_length(model: Model) -> int | None:
    return model.context_length() if isinstance(model, HasContextLength) else None


def read_served_window(model: Model) -> int | None:
    return model.served_window() if isinstance(model, HasServedWindow) else None


def can_call_tools(model: Model) -> bool:
    """False when the provider does not say: the same tools then go through a JSON contract."""
    return isinstance(model, CallsTools) and model.calls_tools()


def close_model(model: Model) -> None:
    if isinstance(model, Closable):
        model.close()
