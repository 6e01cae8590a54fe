"""Apply only those settings of an untrusted repository that narrow the user's: lower limits, higher thresholds.

A cloned repository must not choose which model judges it, where code is sent or what a run may cost. `POLICIES` has
one policy for every setting, and `docs/settings.md` prints it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bottega.settings.layers import KeyPath, Layer
from bottega.settings.local import is_local_model
from bottega.settings.policies import Policy, policy_of
from bottega.settings.providers import BUILT_IN, is_provider, outside_providers
from bottega.source.tree import is_below

_KEYED = frozenset(name for name, defaults in BUILT_IN.items() if defaults.api_key_env)


@dataclass(frozen=True, slots=True)
class IgnoredSetting:
    """A value of a repository's settings that is ignored, and the policy that forbids it."""

    path: KeyPath
    place: str
    policy: Policy

    @property
    def key(self) -> str:
        return ".".join(self.path)

    def __str__(self) -> str:
        return f"{self.place}: {self.key}"


@dataclass(frozen=True, slots=True)
class Baseline:
    """The user's settings and the defaults, with which a repository's values are compared."""

    values: Mapping[str, Any]
    defaults: Mapping[str, Any]

    def value(self, path: KeyPath) -> Any:
        value = _get(self.values, path)
        return _get(self.defaults, path) if value is None else value

    @property
    def has_chosen_a_model(self) -> bool:
        return bool(self.values.get("models"))

    @property
    def listed_urls(self) -> tuple[str, ...]:
        urls = _get(self.values, ("trust", "urls"))
        return tuple(urls) if isinstance(urls, list | tuple) else ()


def narrow(layer: Layer, ground: Baseline, *, is_trusted: bool) -> tuple[Layer, list[IgnoredSetting]]:
    """Return the part of a repository's layer that is applied, and the values that are ignored."""
    narrowing = _Narrowing(layer, ground, is_trusted=is_trusted)
    values = narrowing.select(layer.values, ())
    return Layer(layer.name, values, layer.lines, layer.trusted), narrowing.aside


class _Narrowing:
    def __init__(self, layer: Layer, ground: Baseline, *, is_trusted: bool) -> None:
        self.aside: list[IgnoredSetting] = []
        self._layer = layer
        self._build_baseline = ground
        self._is_trusted = is_trusted

    def select(self, values: Mapping[str, Any], at: KeyPath) -> dict[str, Any]:
        """The values of a table that are applied; the others are added to `aside`."""
        allowed: dict[str, Any] = {}
        for key, value in values.items():
            path = (*at, key)
            policy = policy_of(path)
            if policy is None and isinstance(value, Mapping):
                allowed[key] = self.select(value, path)
            elif policy is None or self._is_allowed(policy, path, value):
                allowed[key] = value
            else:
                self.aside.append(IgnoredSetting(path, self._layer.place(path), policy))
        return allowed

    def _is_allowed(self, policy: Policy, path: KeyPath, value: Any) -> bool:
        if self._is_trusted:
            return not self._is_forbidden(policy, path, value)
        if policy == "free":
            return True
        if policy == "local model":
            return self._is_free_local_choice(value)
        if policy == "listed address":
            return _is_listed(path, self._layer, self._build_baseline)
        return _is_narrower(policy, self._build_baseline.value(path), value)

    def _is_forbidden(self, policy: Policy, path: KeyPath, value: Any) -> bool:
        """Whether even a trusted repository may not set this: the user's own settings, servers and models."""
        return (
            policy == "yours"
            or _is_redirection(path, self._build_baseline)
            or _is_scripted_model(path, value)
            or _leads_outside(path, value)
        )

    def _is_free_local_choice(self, value: Any) -> bool:
        return not self._build_baseline.has_chosen_a_model and all(
            is_local_model(model, self._build_baseline.values, self._layer.values) for model in _list_models(value)
        )


def _is_narrower(policy: Policy, mine: Any, value: Any) -> bool:
    if not _is_number(mine) or not _is_number(value):
        return False
    if policy == "higher":
        return bool(value >= mine)
    if policy == "lower":
        return bool(value <= mine)
    return policy == "lower, 0 is none" and value != 0 and (mine == 0 or value <= mine)


def _is_redirection(path: KeyPath, ground: Baseline) -> bool:
    """Whether the value redirects a server that receives a key of the user's."""
    if path[0] != "providers" or path[-1] not in {"kind", "base_url"}:
        return False
    name = path[1]
    is_theirs = _get(ground.values, ("providers", name)) is not None
    has_key = name in _KEYED or name in outside_providers()  # a provider of another package may use a key of its own
    return has_key or is_theirs or (path[-1] == "kind" and name in BUILT_IN)


def _leads_outside(path: KeyPath, value: Any) -> bool:
    """Whether pipelines would be read from outside the repository, where the trust prompt does not show them."""
    if path != ("pipelines", "paths") or not isinstance(value, list | tuple):
        return False
    return any(isinstance(place, str) and not is_below(place) for place in value)


def _is_scripted_model(path: KeyPath, value: Any) -> bool:
    """Whether the model replies from a script or a recording."""
    if path[0] == "providers":
        return path[-1] == "kind" and value in {"scripted", "replay"}
    return path[0] == "models" and any(
        model.partition("/")[0] in {"scripted", "replay"} for model in _list_models(value)
    )


def _is_listed(path: KeyPath, layer: Layer, ground: Baseline) -> bool:
    """Whether the server is in the user's `trust.urls`, under a name that no other provider has."""
    name = path[1]
    table = _get(layer.values, ("providers", name))
    url = table.get("base_url") if isinstance(table, Mapping) else None
    is_taken = is_provider(name)
    is_theirs = _get(ground.values, ("providers", name)) is not None
    is_kind = path[-1] != "kind" or table is None or table.get("kind") in {"openai", "anthropic", "ollama"}
    return url in ground.listed_urls and not is_taken and not is_theirs and is_kind


def _list_models(value: Any) -> Iterator[str]:
    """Model ids in a choice: an id, a table with one, or tables of those."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        if isinstance(value.get("model"), str):
            yield value["model"]
        else:
            for inner in value.values():
                yield from _list_models(inner)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _get(values: Any, path: KeyPath) -> Any:
    for key in path:
        if not isinstance(values, Mapping):
            return None
        values = values.get(key)
    return values
