"""Secrets in text: a table of their formats, a detector that finds them, and a masker that replaces them."""

from __future__ import annotations

from bottega.source.secrets.detect import MARK, Secret, find_secrets, mask_secrets, masking_kind
from bottega.source.secrets.envfiles import EnvAssignment, env_assignments, is_env_file
from bottega.source.secrets.keys import ANCHORS as KEY_LITERALS
from bottega.source.secrets.masker import NO_VALUES, EnvValues, Masker
from bottega.source.secrets.names import entropy, is_placeholder, is_reference, is_words, names_another_thing
from bottega.source.secrets.strength import NAME_LITERALS, is_secret_value
from bottega.source.secrets.table import Rule, load_rules

__all__ = [
    "KEY_LITERALS",
    "MARK",
    "NAME_LITERALS",
    "NO_VALUES",
    "EnvAssignment",
    "EnvValues",
    "Masker",
    "Rule",
    "Secret",
    "entropy",
    "env_assignments",
    "find_secrets",
    "is_env_file",
    "is_placeholder",
    "is_reference",
    "is_secret_value",
    "is_words",
    "load_rules",
    "mask_secrets",
    "masking_kind",
    "names_another_thing",
]
