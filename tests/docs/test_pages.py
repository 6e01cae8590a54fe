"""Pages that are made from code do not drift, and everything a person can meet has its place."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

from bottega import __version__
from bottega.ask import KIND as ASK
from bottega.cli import COMMANDS
from bottega.pipeline import Kind, actions_of
from bottega.settings import reference
from bottega.write import KIND as WRITE
from tests.docs.console import read_files

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def test_the_settings_page_is_made_from_the_schema() -> None:
    assert (DOCS / "settings.md").read_text() == reference(), "run `make docs`"


def test_the_errors_page_is_made_from_the_classes() -> None:
    spec = importlib.util.spec_from_file_location("errors_page", ROOT / "tools" / "errors_page.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert (DOCS / "errors.md").read_text() == module.page(), "run `make docs`"


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_verb_has_a_page_and_stands_in_the_readme(verb: str) -> None:
    page = (DOCS / f"{verb}.md").read_text()
    assert page.startswith(f"# `bottega {verb}`\n")
    assert f"(docs/{verb}.md)" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("kind", [WRITE, ASK], ids=lambda kind: kind.name)
def test_every_action_is_listed(kind: Kind) -> None:
    page = (
        (DOCS / "pipelines.md").read_text().partition(f"## Actions of the kind `{kind.name}`")[2].partition("\n## ")[0]
    )
    for name, entry in actions_of(kind).items():
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        assert {f"`{outcome}`" for outcome in entry.outcomes} <= set(re.findall(r"`\w+`", row)), row


def test_the_packages_of_the_page_are_those_of_the_examples() -> None:
    shown = read_files(DOCS / "extending.md")
    assert {name.partition("/")[0] for name in shown} == {path.name for path in (ROOT / "examples").iterdir()}
    for name, text in shown.items():
        assert text == (ROOT / "examples" / name).read_text(), name


def test_the_changelog_knows_this_version() -> None:
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_no_page_names_a_place_on_somebody_s_machine() -> None:
    for page in [*ROOT.glob("*.md"), *DOCS.rglob("*.md")]:
        assert not re.search(r"/(?:home|root|Users|work)/", page.read_text()), page


def test_the_tree_in_contributing_is_the_real_one() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text().partition("```text\n")[2].partition("```")[0]
    listed = [line.split()[0] for line in text.splitlines()]
    package = ROOT / "src" / "bottega"
    real = {path.stem for path in package.iterdir() if path.is_dir() and (path / "__init__.py").exists()}
    real |= {path.stem for path in package.glob("*.py") if not path.stem.startswith("__")}
    assert sorted(listed) == sorted(real)


def test_the_floors_of_the_page_are_those_of_the_import_contract() -> None:
    table = (DOCS / "architecture.md").read_text().partition("|---|---|\n")[2].partition("\n\n")[0]
    rows = [set(re.findall(r"`(\w+)`", line.split("|")[1])) for line in table.splitlines()]
    contract = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0]["layers"]
    to_come = {"server", "mcp", "learn", "solve"}
    floors = [{name.strip("() ") for name in layer.split("|")} - to_come for layer in contract]
    assert rows == [floor for floor in floors if floor]
