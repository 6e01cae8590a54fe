"""Detect models when none is configured: servers on loopback, weights on disk, well-known keys."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from bottega.amounts import plural
from bottega.cancellation import keep_scope
from bottega.errors import ModelError
from bottega.models.http import HttpClient, StatusError
from bottega.models.http.fields import objects_field, text_field
from bottega.models.weights import installed, list_weights
from bottega.settings import BUILT_IN, Settings

_SECONDS = 1.0
_LONGEST_NAME = 200
_LOOPBACK = {
    "lmstudio": "http://127.0.0.1:1234/v1",
    "llama-server": "http://127.0.0.1:8080/v1",
    "vllm": "http://127.0.0.1:8000/v1",
}
_HOSTED = {"anthropic": "claude-sonnet-5-5", "openai": "gpt-5.4-mini"}


@dataclass(frozen=True, slots=True)
class DetectedModel:
    """A model that can be used. `base_url` is set if its provider has to be added to the settings."""

    model: str
    where: str
    provider: str = ""
    kind: str = ""
    base_url: str = ""


@dataclass(frozen=True, slots=True)
class FoundServer:
    """A model server that answers on this machine; `is_set` where the settings have its address."""

    provider: str
    url: str
    models: tuple[str, ...]
    is_set: bool


def detect(settings: Settings, environ: Mapping[str, str]) -> list[DetectedModel]:
    """Best first: servers on this machine, then embedded weights, then keys of hosted models."""
    return [*_detect_servers(settings), *_detect_embedded(), *_detect_keys(environ)]


def find_servers(settings: Settings) -> list[FoundServer]:
    """Every server that answers where Ollama and the well-known others listen, with the models that can be used."""
    ollama, openai = settings.providers.get("ollama"), settings.providers.get("openai")
    ollama_url = (ollama and ollama.base_url) or BUILT_IN["ollama"].base_url
    addresses = dict(_LOOPBACK)
    if openai and openai.base_url:
        addresses = {"openai": openai.base_url, **addresses}
    with ThreadPoolExecutor(max_workers=8) as pool:
        asked = {
            ("ollama", ollama_url): pool.submit(keep_scope(_list_names), ollama_url, "/api/tags", "models", "name")
        }
        for name, url in addresses.items():
            asked[name, url] = pool.submit(keep_scope(_list_names), url, "/models", "data", "id")
    return [
        FoundServer(name, url, tuple(names), is_set=name in {"ollama", "openai"})
        for (name, url), answer in asked.items()
        if (names := answer.result())
    ]


def _detect_servers(settings: Settings) -> Iterator[DetectedModel]:
    for server in find_servers(settings):
        model, url = f"{server.provider}/{_choose_best(list(server.models))}", server.url
        if server.provider == "ollama":
            yield DetectedModel(model, f"Ollama at {url} ({plural(len(server.models), 'model')})")
        elif server.is_set:
            yield DetectedModel(model, f"OpenAI-compatible server at {url}")
        else:
            where = f"OpenAI-compatible server at {url}"
            yield DetectedModel(model, where, provider=server.provider, kind="openai", base_url=url)


def _list_names(url: str, path: str, key: str, field: str) -> list[str]:
    """Names of models at an address; empty when no server of that protocol answers in time."""
    client = HttpClient("", url, seconds=_SECONDS, headers={}, protocol="a known protocol")
    try:
        with client.translated_errors():
            entries = objects_field(client.get(path), key)
            names = [text_field(entry, field) for entry in entries]
    except (ModelError, StatusError):
        return []
    finally:
        client.close()
    return [name for name in names if _is_usable(name)]


def _is_usable(name: str) -> bool:
    """Whether a name can be shown and written to the settings, and is not that of an embedding model."""
    return 0 < len(name) <= _LONGEST_NAME and name.isprintable() and "embed" not in name.lower()


def _choose_best(names: list[str]) -> str:
    """A model made for code if there is one, else the first by name."""
    coders = [name for name in names if "code" in name.lower()]
    return sorted(coders or names)[0]


def _detect_embedded() -> Iterator[DetectedModel]:
    if importlib.util.find_spec("xllamacpp") is None:
        return
    for weights in list_weights():
        if installed(weights):
            yield DetectedModel(f"embedded/{weights.name}", "weights on this machine")


def _detect_keys(environ: Mapping[str, str]) -> Iterator[DetectedModel]:
    for provider, model in _HOSTED.items():
        key = BUILT_IN[provider].api_key_env
        if environ.get(key):
            yield DetectedModel(f"{provider}/{model}", f"{key} is set")
