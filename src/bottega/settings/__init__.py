"""Settings: read once at the door, validated by one schema, handed inwards as values."""

from bottega.settings.layers import user_settings_file
from bottega.settings.load import REPOSITORY_FILES, Loaded, load_settings
from bottega.settings.local import is_loopback
from bottega.settings.narrowing import POLICIES, WORDS, SetAside, policy_of
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
from bottega.settings.trust import Covered, TrustStore

__all__ = [
    "DEFAULT_CONTEXT_WINDOW",
    "DEFAULT_MAX_TOKENS",
    "POLICIES",
    "REPOSITORY_FILES",
    "ROLES",
    "WORDS",
    "Budget",
    "Covered",
    "Limits",
    "Loaded",
    "ModelChoice",
    "Models",
    "Price",
    "Provider",
    "SetAside",
    "Settings",
    "TrustStore",
    "is_loopback",
    "load_settings",
    "policy_of",
    "reference",
    "template",
    "user_settings_file",
]
