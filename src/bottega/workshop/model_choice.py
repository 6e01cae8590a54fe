"""Which model works here where the settings name none: what is found on this machine, and shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from bottega.errors import SettingsError
from bottega.models import Roster
from bottega.settings import ModelChoice, Provider, Settings, is_loopback

Remark = Callable[[str], None]


def names_model(settings: Settings) -> bool:
    """Whether any role has a model."""
    models = settings.models
    return any(getattr(models, role) for role in type(models).model_fields if role != "overrides")


def add_found_model(settings: Settings, environ: Mapping[str, str], remark: Remark) -> Settings:
    """The settings with the first model found on this machine as their default, or as they are where none is."""
    from bottega.models.detect import detect  # the HTTP client is loaded only where nothing is configured

    found = next(iter(detect(settings, environ)), None)
    if found is None:
        return settings
    choice = {
        "model": found.model,
        "where": found.where,
        "provider": found.provider,
        "kind": found.kind,
        "base_url": found.base_url,
    }
    remark(f"using {found.model} ({found.where})")
    return with_default_model(settings, choice)


def with_default_model(settings: Settings, choice: Mapping[str, str]) -> Settings:
    models = settings.models.model_copy(update={"default": ModelChoice(model=choice["model"])})
    providers = dict(settings.providers)
    if choice["provider"]:
        server = {"kind": choice["kind"], "base_url": choice["base_url"]}
        providers[choice["provider"]] = Provider.model_validate(server)
    return settings.model_copy(update={"models": models, "providers": providers})


def require_model(roster: Roster, remark: Remark) -> None:
    """Open every configured model before a run is begun, and say which of them are not on this machine."""
    if not roster.router.list_choices():
        raise SettingsError(
            "no model is configured, and none was found on this machine",
            hint="`bottega models pull` brings an embedded one (1.1 GB); or start Ollama; or pass --model.",
        )
    for config in {roster.router.configure(choice) for choice in roster.router.list_choices().values()}:
        roster.model(config)
        if config.base_url and not is_loopback(config.base_url):
            remark(f"{config.id} answers at {config.base_url}: requests leave this machine")
