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
OPEN = {"bottega.pages", "bottega.errors", "bottega.verbs", "bottega.amounts", "bottega.cli"}
CAPABILITIES = {f"bottega.{name}" for name in ("ask", "enrich", "investigate", "judge", "retrieve", "review", "write")}
VALUES = re.compile(r"\w+(?:Request|Result)|[A-Z_]+")

LINE_NAMES = ("line", "first", "last", "first_line", "last_line", "start_line", "end_line", "place")
SPAN_NAMES = {"span", "spans", "citation", "citations", "portions"}
NOT_YET_SPANS = {"ShownNeighbour"}
TEXT, NUMBER = {"type": "string"}, {"type": "integer"}


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


def _find_loose_lines(schema: Any, name: str) -> list[str]:
    """Properties that hold lines outside of a span, wherever they are in a schema."""
    if isinstance(schema, list):
        return [found for part in schema for found in _find_loose_lines(part, name)]
    if not isinstance(schema, dict):
        return []
    title, properties = schema.get("title", name), schema.get("properties")
    found = []
    if isinstance(properties, dict) and title not in NOT_YET_SPANS and not _is_span(schema):
        loose = {key for key in LINE_NAMES if key in properties}
        loose |= {key for key in SPAN_NAMES & properties.keys() if '"type": "string"' in json.dumps(properties[key])}
        found = [f"{title}.{key}" for key in sorted(loose)]
    return found + [one for part in schema.values() for one in _find_loose_lines(part, name)]


def _is_span(schema: dict[str, Any]) -> bool:
    return schema.get("title") == "Span" and set(schema["properties"]) == {"path", "first", "last"}


def test_lines_are_spans_in_every_result() -> None:
    """No result holds lines beside a path, or as text that must be parsed again."""
    for name, text in schemas().items():
        if name.endswith(".result.json"):
            assert _find_loose_lines(json.loads(text), name) == []


@pytest.mark.parametrize(
    "properties",
    [
        {"path": TEXT, "line": NUMBER},
        {"path": TEXT, "first": NUMBER, "last": NUMBER},
        {"path": TEXT, "start_line": NUMBER},
        {"place": TEXT},
        {"span": TEXT},
        {"citations": {"type": "array", "items": TEXT}},
        {"portions": {"type": "array", "items": {"type": "array", "items": TEXT}}},
        {"line": NUMBER},
    ],
)
def test_lines_without_a_span_are_found_in_a_schema(properties: dict[str, Any]) -> None:
    assert _find_loose_lines({"$defs": {"Hit": {"properties": properties}}}, "some.result.json")
    assert _find_loose_lines({"properties": {"inner": {"properties": properties}}}, "some.result.json")


def test_an_unknown_verb_and_an_unknown_field_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="there is no verb 'serch'"):
        find_verb("serch")
    with pytest.raises(InputError, match="querry"):
        find_verb("search").read_request({"query": "a", "querry": "b"})
