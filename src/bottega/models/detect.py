"""What can serve here when nothing is configured: servers on loopback, weights on disk, well-known keys."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from bottega.errors import ModelError
from bottega.models.config import DEFAULT_KEYS, DEFAULT_URLS
from bottega.models.http import HttpClient, StatusError
from bottega.models.http.fields import objects_field, text_field
from bottega.models.weights import installed, known
from bottega.settings import Settings

_SECONDS = 1.0
_LONGEST_NAME = 200
_LOOPBACK = {
    "lmstudio": "http://127.0.0.1:1234/v1",
    "llama-server": "http://127.0.0.1:8080/v1",
    "vllm": "http://127.0.0.1:8000/v1",
}
_HOSTED = {"anthropic": "claude-sonnet-5-5", "openai": "gpt-5.4-mini"}


@dataclass(frozen=True, slots=True)
class Found:
    """A model that can be used. `base_url` is set where the provider has to be written into the settings."""

    model: str
    where: str
    provider: str = ""
    kind: str = ""
    base_url: str = ""


def detect(settings: Settings, environ: Mapping[str, str]) -> list[Found]:
    """Best first: servers on this machine, then embedded weights, then keys of hosted models."""
    return [*_servers(settings), *_embedded(), *_keys(environ)]


def _servers(settings: Settings) -> Iterator[Found]:
    ollama = settings.providers.get("ollama")
    ollama_url = (ollama and ollama.base_url) or DEFAULT_URLS["ollama"]
    openai = settings.providers.get("openai")
    places = dict(_LOOPBACK)
    if openai and openai.base_url:
        places = {"openai": openai.base_url, **places}
    with ThreadPoolExecutor(max_workers=8) as pool:
        native = pool.submit(_names, ollama_url, "/api/tags", "models", "name")
        others = {name: pool.submit(_names, url, "/models", "data", "id") for name, url in places.items()}
    if names := native.result():
        yield Found(f"ollama/{_best(names)}", f"Ollama at {ollama_url} ({len(names)} models)")
    for name, answer in others.items():
        if names := answer.result():
            url = places[name]
            is_set = name == "openai"
            yield Found(
                f"{name}/{_best(names)}",
                f"OpenAI-compatible server at {url}",
                provider="" if is_set else name,
                kind="" if is_set else "openai",
                base_url="" if is_set else url,
            )


def _names(url: str, path: str, key: str, field: str) -> list[str]:
    """Names of models that write, from a listing; empty when nothing like it answers in time."""
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
    """A name that can be shown and written into the settings, of a model that is not for embeddings alone."""
    return 0 < len(name) <= _LONGEST_NAME and name.isprintable() and "embed" not in name.lower()


def _best(names: list[str]) -> str:
    """A model made for code if there is one."""
    coders = [name for name in names if "code" in name.lower()]
    return sorted(coders or names)[0]


def _embedded() -> Iterator[Found]:
    if importlib.util.find_spec("xllamacpp") is None:
        return
    for weights in known():
        if installed(weights):
            yield Found(f"embedded/{weights.name}", "weights on this machine")


def _keys(environ: Mapping[str, str]) -> Iterator[Found]:
    for provider, model in _HOSTED.items():
        if environ.get(DEFAULT_KEYS[provider]):
            yield Found(f"{provider}/{model}", f"{DEFAULT_KEYS[provider]} is set")
