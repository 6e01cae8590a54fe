"""Prompts are Markdown beside their verb; what fills them is never read as part of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bottega.models import Prompt, load_prompt

from .doubles import steadily

GREETING = "# system\nYou greet in {{language}}.\n\n# user\n# Not a part\nGreet {{ name }} and {{name}}.\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A package of its own for each test, since prompts are read once."""
    name = f"verb_of_{tmp_path.name}"
    folder = tmp_path / name / "prompts"
    folder.mkdir(parents=True)
    (tmp_path / name / "__init__.py").touch()
    (folder / "greet.md").write_text(GREETING, encoding="utf-8")
    (folder / "bare.md").write_text("# user\nGo.\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    return name


def test_a_prompt_has_a_system_and_a_user_part(package: str) -> None:
    prompt = load_prompt(package, "greet")
    assert prompt.name == "greet"
    assert prompt.fill_system(language="Italian") == "You greet in Italian."
    assert prompt.fill(name="Ada") == "# Not a part\nGreet Ada and Ada."


def test_a_prompt_without_a_system_part_has_an_empty_one(package: str) -> None:
    assert (load_prompt(package, "bare").system, load_prompt(package, "bare").user) == ("", "Go.")


def test_the_version_follows_the_words_of_the_file(package: str) -> None:
    greet, bare = load_prompt(package, "greet"), load_prompt(package, "bare")
    assert len(greet.version) == len(bare.version) == 16
    assert greet.version != bare.version


@steadily
@given(st.text())
def test_a_value_is_put_in_as_it_is(value: str) -> None:
    prompt = Prompt("p", "", "<{{value}}> {{other}}", "v")
    assert prompt.fill(value=value, other="\\1") == f"<{value}> \\1"


@pytest.mark.parametrize("value", ["{{other}}", "{{ other }}", r"\g<1>", "{{{{value}}}}"])
def test_a_slot_inside_a_value_is_not_filled(value: str) -> None:
    prompt = Prompt("p", "{{value}} {{other}}", "{{value}} {{other}}", "v")
    assert prompt.fill(value=value, other="secret") == f"{value} secret"
    assert prompt.fill_system(value=value, other="secret") == f"{value} secret"


def test_a_slot_that_nobody_fills_is_a_mistake() -> None:
    with pytest.raises(KeyError):
        Prompt("p", "", "{{value}}", "v").fill()
