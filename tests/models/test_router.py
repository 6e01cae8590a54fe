"""Which model works for a role at a stage, and with what it is configured."""

from __future__ import annotations

from typing import Any

import pytest

from bottega.errors import SettingsError
from bottega.models import Model, ModelRouter, Roster, ServedWindows, open_model
from bottega.models.config import ModelConfig
from bottega.settings import ROLES, Settings
from bottega.testing import ScriptedModel, ScriptedServer, ServedModel


def router(models: dict[str, Any], windows: dict[str, int] | None = None, **rest: Any) -> ModelRouter:
    settings = Settings.model_validate({"models": models, **rest})
    return ModelRouter(settings, window_of=(windows or {}).get)


ALL = {"default": "a/default", "judge": "a/judge", "overrides": {"write.judge": "a/stage"}}


@pytest.mark.parametrize(
    ("role", "stage", "chosen"),
    [
        ("judge", "write.judge", "a/stage"),
        ("coding", "write.judge", "a/stage"),
        ("judge", "review.judge", "a/judge"),
        ("judge", None, "a/judge"),
        ("coding", None, "a/default"),
        ("translator", "write.judge.more", "a/default"),
    ],
)
def test_the_stage_comes_before_the_role_and_the_role_before_the_default(
    role: str, stage: str | None, chosen: str
) -> None:
    assert router(ALL).resolve(role, stage).id == chosen


@pytest.mark.parametrize("role", ROLES)
def test_every_role_can_have_a_model_of_its_own(role: str) -> None:
    assert router({"default": "a/default", role: "a/own"}).resolve(role).id == "a/own"


def test_no_model_is_an_error_that_names_the_way_out() -> None:
    with pytest.raises(SettingsError, match="no model is set for the role judge") as caught:
        router({"coding": "a/coder"}).resolve("judge")
    assert "`bottega init`" in caught.value.hint
    assert "--model" in caught.value.hint


def test_every_choice_can_be_listed() -> None:
    named = {name: choice.model for name, choice in router(ALL).list_choices().items()}
    assert named == {"default": "a/default", "judge": "a/judge", "write.judge": "a/stage"}


def test_a_name_may_hold_slashes_and_tags() -> None:
    config = router({"default": "away/org/model:7b-q4"}, providers={"away": {"kind": "openai"}}).resolve("coding")
    assert (config.provider, config.model, config.protocol) == ("away", "org/model:7b-q4", "openai")


@pytest.mark.parametrize(
    ("provider", "url", "key", "at_once"),
    [
        ("ollama", "http://127.0.0.1:11434", "", 1),
        ("openai", "https://api.openai.com/v1", "OPENAI_API_KEY", 4),
        ("anthropic", "https://api.anthropic.com", "ANTHROPIC_API_KEY", 4),
        ("embedded", "", "", 1),
    ],
)
def test_known_providers_need_no_settings(provider: str, url: str, key: str, at_once: int) -> None:
    config = router({"default": f"{provider}/m"}).resolve("coding")
    assert (config.base_url, config.api_key_env, config.concurrency) == (url, key, at_once)


def test_settings_of_a_provider_are_handed_on() -> None:
    place = {"kind": "ollama", "base_url": "http://10.0.0.9:1", "api_key_env": "K", "timeout": 7, "threads": 3}
    config = router({"default": "attic/m"}, providers={"attic": place}).resolve("coding")
    assert (config.base_url, config.api_key_env, config.timeout, config.threads) == ("http://10.0.0.9:1", "K", 7, 3)
    assert config.concurrency == 4


def test_the_nearest_word_on_the_window_counts() -> None:
    choice = {"model": "a/m", "context_window": 1000}
    place = {"a": {"context_window": 2000}}
    known = {"a/m": 4000}
    budget = {"context_window": 6000}
    assert router({"default": choice}, known, providers=place, budget=budget).resolve("coding").context_window == 1000
    assert router({"default": "a/m"}, known, providers=place, budget=budget).resolve("coding").context_window == 2000
    assert router({"default": "a/m"}, known, budget=budget).resolve("coding").context_window == 4000
    assert router({"default": "a/m"}, {}, budget=budget).resolve("coding").context_window == 6000
    assert router({"default": "a/m"}).resolve("coding").context_window == 8192


def test_a_reply_takes_at_most_half_the_window_unless_told() -> None:
    assert router({"default": "a/m"}).resolve("coding").max_tokens == 2048
    assert router({"default": {"model": "a/m", "context_window": 1000}}).resolve("coding").max_tokens == 500
    told = {"model": "a/m", "context_window": 1000, "max_tokens": 900, "temperature": 0.5}
    config = router({"default": told}).resolve("coding")
    assert (config.max_tokens, config.temperature) == (900, 0.5)


def test_an_unknown_provider_is_told_with_the_known_ones() -> None:
    with pytest.raises(SettingsError, match="there is no provider nobody") as caught:
        open_model(ModelConfig("m", "nobody"), {})
    assert "ollama, openai, anthropic, embedded, scripted" in caught.value.hint
    assert "[providers.nobody]" in caught.value.hint


def test_roles_that_differ_in_tuning_alone_share_one_model() -> None:
    made: list[str] = []

    def opened(config: ModelConfig) -> Model:
        made.append(config.id)
        return ScriptedModel(["hello"])

    choices = {
        "coding": {"model": "embedded/m"},
        "judge": {"model": "embedded/m", "temperature": 0.3, "max_tokens": 99},
    }
    roster = Roster(ModelRouter(Settings.model_validate({"models": choices})), open_model=opened)
    assert roster.model(roster.router.resolve("coding")) is roster.model(roster.router.resolve("judge"))
    assert made == ["embedded/m"]


@pytest.mark.parametrize(
    ("url", "chosen", "window"),
    [
        ("http://127.0.0.1:8000/v1", None, 32768),
        ("http://127.0.0.1:8000/v1", 4096, 4096),
        ("http://10.0.0.9:8000/v1", None, 128_000),
    ],
)
def test_a_server_on_this_machine_says_the_window_where_nothing_is_chosen(
    url: str, chosen: int | None, window: int
) -> None:
    place = {"kind": "openai", "base_url": url, "context_window": chosen}
    settings = Settings.model_validate({"models": {"default": "here/m"}, "providers": {"here": place}})
    config = ModelRouter(settings, served_window=lambda _: 32768).resolve("coding")
    assert config.context_window == window
    assert config.max_tokens == 2048


def test_the_window_is_asked_from_the_server_once() -> None:
    with ScriptedServer([], models=[ServedModel("m", context_length=20_000)]) as server:
        windows = ServedWindows(open_model)
        configs = [ModelConfig("m", "here", kind="openai", base_url=f"{server.url}/v1") for _ in range(2)]
        assert [windows.find(config) for config in configs] == [20_000, 20_000]
        assert len(server.requests) == 1
        ollama = ModelConfig("m", "ollama", base_url=server.url)
        assert windows.find(ollama) is None  # the longest window that the model supports is not what memory allows
    with ScriptedServer([], models=[ServedModel("m", num_ctx=12_288)]) as server:
        assert windows.find(ModelConfig("m", "ollama", base_url=server.url)) == 12_288
    assert windows.find(ModelConfig("m", "gone", kind="openai", base_url=f"{server.url}/v1")) is None
