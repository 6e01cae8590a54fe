"""What the settings of a repository may do before a person trusts it: lower a limit, raise a threshold, little else.

A repository is written by whoever wrote it, and a clone must not choose who judges it, where code is sent or what a
run may cost. `POLICIES` holds one rule for every setting; a test compares it with the schema, and `docs/settings.md`
prints it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from bottega.settings.layers import KeyPath, Layer
from bottega.settings.local import is_local_model
from bottega.source.tree import is_below

_KEYED = frozenset({"openai", "anthropic"})
_BUILT_IN = _KEYED | {"ollama", "embedded", "scripted"}

Policy = Literal["free", "lower", "lower, 0 is none", "higher", "local model", "listed address", "trusted", "yours"]

WORDS: dict[Policy, str] = {
    "free": "any value",
    "lower": "a lower value than yours",
    "lower, 0 is none": "a lower ceiling than yours",
    "higher": "a higher value than yours",
    "local model": "a model on this machine, where you chose none",
    "listed address": "an address that your `trust.urls` lists",
    "trusted": "only when trusted",
    "yours": "never",
}

POLICIES: dict[str, Policy] = {
    "models.*": "local model",
    "models.overrides.*": "local model",
    "providers.*.kind": "listed address",
    "providers.*.base_url": "listed address",
    "providers.*.api_key_env": "yours",
    "providers.*.context_window": "trusted",
    "providers.*.concurrency": "trusted",
    "providers.*.timeout": "trusted",
    "providers.*.threads": "trusted",
    "budget.context_window": "lower",
    "budget.reserved_tokens": "trusted",
    "budget.safety": "higher",
    "limits.tokens": "lower, 0 is none",
    "limits.cost": "lower, 0 is none",
    "limits.minutes": "lower, 0 is none",
    "limits.retries": "lower",
    "index.vectors": "free",
    "write.pipeline": "trusted",
    "write.language": "free",
    "write.confidence_threshold": "higher",
    "write.conflict_threshold": "lower",
    "write.context_records": "lower",
    "ask.pipeline": "trusted",
    "ask.repositories": "yours",
    "review.pipeline": "trusted",
    "review.models": "trusted",
    "review.dismissal_days": "lower",
    "investigate.pipeline": "trusted",
    "investigate.max_directories": "lower, 0 is none",
    "investigate.max_turns": "lower, 0 is none",
    "history.max_entries": "trusted",
    "history.max_files": "trusted",
    "journal.keep_days": "trusted",
    "journal.keep_runs": "trusted",
    "pipelines.paths": "trusted",
    "sandbox.seconds": "lower",
    "sandbox.memory_mb": "lower",
    "sandbox.allow_unsafe": "yours",
    "trust.urls": "yours",
    "prices.*": "trusted",
}


@dataclass(frozen=True, slots=True)
class SetAside:
    """A value of a repository's settings that is not in force, and what would have been allowed."""

    path: KeyPath
    place: str
    policy: Policy

    @property
    def key(self) -> str:
        return ".".join(self.path)

    def __str__(self) -> str:
        return f"{self.place}: {self.key}"


@dataclass(frozen=True, slots=True)
class Ground:
    """What a repository's values are held against: the settings without them, as plain tables."""

    values: Mapping[str, Any]
    defaults: Mapping[str, Any]

    def value(self, path: KeyPath) -> Any:
        found = _at(self.values, path)
        return _at(self.defaults, path) if found is None else found

    @property
    def has_chosen_a_model(self) -> bool:
        return bool(self.values.get("models"))

    @property
    def listed_urls(self) -> tuple[str, ...]:
        urls = _at(self.values, ("trust", "urls"))
        return tuple(urls) if isinstance(urls, list | tuple) else ()


def policy_of(path: KeyPath) -> Policy | None:
    """The rule for a setting; `None` for a table, and for what is no setting."""
    names = [".".join(path)]
    if path[0] == "models" and len(path) > 1:
        if path == ("models", "overrides"):
            return None
        names = ["models.overrides.*" if path[1] == "overrides" else "models.*"]
    elif path[0] in {"providers", "prices"} and len(path) > 1:
        names = [".".join((path[0], "*", *path[2:])), f"{path[0]}.*"]
    return next((POLICIES[name] for name in names if name in POLICIES), None)


