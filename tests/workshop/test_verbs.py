"""Every verb has one request, one result and one published JSON form; doors know nothing below them."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
from tools.schemas import FOLDER, schemas

from bottega.errors import InputError
from bottega.verbs import VerbRequest, VerbResult
from bottega.workshop import find_verb, verb_names

ROOT = Path(__file__).parents[2]
CLI = sorted((ROOT / "src" / "bottega" / "cli").glob("*.py"))
ALLOWED = {"bottega", "bottega.errors", "bottega.verbs", "bottega.cli", "bottega.workshop"}
CAPABILITIES = {f"bottega.{name}" for name in ("ask", "enrich", "investigate", "retrieve", "review", "write")}


def imported(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
    return {name for name in found if name.split(".")[0] == "bottega"}


@pytest.mark.parametrize("file", CLI, ids=lambda file: file.stem)
def test_the_command_line_imports_nothing_below_the_verbs(file: Path) -> None:
    def is_allowed(name: str) -> bool:
        return name in ALLOWED | CAPABILITIES or name.startswith(("bottega.cli.", "bottega.workshop."))

    assert [name for name in sorted(imported(file)) if not is_allowed(name)] == []


@pytest.mark.parametrize("name", verb_names())
def test_a_verb_stands_under_its_own_name_with_frozen_values(name: str) -> None:
    verb = find_verb(name)
    assert verb.name == name
    assert issubclass(verb.request, VerbRequest)
    assert issubclass(verb.result, VerbResult)
    assert verb.request.model_config["frozen"]
    assert verb.result.model_config["frozen"]
    assert "text" in verb.result.formats
    assert "json" in verb.result.formats


def test_published_schemas_are_those_of_the_code() -> None:
    present = {file.name: file.read_text(encoding="utf-8") for file in FOLDER.glob("*.json")}
    assert sorted(present) == sorted(schemas()), "`make docs` writes them anew"
    assert present == schemas(), "`make docs` writes them anew"


def _properties(schema: dict[str, Any]) -> list[dict[str, Any]]:
    parts = [schema, *schema.get("$defs", {}).values()]
    return [part["properties"] for part in parts if "properties" in part]


def test_lines_are_spans_in_every_result() -> None:
    """No result tells lines as text that must be parsed again."""
    for name, text in schemas().items():
        if name.endswith(".result.json"):
            for properties in _properties(json.loads(text)):
                assert not {"start_line", "end_line", "place"} & set(properties), name


def test_an_unknown_verb_and_an_unknown_field_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="there is no verb 'serch'"):
        find_verb("serch")
    with pytest.raises(InputError, match="querry"):
        find_verb("search").read_request({"query": "a", "querry": "b"})
