"""Every verb has one request, one result and one published JSON form; doors know nothing below them."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tools.schemas import FOLDER, schemas

from bottega.errors import InputError
from bottega.verbs import VerbRequest, VerbResult
from bottega.workshop import find_verb, verb_names

ROOT = Path(__file__).parents[2]
CLI = sorted((ROOT / "src" / "bottega" / "cli").glob("*.py"))
# Doors may name errors, verbs, requests and results, and these names of the workshop.
FROM_WORKSHOP = {"Event", "Opening", "RecordedRun", "RunHandle", "Workshop", "decode_text", "find_verb", "verb_names"}
OPEN = {"bottega.errors", "bottega.verbs", "bottega.cli"}
CAPABILITIES = {f"bottega.{name}" for name in ("ask", "enrich", "investigate", "retrieve", "review", "write")}
VALUES = re.compile(r"\w+(?:Request|Result)|[A-Z_]+")


def imported(file: Path) -> set[tuple[str, str]]:
    """Pairs of module and name; a name that is a module counts as that module."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = "bottega.cli".split(".")[: 3 - node.level] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                found.add((inner, "") if _is_module(inner) else (module, alias.name))
    return {(module, name) for module, name in found if module.split(".")[0] == "bottega"}


def _is_module(name: str) -> bool:
    place = ROOT / "src" / Path(*name.split("."))
    return place.is_dir() or place.with_suffix(".py").is_file()


def is_allowed(module: str, name: str) -> bool:
    if module in OPEN or module.startswith("bottega.cli.") or (module, name) == ("bottega", "__version__"):
        return True
    if module == "bottega.workshop" and name in FROM_WORKSHOP:
        return True
    is_open = module in CAPABILITIES or module.startswith("bottega.workshop")
    return is_open and VALUES.fullmatch(name) is not None


@pytest.mark.parametrize("file", CLI, ids=lambda file: file.stem)
def test_the_command_line_imports_nothing_below_the_verbs(file: Path) -> None:
    assert [pair for pair in sorted(imported(file)) if not is_allowed(*pair)] == []


@pytest.mark.parametrize(
    "line",
    ["from bottega import journal", "import bottega.index", "from ..models import Reply", "from .. import index"],
)
def test_imports_of_inner_floors_are_noticed_however_they_are_written(tmp_path: Path, line: str) -> None:
    (tmp_path / "door.py").write_text(f"{line}\n")
    assert not all(is_allowed(*pair) for pair in imported(tmp_path / "door.py"))


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
