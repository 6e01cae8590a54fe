"""Read every source of settings once, in order, and refuse what cannot be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from bottega.errors import SettingsError
from bottega.settings.explain import explained
from bottega.settings.layers import (
    KeyPath,
    Layer,
    file_layer,
    flag_layer,
    user_settings_file,
    variables_layers,
)
from bottega.settings.schema import Settings
from bottega.settings.variables import section_of

_KEYED = frozenset({"openai", "anthropic"})
_BUILT_IN = _KEYED | {"ollama", "embedded", "scripted"}


@dataclass(frozen=True, slots=True)
class Loaded:
    """Valid settings, and where each value that is not a default came from."""

    settings: Settings
    origins: Mapping[KeyPath, str]
    files: tuple[str, ...]


def load_settings(
    root: Path, *, environ: Mapping[str, str], assignments: Sequence[str] = (), model: str | None = None
) -> Loaded:
    """Person's file, then the repository's, then variables, then flags; later ones win."""
    layers = [
        *_file_layers(root, environ),
        *variables_layers(environ),
        *(flag_layer(assignment) for assignment in assignments),
    ]
    if model is not None:
        layers.append(Layer("--model", {"models": {"default": model}}))
    persons_own = _provider_names(layers)
    merged: dict[str, Any] = {}
    origins: dict[KeyPath, Layer] = {}
    for layer in layers:
        if layer.name == "--model":
            merged.pop("models", None)
            _forget(origins, ("models",))
        _refuse_untrusted(layer, persons_own)
        _merge(merged, layer.values, (), layer, origins)
    settings = _validate(merged, origins)
    _refuse_untrusted_urls(settings, origins)
    shown = {path: layer.place(path) for path, layer in origins.items()}
    return Loaded(settings, shown, tuple(layer.name for layer in layers if layer.lines))


def _file_layers(root: Path, environ: Mapping[str, str]) -> list[Layer]:
    person = user_settings_file(environ)
    own = file_layer(root / "bottega.toml", shown="bottega.toml", trusted=False)
    project = file_layer(root / "pyproject.toml", shown="pyproject.toml", trusted=False)
    if own and project:
        raise SettingsError(
            "settings stand in bottega.toml and in [tool.bottega] of pyproject.toml",
            hint="Keep one of the two.",
        )
    layers = (file_layer(person, shown=str(person), trusted=True), own or project)
    return [layer for layer in layers if layer is not None]


def _merge(
    merged: dict[str, Any],
    values: Mapping[str, Any],
    at: KeyPath,
    layer: Layer,
    origins: dict[KeyPath, Layer],
) -> None:
    for key, value in values.items():
        path = (*at, key)
        if isinstance(value, Mapping):
            inner = merged.get(key)
            merged[key] = dict(inner) if isinstance(inner, Mapping) else {}
            _merge(merged[key], value, path, layer, origins)
        else:
            merged[key] = value
            _forget(origins, path)
        origins[path] = layer


def _forget(origins: dict[KeyPath, Layer], under: KeyPath) -> None:
    """Once a value is replaced, where its parts came from is no longer true."""
    for path in [path for path in origins if path[: len(under)] == under]:
        del origins[path]


def _validate(merged: dict[str, Any], origins: Mapping[KeyPath, Layer]) -> Settings:
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        raise explained(error.errors()[0], origins) from None


def _refuse_untrusted(layer: Layer, persons_own: frozenset[str]) -> None:
    """A cloned repository must not loosen the sandbox, name keys, widen trust, or redirect what has a key."""
    if layer.trusted:
        return
    for path in [*_person_only_paths(layer.values), *_redirections(layer.values, persons_own)]:
        raise SettingsError(
            f"{layer.place(path)}: {'.'.join(path)} may not be set by a repository",
            hint="Put it in your own ~/.config/bottega/config.toml.",
        )


def _person_only_paths(values: Mapping[str, Any]) -> list[KeyPath]:
    found: list[KeyPath] = [
        (name, key)
        for name, field in Settings.model_fields.items()
        for key in _person_only(section_of(field.annotation))
        if isinstance(values.get(name), Mapping) and key in values[name]
    ]
    providers = values.get("providers")
    if isinstance(providers, Mapping):
        found += [
            ("providers", name, "api_key_env")
            for name, table in providers.items()
            if isinstance(table, Mapping) and "api_key_env" in table
        ]
    return found


def _redirections(values: Mapping[str, Any], persons_own: frozenset[str]) -> list[KeyPath]:
    """Places that a repository moves although a key of the person's goes there."""
    providers = values.get("providers")
    tables = providers.items() if isinstance(providers, Mapping) else ()
    return [
        ("providers", name, key)
        for name, table in tables
        if isinstance(table, Mapping)
        for key in ("kind", "base_url")
        if key in table and (name in persons_own or name in _KEYED or (key == "kind" and name in _BUILT_IN))
    ]


def _provider_names(layers: Sequence[Layer]) -> frozenset[str]:
    """Those of the person's own file; variables and flags win over a repository by themselves."""
    tables = [layer.values.get("providers") for layer in layers if layer.trusted and layer.lines]
    return frozenset(str(name) for table in tables if isinstance(table, Mapping) for name in table)


def _person_only(section: type[BaseModel] | None) -> list[str]:
    fields = section.model_fields.items() if section else ()
    return [
        name
        for name, field in fields
        if isinstance(field.json_schema_extra, dict) and field.json_schema_extra.get("person_only")
    ]


def _refuse_untrusted_urls(settings: Settings, origins: Mapping[KeyPath, Layer]) -> None:
    for name, provider in settings.providers.items():
        path = ("providers", name, "base_url")
        layer = origins.get(path)
        if not provider.base_url or layer is None or layer.trusted or is_loopback(provider.base_url):
            continue
        if provider.base_url not in settings.trust.urls:
            raise SettingsError(
                f"{layer.place(path)}: this repository wants your code sent to {provider.base_url}",
                hint=f'If you trust it: [trust] urls = ["{provider.base_url}"] in ~/.config/bottega/config.toml.',
            )


def is_loopback(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
