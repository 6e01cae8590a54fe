"""Settings: read once at the door, validated by one schema, handed inwards as values."""

from bottega.settings.layers import user_settings_file
from bottega.settings.load import Loaded, is_loopback, load_settings
from bottega.settings.schema import (
    DEFAULT_CONTEXT_WINDOW,
    DEFAULT_MAX_TOKENS,
    ROLES,
    Budget,
    Limits,
    ModelChoice,
    Models,
    Price,
    Provider,
    Settings,
)
from bottega.settings.template import reference, template

__all__ = [
    "DEFAULT_CONTEXT_WINDOW",
    "DEFAULT_MAX_TOKENS",
    "ROLES",
    "Budget",
    "Limits",
    "Loaded",
    "ModelChoice",
    "Models",
    "Price",
    "Provider",
    "Settings",
    "is_loopback",
    "load_settings",
    "reference",
    "template",
    "user_settings_file",
]
