from __future__ import annotations

import pytest

from .places import Places
from .refusals import A_CHOICE, Refusal, assert_refused, see

MODEL_ID = 'A model id reads "provider/model", for example "ollama/qwen2.5-coder:7b".'
TOP_LEVEL = (
    "Known here: models, providers, budget, limits, index, write, ask, review, investigate, history, journal,"
    " pipelines, sandbox, trust, prices."
)

UNKNOWN_KEYS = [
    Refusal("modles = 1", "bottega.toml:1: modles: no such setting", "Did you mean models?"),
    Refusal("[modles]\n", "bottega.toml:1: modles: no such setting", "Did you mean models?"),
    Refusal("zzz.yyy.xxx = 1", "bottega.toml:1: zzz: no such setting", TOP_LEVEL),
    Refusal('[models]\ncodding = "a/b"', "bottega.toml:2: models.codding: no such setting", "Did you mean coding?"),
    Refusal(
        f"{A_CHOICE}temprature = 1",
        "bottega.toml:3: models.coding.temprature: no such setting",
        "Did you mean temperature?",
    ),
    Refusal(
        '\n[models.overrides.write.judge]\nmodel = "a/b"\n# why\nmax_tokns = 1',
        "bottega.toml:5: models.overrides.write.judge.max_tokns: no such setting",
        "Did you mean max_tokens?",
    ),
    Refusal(
        '[providers.mine]\nbase_ulr = "http://x"',
        "bottega.toml:2: providers.mine.base_ulr: no such setting",
        "Did you mean base_url?",
    ),
    Refusal(
        "[providers.kind]\nzzz = 1",
        "bottega.toml:2: providers.kind.zzz: no such setting",
        "Known here: kind, base_url, api_key_env, context_window, concurrency, timeout, threads.",
    ),
    Refusal(
        '[providers.mine]\napi_key = "sk-1"',
        "bottega.toml:2: providers.mine.api_key: no such setting",
        "Keys are never written to settings: put the key in a variable and name it with api_key_env.",
    ),
    Refusal(
        '[prices."a/b"]\ninput = 1\noutput = 1\nout = 1',
        "bottega.toml:4: prices.a/b.out: no such setting",
        "Did you mean output?",
    ),
    Refusal("[journal]\nzzz = 1", "bottega.toml:2: journal.zzz: no such setting", "Known here: keep_days, keep_runs."),
    Refusal(
        "[write.deep]\na = 1",
        "bottega.toml:1: write.deep: no such setting",
        "Known here: pipeline, language, confidence_threshold, conflict_threshold, context_records.",
    ),
]

MODEL_IDS = [
    Refusal(
        '[models]\ndefault = "gpt-5"', "bottega.toml:2: models.default: is not a model id (given: 'gpt-5')", MODEL_ID
    ),
    Refusal('[models]\njudge = "/x"', "bottega.toml:2: models.judge: is not a model id (given: '/x')", MODEL_ID),
    Refusal('[models]\njudge = "a b/c"', "bottega.toml:2: models.judge: is not a model id (given: 'a b/c')", MODEL_ID),
    Refusal(
        '[models.coding]\nmodel = "x"', "bottega.toml:2: models.coding.model: is not a model id (given: 'x')", MODEL_ID
    ),
    Refusal(
        '[models.overrides]\n"write.judge" = "x"',
        "bottega.toml:2: models.overrides.write.judge: is not a model id (given: 'x')",
        MODEL_ID,
    ),
    Refusal(
        '[models.overrides]\na.b = "a/b"\nwrite.judge = "x"',
        "bottega.toml:3: models.overrides.write.judge: is not a model id (given: 'x')",
        MODEL_ID,
    ),
    Refusal(
        "[models.coding]\ntemperature = 1",
        "bottega.toml:1: models.coding.model: is required",
        see("models.coding.model"),
    ),
    Refusal(
        "[models]\noverrides = {judge = {}}",
        "bottega.toml:2: models.overrides.judge.model: is required",
        see("models.overrides.judge.model"),
    ),
    Refusal(
        "[models.overrides.write.judge]\ntemperature = 1",
        "bottega.toml:1: models.overrides.write.judge.model: is required",
        see("models.overrides.write.judge.model"),
    ),
]


@pytest.mark.parametrize("refusal", UNKNOWN_KEYS, ids=lambda refusal: refusal.toml)
def test_an_unknown_key_is_refused_with_file_line_and_a_suggestion(places: Places, refusal: Refusal) -> None:
    assert_refused(places, refusal)


@pytest.mark.parametrize("refusal", MODEL_IDS, ids=lambda refusal: refusal.toml)
def test_what_is_no_model_is_refused_with_an_example_of_one(places: Places, refusal: Refusal) -> None:
    assert_refused(places, refusal)
