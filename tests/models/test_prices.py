"""What a call costs; unknown is None, never 0."""

from __future__ import annotations

import pytest

from bottega.models import ModelConfig, Usage
from bottega.models.prices import cost, price_of
from bottega.settings import Price

AWAY = "https://models.example/v1"


def config(model: str, base_url: str = AWAY, kind: str = "") -> ModelConfig:
    provider, _, name = model.partition("/")
    return ModelConfig(name, provider, kind=kind, base_url=base_url)


def test_a_listed_model_costs_what_the_table_says() -> None:
    assert price_of(config("openai/gpt-4o-mini"), {}) == Price(input=0.15, output=0.6)
    assert cost(config("openai/gpt-4o-mini"), Usage(1_000_000, 2_000_000), {}) == pytest.approx(1.35)


def test_a_dated_name_costs_what_the_name_without_its_date_costs() -> None:
    dated, plain = "anthropic/claude-sonnet-4-5-20250929", "anthropic/claude-sonnet-4-5"
    assert price_of(config(dated), {}) == price_of(config(plain), {}) is not None


def test_the_persons_own_table_comes_first() -> None:
    own = {"openai/gpt-4o-mini": Price(input=9, output=9), "away/m": Price(input=0, output=0)}
    assert price_of(config("openai/gpt-4o-mini"), own) == own["openai/gpt-4o-mini"]
    assert cost(config("away/m"), Usage(10, 10), own) == 0.0


def test_an_unknown_model_elsewhere_has_no_price() -> None:
    assert price_of(config("away/m"), {}) is None
    assert cost(config("away/m"), Usage(10, 10), {}) is None


@pytest.mark.parametrize(
    "free",
    [
        config("ollama/qwen3", "http://127.0.0.1:11434"),
        config("lmstudio/m", "http://localhost:1234/v1"),
        config("here/m", "http://[::1]:8000/v1"),
        config("embedded/qwen2.5-coder-1.5b", ""),
        config("scripted/x.yaml", ""),
    ],
    ids=lambda free: free.id,
)
def test_a_model_on_this_machine_is_free(free: ModelConfig) -> None:
    assert cost(free, Usage(10, 10), {}) == 0.0


@pytest.mark.parametrize("usage", [Usage(), Usage(10, None), Usage(None, 10)])
def test_a_price_without_a_count_is_no_cost(usage: Usage) -> None:
    assert cost(config("openai/gpt-4o"), usage, {}) is None
