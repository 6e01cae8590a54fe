from __future__ import annotations

from typing import Any

import pytest

from bottega.errors import SettingsError
from bottega.settings import Settings
from bottega.settings.variables import variables

from .places import Places

OTHER_VALUES: dict[tuple[str, ...], str] = {
    ("budget", "safety"): "2.5",
    ("budget", "context_share"): "0.5",
    ("sandbox", "seconds"): "77.5",
    ("sandbox", "memory_mb"): "2048",
    ("sandbox", "allow_unsafe"): "true",
    ("limits", "cost"): "1.5",
    ("limits", "minutes"): "1.5",
    ("index", "vectors"): "manual",
    ("write", "pipeline"): "mine",
    ("ask", "pipeline"): "mine",
    ("review", "pipeline"): "mine",
    ("investigate", "pipeline"): "mine",
    ("investigate", "max_directories"): "30",
    ("investigate", "max_turns"): "90",
    ("review", "models"): '["here/a", "here/b"]',
    ("write", "language"): "rust",
    ("pipelines", "paths"): '["a", "b"]',
    ("trust", "urls"): '["https://models.example.com"]',
}


def value_at(settings: Settings, path: tuple[str, ...]) -> Any:
    found: Any = settings
    for name in path:
        found = getattr(found, name)
    return found


@pytest.mark.parametrize(("name", "path"), variables().items())
def test_every_setting_with_a_fixed_place_has_a_variable(places: Places, name: str, path: tuple[str, ...]) -> None:
    default = value_at(Settings(), path)
    text = "ollama/qwen3:4b" if path[0] == "models" else OTHER_VALUES.get(path, "4" if default != 4 else "5")
    if name == "BOTTEGA_BUDGET_CONTEXT_WINDOW":
        text = "4096"
    loaded = places.load({name: text})
    assert value_at(loaded.settings, path) != default
    assert loaded.origins[path] == name


def test_a_variable_holds_text_a_number_a_list_or_a_table(places: Places) -> None:
    loaded = places.load(
        {
            "BOTTEGA_WRITE_LANGUAGE": '"rust"',
            "BOTTEGA_LIMITS_TOKENS": " 20_000 ",
            "BOTTEGA_PIPELINES_PATHS": "['a']",
            "BOTTEGA_MODELS_CODING": '{model = "ollama/a", temperature = 1}',
        }
    ).settings
    assert (loaded.write.language, loaded.limits.tokens, loaded.pipelines.paths) == ("rust", 20_000, ("a",))
    assert loaded.models.coding
    assert (loaded.models.coding.model, loaded.models.coding.temperature) == ("ollama/a", 1.0)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("BOTTEGA_WRITE_LANGAUGE", "Did you mean BOTTEGA_WRITE_LANGUAGE?"),
        ("BOTTEGA_MODEL_DEFAULT", "Did you mean BOTTEGA_MODELS_DEFAULT?"),
        ("BOTTEGA_XYZ", "`bottega config show` lists every setting."),
    ],
)
def test_an_unknown_variable_is_refused_with_a_suggestion(places: Places, name: str, hint: str) -> None:
    with pytest.raises(SettingsError, match=f"^{name}: no such setting$") as caught:
        places.load({name: "1"})
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("environ", "message"),
    [
        (
            {"BOTTEGA_LIMITS_TOKENS": "many"},
            "BOTTEGA_LIMITS_TOKENS: limits.tokens: input should be a valid integer (given: 'many')",
        ),
        (
            {"BOTTEGA_LIMITS_TOKENS": ""},
            "BOTTEGA_LIMITS_TOKENS: limits.tokens: input should be a valid integer (given: '')",
        ),
        (
            {"BOTTEGA_LIMITS_TOKENS": "1\nretries = 2"},
            "BOTTEGA_LIMITS_TOKENS: limits.tokens: input should be a valid integer (given: '1\\nretries = 2')",
        ),
        (
            {"BOTTEGA_MODELS_DEFAULT": "gpt-5"},
            "BOTTEGA_MODELS_DEFAULT: models.default: is not a model id (given: 'gpt-5')",
        ),
    ],
)
def test_a_bad_value_names_its_variable(places: Places, environ: dict[str, str], message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        places.load(environ)
    assert str(caught.value) == message


@pytest.mark.parametrize("assignment", ["limits.tokens", "=1", " = 1", ""])
def test_a_flag_that_assigns_nothing_is_refused(places: Places, assignment: str) -> None:
    with pytest.raises(SettingsError) as caught:
        places.load(assignments=[assignment])
    assert str(caught.value) == f"--set {assignment}: expected KEY=VALUE"
    assert caught.value.hint == "For example --set limits.tokens=20000"


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1:11434", "http://127.0.0.1:11434"),
        ("127.0.0.1", "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("0.0.0.0:8000", "http://127.0.0.1:8000"),
        (":8000", "http://127.0.0.1:8000"),
        ("[::1]", "http://[::1]:11434"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("::1", "http://[::1]:11434"),
        ("[::]:8000", "http://127.0.0.1:8000"),
        ("http://0.0.0.0:8000", "http://127.0.0.1:8000"),
        ("http://gpu.example.com:8000", "http://gpu.example.com:8000"),
        ("https://gpu.example.com/ollama", "https://gpu.example.com/ollama"),
        ("gpu.example.com/ollama", "http://gpu.example.com:11434/ollama"),
        (" gpu ", "http://gpu:11434"),
    ],
)
def test_ollamas_own_variable_is_read_as_ollama_reads_it(places: Places, host: str, url: str) -> None:
    loaded = places.repository('[providers.ollama]\nbase_url = "http://127.0.0.1:1"\n').load({"OLLAMA_HOST": host})
    assert loaded.settings.providers["ollama"].base_url == url
    assert loaded.origins[("providers", "ollama", "base_url")] == "OLLAMA_HOST"


def test_the_other_well_known_variables_name_servers(places: Places) -> None:
    environ = {
        "OPENAI_BASE_URL": "http://127.0.0.1:8000/v1",
        "ANTHROPIC_BASE_URL": "https://proxy.example.com",
        "OLLAMA_HOST": " ",
    }
    providers = places.load(environ).settings.providers
    assert {name: provider.base_url for name, provider in providers.items()} == {
        "openai": "http://127.0.0.1:8000/v1",
        "anthropic": "https://proxy.example.com",
    }
