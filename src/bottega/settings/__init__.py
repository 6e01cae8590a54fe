"""Settings: read once at the start of a call, validated by one schema, passed on as values."""

from bottega.settings.layers import user_settings_file
from bottega.settings.load import REPOSITORY_FILES, LoadedSettings, load_settings
from bottega.settings.local import is_loopback
from bottega.settings.model_settings import ROLES, ModelChoice, Models, Provider
from bottega.settings.narrowing import IgnoredSetting
from bottega.settings.policies import POLICIES, WORDS, policy_of
from bottega.settings.providers import (
    BUILT_IN,
    ENTRY_POINT_GROUP,
    ProviderDefaults,
    outside_providers,
    provider_names,
)
from bottega.settings.schema import (
    DEFAULT_CONTEXT_WINDOW,
    DEFAULT_MAX_TOKENS,
    Budget,
    Limits,
    Price,
    Settings,
)
from bottega.settings.template import reference, template
from bottega.settings.trust import TrustedFiles, TrustStore
from bottega.settings.user_files import USER_PREFIX, UserFiles

__all__ = [
    "BUILT_IN",
    "DEFAULT_CONTEXT_WINDOW",
    "DEFAULT_MAX_TOKENS",
    "ENTRY_POINT_GROUP",
    "POLICIES",
    "REPOSITORY_FILES",
    "ROLES",
    "USER_PREFIX",
    "WORDS",
    "Budget",
    "IgnoredSetting",
    "Limits",
    "LoadedSettings",
    "ModelChoice",
    "Models",
    "Price",
    "Provider",
    "ProviderDefaults",
    "Settings",
    "TrustStore",
    "TrustedFiles",
    "UserFiles",
    "is_loopback",
    "load_settings",
    "outside_providers",
    "policy_of",
    "provider_names",
    "reference",
    "template",
    "user_settings_file",
]
