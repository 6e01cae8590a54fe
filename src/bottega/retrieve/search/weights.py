"""Load the weights of the signals."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources


@cache
def load_weights(kind: str) -> Mapping[str, float]:
    """The weights for "short" or "long" queries."""
    text = resources.files(__package__).joinpath("weights.toml").read_text(encoding="utf-8")
    return {name: float(value) for name, value in tomllib.loads(text)[kind].items()}
