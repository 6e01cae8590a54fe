"""`bottega graph`: text, JSON, Mermaid, SVG and HTML of what surrounds a node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from tests.cli.bottega import ask, refused

TANKER = "python:harbour.ships.Tanker|TYPE"
SHIP = "python:harbour.ships.Ship|TYPE"


def test_text_lists_nodes_and_edges(harbour: Path) -> None:
    ended = ask("graph", "Tanker", "--edges", "inherits", cwd=harbour)
    assert (ended.code, ended.out) == (
        0,
        "harbour/ships.py:23-27  Tanker (type)\n  inherits → harbour/ships.py:10-20  Ship (type)  (same file, 0.95)\n"
        "harbour/ships.py:10-20  Ship (type)\n",
    )
    assert ended.err.startswith("index: commit ")


def test_json_holds_nodes_edges_and_freshness(harbour: Path) -> None:
    ended = ask("graph", "Tanker", "--edges", "inherits", "--format", "json", cwd=harbour)
    data = json.loads(ended.out)
    assert set(data) == {"nodes", "edges", "truncated", "left_out", "freshness"}
    assert [set(node) for node in data["nodes"]] == [
        {"key", "kind", "name", "span", "depth", "signature", "left_out"}
    ] * 2
    assert [(node["signature"], node["left_out"]) for node in data["nodes"]] == [
        ("class Tanker(Ship):", 0),
        ("class Ship:", None),
    ]
    assert data["edges"] == [
        {"source": TANKER, "target": SHIP, "kind": "inherits", "how": "same file", "confidence": 0.95}
    ]
    assert (data["truncated"], data["freshness"]["is_current"]) == (False, True)


def test_the_bounds_are_kept_and_a_cut_is_told(harbour: Path) -> None:
    cut = ask("graph", "Berth", "--depth", "3", "--nodes", "2", cwd=harbour)
    assert cut.out.endswith("… there is more: raise --nodes or narrow --edges\n")
    data = json.loads(ask("graph", "Berth", "--depth", "3", "--nodes", "2", "--format", "json", cwd=harbour).out)
    assert (len(data["nodes"]), data["truncated"]) == (2, True)
    assert data["left_out"] >= data["nodes"][0]["left_out"] > 0
    alone = json.loads(ask("graph", "Berth", "--depth", "0", "--format", "json", cwd=harbour).out)
    assert (len(alone["nodes"]), alone["edges"]) == (1, [])


def test_the_direction_is_kept(harbour: Path) -> None:
    for direction, near in (("in", "target"), ("out", "source")):
        ended = ask("graph", "Ship", "--direction", direction, "--format", "json", cwd=harbour)
        edges = json.loads(ended.out)["edges"]
        assert edges
        assert {edge[near] for edge in edges} == {SHIP}


def test_mermaid_can_be_pasted(harbour: Path) -> None:
    ended = ask("graph", "Tanker", "--edges", "inherits", "--format", "mermaid", cwd=harbour)
    assert ended.out == (
        'graph LR\n  n0["harbour.ships.Tanker TYPE"]\n  n1["harbour.ships.Ship TYPE"]\n  n0 -->|inherits| n1\n'
    )


def test_an_svg_goes_to_standard_output_or_to_a_file(harbour: Path, tmp_path: Path) -> None:
    printed = ask("graph", "Berth", "--format", "svg", cwd=harbour)
    assert ET.fromstring(printed.out).tag.endswith("svg")
    file = tmp_path / "berth.svg"
    ended = ask("graph", "Berth", "-o", str(file), cwd=harbour)
    assert (ended.code, ended.out) == (0, "")
    assert f"written to {file}" in ended.err
    assert file.read_text() == printed.out


def test_a_page_goes_to_standard_output_or_to_a_file(harbour: Path, tmp_path: Path) -> None:
    printed = ask("graph", "Berth", "--format", "html", "--no-refresh", cwd=harbour)
    assert printed.out.startswith("<!doctype html>")
    file = tmp_path / "berth.html"
    ended = ask("graph", "Berth", "-o", str(file), "--no-refresh", cwd=harbour)
    assert (ended.code, ended.out) == (0, "")
    assert _read_data(file.read_text())["nodes"] == _read_data(printed.out)["nodes"]


def test_a_page_holds_the_json_form(harbour: Path) -> None:
    bounds = ("--depth", "2", "--nodes", "9", "--no-refresh")
    page = _read_data(ask("graph", "Berth", *bounds, "--format", "html", cwd=harbour).out)
    data = json.loads(ask("graph", "Berth", *bounds, "--json", cwd=harbour).out)
    for value in (page, data):
        value["freshness"].pop("age_seconds")
    assert page == data


def test_a_page_holds_more_than_a_picture_unless_told(harbour: Path) -> None:
    page = _read_data(ask("graph", "Berth", "--format", "html", cwd=harbour).out)
    assert max(node["depth"] for node in page["nodes"]) == 3
    told = _read_data(ask("graph", "Berth", "--format", "html", "--depth", "1", cwd=harbour).out)
    assert max(node["depth"] for node in told["nodes"]) == 1


def _read_data(page: str) -> Any:
    return json.loads(page.partition('id="data">')[2].partition("</script>")[0])


def test_links_of_a_picture_inside_the_repository_lead_to_its_files(own_harbour: Path) -> None:
    (own_harbour / "web" / "deep").mkdir()
    for place, base in (("berth.svg", ""), ("web/berth.svg", "../"), ("web/deep/berth.svg", "../../")):
        assert ask("graph", "Berth", "-o", place, cwd=own_harbour).code == 0
        (first, *_) = [
            element.attrib["href"] for element in ET.parse(own_harbour / place).iter() if element.tag.endswith("}a")
        ]
        assert first == f"{base}harbour/berths.py#L7"


def test_a_picture_is_the_same_every_time(harbour: Path) -> None:
    arguments = ("graph", "Berth", "--depth", "3", "--format", "svg")
    assert ask(*arguments, cwd=harbour).out == ask(*arguments, cwd=harbour).out


def test_the_help_names_the_pictures(harbour: Path) -> None:
    shown = " ".join(ask("graph", "--help", cwd=harbour).out.split())
    assert "[text|json|mermaid|svg|html]" in shown
    assert "-o FILE.html" in shown


@pytest.mark.parametrize(
    "name",
    [
        '<script>alert(1)</script>&".py'.replace("/", "_"),
        "a&amp;b'.py",
        "]]>.py",
        "bell\x07.py",
    ],
    ids=ascii,
)
def test_an_svg_is_well_formed_whatever_files_are_called(empty: Path, name: str) -> None:
    (empty / "base.py").write_text("class Base:\n    pass\n")
    (empty / name).write_text("from base import Base\n\n\nclass Odd(Base):\n    pass\n")
    ended = ask("graph", "base.py", "--format", "svg", cwd=empty)
    assert ended.code == 0
    titles = [element.text or "" for element in ET.fromstring(ended.out).iter() if "title" in element.tag]
    assert any(name.replace("\x07", "\ufffd") in title for title in titles)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Missing argument 'NODE'"),
        (["nothing"], "nothing here is called 'nothing'"),
        ([""], "nothing here is called ''"),
        (["harbour/nowhere.py"], "nothing here is called 'harbour/nowhere.py'"),
        (["Berth", "--depth", "7"], "7 is not in the range"),
        (["Berth", "--nodes", "0"], "0 is not in the range"),
        (["Berth", "--direction", "up"], "'up' is not one of 'both', 'in', 'out'"),
        (["Berth", "--format", "dot"], "'dot' is not one of 'text', 'json', 'mermaid', 'svg', 'html'"),
        pytest.param(
            ["Berth", "--edges", "marries"],
            "marries",
        ),
    ],
    ids=lambda value: " ".join(value)[-20:] if isinstance(value, list) else "",
)
def test_what_cannot_be_drawn_is_told(harbour: Path, arguments: list[str], message: str) -> None:
    refused(ask("graph", *arguments, cwd=harbour), message)


def test_a_picture_that_cannot_be_written_is_told(harbour: Path) -> None:
    refused(ask("graph", "Berth", "-o", "nowhere/berth.svg", "--no-refresh", cwd=harbour), "nowhere/berth.svg")


def test_a_graph_made_elsewhere_is_drawn_with_the_rest(own_harbour: Path) -> None:
    graph = {
        "nodes": [{"key": "web:BillPage|PAGE"}],
        "edges": [{"from": "web:BillPage|PAGE", "to": "dbo.Mooring|TABLE", "relation": "ReadsFrom"}],
    }
    (own_harbour.parent / "graph.json").write_text(json.dumps(graph))
    assert ask("index", "--graph", "../graph.json", cwd=own_harbour).code == 0
    ended = ask("graph", "dbo.Mooring", "--direction", "in", "--edges", "reads", cwd=own_harbour)
    assert "web:BillPage|PAGE\n  reads → db/schema.sql:1-4  Mooring (table)  (outside graph, 1)\n" in ended.out
