"""What each setting of a repository's file may do without trust; a test compares the table with the schema."""

from __future__ import annotations

from typing import Literal

from bottega.settings.layers import KeyPath

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
    "budget.context_share": "lower",
    "budget.context_tokens": "lower, 0 is none",
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


def policy_of(path: KeyPath) -> Policy | None:
    """The policy of a setting; `None` for a table and for an unknown key."""
    names = [".".join(path)]
    if path[0] == "models" and len(path) > 1:
        if path == ("models", "overrides"):
            return None
        names = ["models.overrides.*" if path[1] == "overrides" else "models.*"]
    elif path[0] in {"providers", "prices"} and len(path) > 1:
        names = [".".join((path[0], "*", *path[2:])), f"{path[0]}.*"]
    return next((POLICIES[name] for name in names if name in POLICIES), None)
