from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from bottega.settings import ROLES, ModelChoice, Price, Provider, Settings, reference, template
from bottega.settings.variables import leaf_paths, variables

from .places import Places

DETECTED = [
    {},
    {"default": "ollama/qwen2.5-coder:7b"},
    {"default": "openai/gpt-5", "coding": "embedded/qwen2.5-coder-1.5b-q4_k_m.gguf"},
    {"default": 'odd/quote"and\\slash-é-\U0001f600'},
    {role: f"ollama/{role}" for role in ("default", *ROLES)},
]
COMMENTED = re.compile(r"# (\w+ = .+)")


def uncommented(text: str) -> dict[str, Any]:
    """The template with every commented setting switched on."""
    return tomllib.loads("\n".join(COMMENTED.sub(r"\1", line, count=1) for line in text.splitlines()))


@pytest.mark.parametrize("models", DETECTED, ids=lambda models: ", ".join(models) or "nothing")
def test_a_fresh_template_loads_for_whatever_was_detected(places: Places, models: dict[str, str]) -> None:
    text = template(models, found="Chosen: something on this machine.")
    loaded = places.repository(text).trust().load()
    chosen = {role: getattr(loaded.settings.models, role) for role in ("default", *ROLES)}
    assert {role: choice.model for role, choice in chosen.items() if choice} == models
    assert loaded.settings.model_copy(update={"models": Settings().models}) == Settings()
    assert len(text.splitlines()) < 60


def test_every_commented_line_is_a_setting_with_its_default(places: Places) -> None:
    text = template({}, found="No model was found.")
    tables = uncommented(text)
    assert {name: set(table) for name, table in tables.items()} == {
        "models": {"default", *ROLES},
        "limits": {"tokens", "cost", "minutes", "retries"},
        "write": {"pipeline", "language", "confidence_threshold", "conflict_threshold", "context_records"},
        "sandbox": {"seconds", "memory_mb"},
    }
    defaults = Settings()
    for name, table in tables.items():
        for key, value in table.items():
            if name == "models":
                assert value == "provider/model"
            else:
                assert value == getattr(getattr(defaults, name), key)
    places.repository("\n".join(COMMENTED.sub(r"\1", line, count=1) for line in text.splitlines())).load()


def test_what_a_repository_may_not_set_is_not_in_the_template() -> None:
    assert "allow_unsafe" not in template({}, found="")
    assert "trust" not in template({}, found="")


def test_a_note_of_several_lines_stays_a_comment(places: Places) -> None:
    text = template({"default": "ollama/a"}, found='Chosen: a\n[limits]\ntokens = "x"')
    assert places.repository(text).load().settings.limits.tokens == 0


def test_the_reference_tells_of_every_setting() -> None:
    text = reference()
    sections = dict(re.findall(r"^## (\[[^\n]+\])$(.*?)(?=^## |\Z)", text, re.M | re.S))
    for section, *inner in leaf_paths(Settings):
        assert f"| `{'.'.join(inner)}` |" in sections[f"[{section}]"]
    for title, model in (
        ("[models.ROLE]", ModelChoice),
        ("[providers.NAME]", Provider),
        ('[prices."provider/model"]', Price),
    ):
        for name in model.model_fields:
            assert f"| `{name}` |" in sections[title]
    assert "None" not in text
    assert "PydanticUndefined" not in text


def test_the_reference_marks_what_only_the_person_may_set() -> None:
    marked = {line.split("`")[1] for line in reference().splitlines() if "**yours** |" in line}
    assert marked == {"allow_unsafe", "urls", "api_key_env", "repositories"}


def test_the_reference_in_the_docs_is_the_one_the_schema_makes() -> None:
    page = Path(__file__).parents[2] / "docs" / "settings.md"
    if not page.exists():
        pytest.skip("docs/settings.md is not written yet: python -m bottega.settings > docs/settings.md")
    assert page.read_text(encoding="utf-8") == reference()


def test_no_two_settings_share_a_variable() -> None:
    assert len(variables()) == len(list(leaf_paths(Settings)))
