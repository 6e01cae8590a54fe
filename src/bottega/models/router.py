"""Choose the model for a role at a stage, and complete its configuration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bottega.errors import SettingsError
from bottega.models.config import ModelConfig
from bottega.models.providers import PROVIDERS, defaults_of, is_local
from bottega.settings import DEFAULT_MAX_TOKENS, ROLES, ModelChoice, Provider, Settings, is_loopback

WindowOf = Callable[[str], int | None]
ServedWindow = Callable[[ModelConfig], int | None]


class ModelRouter:
    """The stage's override, else the role's model, else the default, else a `SettingsError`.

    `window_of` gives the longest window that a model was found to support, `served_window` the one that a server on
    this machine serves it with.
    """

    def __init__(
        self,
        settings: Settings,
        *,
        window_of: WindowOf = lambda _: None,
        served_window: ServedWindow = lambda _: None,
    ) -> None:
        self._settings = settings
        self._window_of = window_of
        self._served_window = served_window

    def resolve(self, role: str, stage: str | None = None) -> ModelConfig:
        models = self._settings.models
        choice: ModelChoice | None = models.overrides.get(stage or "")
        choice = choice or getattr(models, role, None) or models.default
        if choice is None:
            raise SettingsError(
                f"no model is set for the role {role}", hint="Run `bottega init`, or pass --model provider/model."
            )
        return self.configure(choice)

    def named(self, model: str) -> ModelConfig:
        """The configuration of a model by its id, with the options of the first place in the settings that names it."""
        known = next((choice for choice in self.list_choices().values() if choice.model == model), None)
        return self.configure(known or ModelChoice(model=model))

    def _default_window(self, model: str, kind: str, *, is_server_here: bool) -> int:
        """The provider's window, but on a local server what memory allows; at most the length that was probed."""
        usual = self._settings.budget.context_window
        own = defaults_of(kind).context_window
        window = usual if own is None or is_server_here else max(usual, own)
        return min(window, self._window_of(model) or window)

    def list_choices(self) -> dict[str, ModelChoice]:
        """Every choice the settings make, by role or stage."""
        models = self._settings.models
        named = {role: getattr(models, role) for role in ("default", *ROLES)}
        return {**{role: choice for role, choice in named.items() if choice}, **models.overrides}

    def configure(self, choice: ModelChoice) -> ModelConfig:
        provider, _, name = choice.model.partition("/")
        place = self._settings.providers.get(provider, Provider())
        kind = place.kind or provider
        url = place.base_url or defaults_of(kind).base_url
        local = is_local(kind, url)
        is_here = is_loopback(url)
        chosen = choice.context_window or place.context_window
        window = chosen or self._default_window(choice.model, kind, is_server_here=is_here)
        config = ModelConfig(
            model=name,
            provider=provider,
            kind=kind,
            base_url=url,
            api_key_env=place.api_key_env or _default_key(provider, kind),
            temperature=choice.temperature,
            max_tokens=choice.max_tokens or _get_longest_reply(window),
            context_window=window,
            timeout=place.timeout,
            concurrency=place.concurrency or (1 if local else 4),
            threads=place.threads,
        )
        served = self._served_window(config) if is_here and not chosen else None
        if served is None:
            return config
        return replace(config, context_window=served, max_tokens=choice.max_tokens or _get_longest_reply(served))


def _get_longest_reply(window: int) -> int:
    return min(DEFAULT_MAX_TOKENS, window // 2)


def _default_key(provider: str, kind: str) -> str:
    """The variable of the key. A provider under another name is another server, which must not be sent this key."""
    is_own_name = provider == kind or provider in PROVIDERS
    return defaults_of(provider).api_key_env if is_own_name else ""
