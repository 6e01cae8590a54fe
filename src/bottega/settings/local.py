"""Decide whether a model runs on this machine."""

from __future__ import annotations

import re
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from bottega.settings.providers import is_provider

_CLOUD = re.compile(r"(?i)[:-]cloud(?![a-z0-9])")  # Ollama forwards models of these names to a hosted service


def is_loopback(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def is_local_model(model: str, person: Mapping[str, Any], repository: Mapping[str, Any]) -> bool:
    """Whether a model id in a repository's settings runs here: on a server of the user's, or embedded by its name.

    A path of weights is refused, since the file may come from the repository. An address in the user's `trust.urls`
    counts as a server of theirs.
    """
    provider, _, name = model.partition("/")
    theirs = _get_provider_table(person, provider)
    kind = theirs.get("kind") or provider
    url = theirs.get("base_url")
    if kind == "embedded":
        return not name.endswith(".gguf") and "/" not in name and "\\" not in name
    if kind == "ollama":
        return (url is None or is_loopback(str(url))) and _CLOUD.search(name) is None
    if url is not None:
        return is_loopback(str(url)) and kind in {"openai", "anthropic"}
    # Under a provider's own name the repository's address is set aside, and the model would answer at the default one.
    return not is_provider(provider) and _get_provider_table(repository, provider).get(
        "base_url"
    ) in _list_trusted_urls(person)


def _list_trusted_urls(person: Mapping[str, Any]) -> tuple[object, ...]:
    trust = person.get("trust")
    urls = trust.get("urls") if isinstance(trust, Mapping) else None
    return tuple(urls) if isinstance(urls, list | tuple) else ()


def _get_provider_table(values: Mapping[str, Any], provider: str) -> Mapping[str, Any]:
    providers = values.get("providers")
    table = providers.get(provider) if isinstance(providers, Mapping) else None
    return table if isinstance(table, Mapping) else {}
