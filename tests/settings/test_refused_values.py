from __future__ import annotations

import pytest

from bottega.errors import SettingsError

from .places import Places
from .refusals import A_CHOICE, Refusal, assert_refused, see

WRONG_TYPES = [
    Refusal("models = 3", "bottega.toml:1: models: should be a table (given: 3)", see("models")),
    Refusal("[[models]]\n", "bottega.toml:1: models: should be a table", see("models")),
    Refusal("[providers]\nx = 3", "bottega.toml:2: providers.x: should be a table (given: 3)", see("providers.x")),
    Refusal(
        "[models]\noverrides = 3",
        "bottega.toml:2: models.overrides: should be a table (given: 3)",
        see("models.overrides"),
    ),
    Refusal(
        "[models]\ncoding = 3",
        "bottega.toml:2: models.coding: should be a model id or a table (given: 3)",
        see("models.coding"),
    ),
    Refusal(
        '[limits]\ntokens = "many"',
        "bottega.toml:2: limits.tokens: input should be a valid integer (given: 'many')",
        see("limits.tokens"),
    ),
    Refusal(
        "[limits]\ntokens = true",
        "bottega.toml:2: limits.tokens: input should be a valid integer (given: True)",
        see("limits.tokens"),
    ),
    Refusal(
        "[limits]\ntokens = 1.5",
        "bottega.toml:2: limits.tokens: input should be a valid integer (given: 1.5)",
        see("limits.tokens"),
    ),
    Refusal(
        '[limits]\ncost = "1"',
        "bottega.toml:2: limits.cost: input should be a valid number (given: '1')",
        see("limits.cost"),
    ),
    Refusal(
        "[write]\nlanguage = 3",
        "bottega.toml:2: write.language: input should be a valid string (given: 3)",
        see("write.language"),
    ),
    Refusal(
        '[pipelines]\npaths = "here"',
        "bottega.toml:2: pipelines.paths: should be a list (given: 'here')",
        see("pipelines.paths"),
    ),
    Refusal(
        '[pipelines]\npaths = ["a", 1]',
        "bottega.toml:2: pipelines.paths: input should be a valid string (given: 1)",
        see("pipelines.paths"),
    ),
]

RANGES = [
    Refusal(
        "[budget]\ncontext_window = 0",
        "bottega.toml:2: budget.context_window: input should be greater than 0 (given: 0)",
        see("budget.context_window"),
    ),
    Refusal(
        "[providers.x]\ncontext_window = 0",
        "bottega.toml:2: providers.x.context_window: input should be greater than 0 (given: 0)",
        see("providers.x.context_window"),
    ),
    Refusal(
        f"{A_CHOICE}context_window = 0",
        "bottega.toml:3: models.coding.context_window: input should be greater than 0 (given: 0)",
        see("models.coding.context_window"),
    ),
    Refusal(
        "[limits]\ntokens = -1",
        "bottega.toml:2: limits.tokens: input should be greater than or equal to 0 (given: -1)",
        see("limits.tokens"),
    ),
    Refusal(
        "[limits]\ncost = nan",
        "bottega.toml:2: limits.cost: input should be greater than or equal to 0 (given: nan)",
        see("limits.cost"),
    ),
    Refusal(
        '[providers.x]\nkind = "olama"',
        "bottega.toml:2: providers.x.kind: input should be 'ollama', 'openai', 'anthropic', 'embedded' or 'scripted'"
        " (given: 'olama')",
        see("providers.x.kind"),
    ),
    Refusal(
        '[index]\nvectors = "asked"',
        "bottega.toml:2: index.vectors: input should be 'background' or 'manual' (given: 'asked')",
        "'asked' is called 'manual' now.",
    ),
    Refusal('[prices."a/b"]\ninput = 1', "bottega.toml:1: prices.a/b.output: is required", see("prices.a/b.output")),
]

BUDGETS = [
    Refusal(
        "[budget]\nsafety = 1.2\nreserved_tokens = 8192",
        "bottega.toml:3: budget.reserved_tokens: reserved_tokens (8192) must be under context_window (8192)",
        see("budget.reserved_tokens"),
    ),
    Refusal(
        "[budget]\nsafety = 1.2\ncontext_window = 2000",
        "bottega.toml:3: budget.context_window: reserved_tokens (3072) must be under context_window (2000)",
        see("budget.context_window"),
    ),
    Refusal(
        f"{A_CHOICE}max_tokens = 8192",
        "bottega.toml:3: models.coding.max_tokens: max_tokens (8192) must be under its window (8192)",
        see("models.coding.max_tokens"),
    ),
    Refusal(
        f"{A_CHOICE}max_tokens = 100\ncontext_window = 100",
        "bottega.toml:3: models.coding.max_tokens: max_tokens (100) must be under its window (100)",
        see("models.coding.max_tokens"),
    ),
    Refusal(
        f"{A_CHOICE}max_tokens = 100\n[providers.ollama]\ncontext_window = 100",
        "bottega.toml:3: models.coding.max_tokens: max_tokens (100) must be under its window (100)",
        see("models.coding.max_tokens"),
    ),
    Refusal(
        '[models.overrides."write.judge"]\nmodel = "a/b"\nmax_tokens = 9000',
        "bottega.toml:3: models.overrides.write.judge.max_tokens: max_tokens (9000) must be under its window (8192)",
        see("models.overrides.write.judge.max_tokens"),
    ),
    Refusal(
        '[models.overrides.write.judge]\nmodel = "a/b"\nmax_tokens = 9000',
        "bottega.toml:3: models.overrides.write.judge.max_tokens: max_tokens (9000) must be under its window (8192)",
        see("models.overrides.write.judge.max_tokens"),
    ),
]


@pytest.mark.parametrize("refusal", WRONG_TYPES, ids=lambda refusal: refusal.toml)
def test_a_wrong_type_is_refused_with_what_was_given(places: Places, refusal: Refusal) -> None:
    assert_refused(places, refusal)


@pytest.mark.parametrize("refusal", RANGES, ids=lambda refusal: refusal.toml)
def test_an_impossible_value_is_refused_with_what_is_possible(places: Places, refusal: Refusal) -> None:
    assert_refused(places, refusal)


@pytest.mark.parametrize("refusal", BUDGETS, ids=lambda refusal: refusal.toml)
def test_budgets_that_cannot_close_are_refused_where_they_were_set(places: Places, refusal: Refusal) -> None:
    assert_refused(places, refusal)


def test_a_wider_window_of_its_own_makes_room_for_a_reply(places: Places) -> None:
    places.repository(f"{A_CHOICE}max_tokens = 9000\ncontext_window = 20000\n")
    coding = places.load().settings.models.coding
    assert coding
    assert coding.max_tokens == 9000


def test_the_source_that_brought_the_mistake_is_named_not_the_last_one(places: Places) -> None:
    places.person("[budget]\ncontext_window = 2000\n").repository("[budget]\nsafety = 1.2\n")
    with pytest.raises(SettingsError) as caught:
        places.load({"BOTTEGA_BUDGET_SAFETY": "1.3"})
    assert str(caught.value).startswith(f"{places.person_file}:2: budget.context_window: ")
