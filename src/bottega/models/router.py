"""Which model works for a role at a stage."""

from __future__ import annotations

from collections.abc import Callable

from bottega.errors import SettingsError
from bottega.models.config import DEFAULT_KEYS, DEFAULT_URLS, HOSTED_WINDOWS, ModelConfig
from bottega.settings import DEFAULT_MAX_TOKENS, ROLES, ModelChoice, Provider, Settings, is_loopback

WindowOf = Callable[[str], int | None]


class ModelRouter:
    """Stage override, then the role's model, then the default; otherwise an error that names `bottega init`."""

    def __init__(self, settings: Settings, *, window_of: WindowOf = lambda _: None) -> None:
        self._settings = settings
        self._window_of = window_of

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
        """A model by its id, tuned as where the settings first name it."""
        known = next((choice for choice in self.chosen().values() if choice.model == model), None)
        return self.configure(known or ModelChoice(model=model))

    def _default_window(self, model: str, kind: str, *, local: bool) -> int:
        """Memory bounds a window on this machine, the model bounds it elsewhere; never more than was probed."""
        usual = self._settings.budget.context_window
        window = usual if local else max(usual, HOSTED_WINDOWS.get(kind, usual))
        return min(window, self._window_of(model) or window)

    def chosen(self) -> dict[str, ModelChoice]:
        """Every choice the settings make, by role or stage."""
        models = self._settings.models
        named = {role: getattr(models, role) for role in ("default", *ROLES)}
        return {**{role: choice for role, choice in named.items() if choice}, **models.overrides}

    def configure(self, choice: ModelChoice) -> ModelConfig:
        provider, _, name = choice.model.partition("/")
        place = self._settings.providers.get(provider, Provider())
        kind = place.kind or provider
        url = place.base_url or DEFAULT_URLS.get(kind, "")
        local = kind in {"embedded", "scripted"} or is_loopback(url)
        window = choice.context_window or place.context_window or self._default_window(choice.model, kind, local=local)
        return ModelConfig(
            model=name,
            provider=provider,
            kind=kind,
            base_url=url,
            api_key_env=place.api_key_env or DEFAULT_KEYS.get(provider, ""),
            temperature=choice.temperature,
            max_tokens=choice.max_tokens or min(DEFAULT_MAX_TOKENS, window // 2),
            context_window=window,
            timeout=place.timeout,
            concurrency=place.concurrency or (1 if local else 4),
            threads=place.threads,
        )
