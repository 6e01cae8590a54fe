"""Detect models when none is configured: servers on loopback, weights on disk, well-known keys."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

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


def detect(settings: Settings, environ: Mapping[str, str]) -> list[DetectedModel]:
    """Best first: servers on this machine, then embedded weights, then keys of hosted models."""
    return [*_detect_servers(settings), *_detect_embedded(), *_detect_keys(environ)]


def _detect_servers(settings: Settings) -> Iterator[DetectedModel]:
    ollama = settings.providers.get("ollama")
    ollama_url = (ollama and ollama.base_url) or BUILT_IN["ollama"].base_url
    openai = settings.providers.get("openai")
    addresses = dict(_LOOPBACK)
    if openai and openai.base_url:
        addresses = {"openai": openai.base_url, **addresses}
    with ThreadPoolExecutor(max_workers=8) as pool:
        ollama_names = pool.submit(keep_scope(_list_names), ollama_url, "/api/tags", "models", "name")
        listings = {
            name: pool.submit(keep_scope(_list_names), url, "/models", "data", "id") for name, url in addresses.items()
        }
    if names := ollama_names.result():
        yield DetectedModel(f"ollama/{_choose_best(names)}", f"Ollama at {ollama_url} ({len(names)} models)")
    for name, answer in listings.items():
        if names := answer.result():
            url = addresses[name]
            is_set = name == "openai"
            yield DetectedModel(
                f"{name}/{_choose_best(names)}",
                f"OpenAI-compatible server at {url}",
                provider="" if is_set else name,
                kind="" if is_set else "openai",
                base_url="" if is_set else url,
            )


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
