from __future__ import annotations

import pytest

from bottega.errors import SettingsError
from bottega.settings import ROLES, ModelChoice, Settings, user_settings_file

from .places import Places


def test_nothing_written_means_the_defaults(places: Places) -> None:
    loaded = places.load()
    assert loaded.settings == Settings()
    assert loaded.origins == {}
    assert loaded.files == ()


def test_each_key_comes_from_the_last_source_that_sets_it_and_says_which(places: Places) -> None:
    places.person("[limits]\ntokens = 1\nretries = 1\nminutes = 1\ncost = 1.0\n")
    places.repository("# ours\n[limits]\nretries = 2\nminutes = 2\ncost = 2.0\n")
    places.trust()
    environ = {"BOTTEGA_LIMITS_MINUTES": "3", "BOTTEGA_LIMITS_COST": "3"}
    loaded = places.load(environ, assignments=["limits.cost = 4"])
    limits = loaded.settings.limits
    assert (limits.tokens, limits.retries, limits.minutes, limits.cost) == (1, 2, 3.0, 4.0)
    shown = {".".join(path): origin for path, origin in loaded.origins.items()}
    assert shown == {
        "limits": "--set limits.cost",
        "limits.tokens": f"{places.person_file}:2",
        "limits.retries": "bottega.toml:3",
        "limits.minutes": "BOTTEGA_LIMITS_MINUTES",
        "limits.cost": "--set limits.cost",
    }
    assert loaded.files == (str(places.person_file), "bottega.toml")


def test_the_later_of_two_flags_wins(places: Places) -> None:
    loaded = places.load(assignments=["limits.tokens=1", "limits.tokens=2"])
    assert loaded.settings.limits.tokens == 2


def test_tables_of_two_files_are_joined_key_by_key(places: Places) -> None:
    places.person('[providers.mine]\nbase_url = "https://models.example.com"\napi_key_env = "MINE"\n')
    places.repository("[providers.mine]\ntimeout = 5\n[providers.other]\nconcurrency = 2\n")
    providers = places.trust().load().settings.providers
    assert (providers["mine"].base_url, providers["mine"].api_key_env) == ("https://models.example.com", "MINE")
    assert (providers["mine"].timeout, providers["other"].concurrency) == (5.0, 2)


def test_a_model_id_replaces_a_whole_table_and_its_origins(places: Places) -> None:
    places.person('[models.coding]\nmodel = "ollama/a"\ntemperature = 1.0\n')
    places.repository('[models]\ncoding = "ollama/b"\n')
    loaded = places.trust().load()
    assert loaded.settings.models.coding == ModelChoice(model="ollama/b")
    assert {path: origin for path, origin in loaded.origins.items() if "coding" in path} == {
        ("models", "coding"): "bottega.toml:2"
    }


def test_a_table_replaces_a_model_id(places: Places) -> None:
    places.person('[models]\ncoding = "ollama/a"\n')
    places.repository('[models.coding]\nmodel = "ollama/b"\ntemperature = 1\n')
    assert places.trust().load().settings.models.coding == ModelChoice(model="ollama/b", temperature=1.0)


def test_a_list_is_replaced_whole(places: Places) -> None:
    places.person('[pipelines]\npaths = ["a", "b"]\n')
    places.repository('[pipelines]\npaths = ["c"]\n')
    assert places.trust().load().settings.pipelines.paths == ("c",)


def test_the_model_flag_replaces_every_role_and_stage(places: Places) -> None:
    roles = "\n".join(f'{role} = "ollama/{role}"' for role in ROLES)
    places.repository(f'[models]\n{roles}\n[models.overrides]\n"write.judge" = "ollama/j"\n[limits]\ntokens = 9\n')
    loaded = places.load(
        {"BOTTEGA_MODELS_JUDGE": "ollama/x"}, assignments=["models.coding=ollama/y"], model="openai/gpt-5"
    )
    assert loaded.settings.models.model_dump(exclude_none=True) == {
        "default": {"model": "openai/gpt-5", "temperature": 0.0},
        "overrides": {},
    }
    assert loaded.settings.limits.tokens == 9
    assert {path: origin for path, origin in loaded.origins.items() if path[0] == "models"} == {
        ("models",): "--model",
        ("models", "default"): "--model",
    }


def test_a_model_flag_that_is_no_id_is_refused(places: Places) -> None:
    with pytest.raises(SettingsError) as caught:
        places.load(model="gpt-5")
    assert str(caught.value) == "--model: models.default: is not a model id (given: 'gpt-5')"


def test_settings_may_stand_in_pyproject(places: Places) -> None:
    text = '[project]\nname = "x"\n\n[tool.bottega.write]\nlanguage = "rust"\n[tool.other]\nkey = 1\n'
    loaded = places.repository(text, name="pyproject.toml").load()
    assert loaded.settings.write.language == "rust"
    assert loaded.origins[("write", "language")] == "pyproject.toml:5"
    assert loaded.files == ("pyproject.toml",)


def test_settings_in_both_files_of_a_repository_are_refused(places: Places) -> None:
    places.repository("[tool.bottega]\n", name="pyproject.toml").repository("")
    with pytest.raises(SettingsError) as caught:
        places.load()
    assert str(caught.value) == "there are settings both in bottega.toml and in [tool.bottega] of pyproject.toml"
    assert caught.value.hint == "Keep one of the two."


@pytest.mark.parametrize(
    "text", ["", "[project]\nname = 'x'\n", "tool = 3\n", "[tool]\n", "[tool.other]\n", "[tool.x\n"]
)
def test_a_pyproject_without_our_section_is_none_of_our_business(places: Places, text: str) -> None:
    places.repository(text, name="pyproject.toml").repository("[limits]\ntokens = 1\n")
    assert places.load().settings.limits.tokens == 1


def test_stages_may_be_written_with_or_without_quotes(places: Places) -> None:
    places.repository(
        '[models.overrides]\n"write.judge" = "ollama/a"\nwrite.coder = "ollama/b"\n'
        '[models.overrides.ask.answer]\nmodel = "ollama/c"\nmax_tokens = 5\n'
    )
    overrides = places.trust().load(assignments=["models.overrides.write.reviewer=ollama/d"]).settings.models.overrides
    assert {stage: choice.model for stage, choice in overrides.items()} == {
        "write.judge": "ollama/a",
        "write.coder": "ollama/b",
        "ask.answer": "ollama/c",
        "write.reviewer": "ollama/d",
    }


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"HOME": "/home/jane"}, "/home/jane/.config/bottega/config.toml"),
        ({"HOME": "/home/jane", "XDG_CONFIG_HOME": "/etc/jane"}, "/etc/jane/bottega/config.toml"),
        ({"HOME": "/home/jane", "XDG_CONFIG_HOME": ""}, "/home/jane/.config/bottega/config.toml"),
    ],
)
def test_the_persons_file_is_where_such_files_are(environ: dict[str, str], expected: str) -> None:
    assert str(user_settings_file(environ)) == expected