def narrow(layer: Layer, ground: Ground, *, is_trusted: bool) -> tuple[Layer, list[SetAside]]:
    """The part of a repository's layer that is in force, and the rest."""
    narrowing = _Narrowing(layer, ground, is_trusted=is_trusted)
    values = narrowing.select(layer.values, ())
    return Layer(layer.name, values, layer.lines, layer.trusted), narrowing.aside


class _Narrowing:
    def __init__(self, layer: Layer, ground: Ground, *, is_trusted: bool) -> None:
        self.aside: list[SetAside] = []
        self._layer = layer
        self._ground = ground
        self._is_trusted = is_trusted

    def select(self, values: Mapping[str, Any], at: KeyPath) -> dict[str, Any]:
        """The values of a table that are in force; the others are set aside."""
        allowed: dict[str, Any] = {}
        for key, value in values.items():
            path = (*at, key)
            policy = policy_of(path)
            if policy is None and isinstance(value, Mapping):
                allowed[key] = self.select(value, path)
            elif policy is None or self._is_in_force(policy, path, value):
                allowed[key] = value
            else:
                self.aside.append(SetAside(path, self._layer.place(path), policy))
        return allowed

    def _is_in_force(self, policy: Policy, path: KeyPath, value: Any) -> bool:
        if self._is_trusted:
            return not self._is_never(policy, path, value)
        if policy == "free":
            return True
        if policy == "local model":
            return self._is_free_local_choice(value)
        if policy == "listed address":
            return _is_listed(path, self._layer, self._ground)
        return _is_narrower(policy, self._ground.value(path), value)

    def _is_never(self, policy: Policy, path: KeyPath, value: Any) -> bool:
        """What even a trusted repository may not do: set what is the person's, move their servers, fake a model."""
        return (
            policy == "yours"
            or _is_redirection(path, self._ground)
            or _is_stand_in(path, value)
            or _leads_outside(path, value)
        )

    def _is_free_local_choice(self, value: Any) -> bool:
        return not self._ground.has_chosen_a_model and all(
            is_local_model(model, self._ground.values, self._layer.values) for model in _models_in(value)
        )


def _is_narrower(policy: Policy, mine: Any, value: Any) -> bool:
    if not _is_number(mine) or not _is_number(value):
        return False
    if policy == "higher":
        return bool(value >= mine)
    if policy == "lower":
        return bool(value <= mine)
    return policy == "lower, 0 is none" and value != 0 and (mine == 0 or value <= mine)


def _is_redirection(path: KeyPath, ground: Ground) -> bool:
    """Whether a server is moved that a key of the person's goes to."""
    if path[0] != "providers" or path[-1] not in {"kind", "base_url"}:
        return False
    name = path[1]
    is_theirs = _at(ground.values, ("providers", name)) is not None
    return name in _KEYED or is_theirs or (path[-1] == "kind" and name in _BUILT_IN)


def _leads_outside(path: KeyPath, value: Any) -> bool:
    """Whether pipelines are to be read from outside the repository, where nobody is shown them."""
    if path != ("pipelines", "paths") or not isinstance(value, list | tuple):
        return False
    return any(isinstance(place, str) and not is_below(place) for place in value)


def _is_stand_in(path: KeyPath, value: Any) -> bool:
    """Whether a model is no model at all: one that says what a file tells it to."""
    if path[0] == "providers":
        return path[-1] == "kind" and value in {"scripted", "replay"}
    return path[0] == "models" and any(model.partition("/")[0] in {"scripted", "replay"} for model in _models_in(value))


def _is_listed(path: KeyPath, layer: Layer, ground: Ground) -> bool:
    """A server that the person's own file lists, under a name that is not taken by one of theirs."""
    name = path[1]
    table = _at(layer.values, ("providers", name))
    url = table.get("base_url") if isinstance(table, Mapping) else None
    is_taken = name in _BUILT_IN
    is_theirs = _at(ground.values, ("providers", name)) is not None
    is_kind = path[-1] != "kind" or table is None or table.get("kind") in {"openai", "anthropic", "ollama"}
    return url in ground.listed_urls and not is_taken and not is_theirs and is_kind


def _models_in(value: Any) -> Iterator[str]:
    """Model ids in a choice: an id, a table with one, or tables of those."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        if isinstance(value.get("model"), str):
            yield value["model"]
        else:
            for inner in value.values():
                yield from _models_in(inner)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _at(values: Any, path: KeyPath) -> Any:
    for key in path:
        if not isinstance(values, Mapping):
            return None
        values = values.get(key)
    return values
