"""The cost of a call in US dollars; None when it is unknown, never 0."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources

from bottega.models.config import ModelConfig
from bottega.models.providers import is_local
from bottega.models.request import Usage
from bottega.settings import Price


def cost(config: ModelConfig, usage: Usage, prices: Mapping[str, Price]) -> float | None:
    price = price_of(config, prices)
    if price is None or usage.prompt_tokens is None or usage.completion_tokens is None:
        return None
    return (usage.prompt_tokens * price.input + usage.completion_tokens * price.output) / 1_000_000


def price_of(config: ModelConfig, prices: Mapping[str, Price]) -> Price | None:
    """The price in the settings, else in our table, else 0 for a model on this machine."""
    price = prices.get(config.id) or _load_prices().get(config.id) or _load_prices().get(_strip_date(config.id))
    if price is None and is_local(config.protocol, config.base_url):
        return Price(input=0, output=0)
    return price


def _strip_date(model: str) -> str:
    """`claude-sonnet-4-5-20250929` is priced as `claude-sonnet-4-5`."""
    head, _, tail = model.rpartition("-")
    return head if tail.isdigit() and len(tail) == 8 else model


@cache
def _load_prices() -> dict[str, Price]:
    text = (resources.files("bottega.models") / "prices.toml").read_text(encoding="utf-8")
    return {model: Price.model_validate(table) for model, table in tomllib.loads(text).items()}
