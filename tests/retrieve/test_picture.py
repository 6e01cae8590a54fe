"""Pictures of a neighbourhood: what a hostile name must not break."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from bottega.index.graph import Edge, Graph, Neighbourhood, Node
from bottega.retrieve.picture import as_mermaid, as_svg, as_text

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = [
    "</title><script>alert(1)</script>",
    "\"><script>alert('1')</script>",
    "a&b<c>d'e\"f",
    "]]>&lt;!--",
    "&#x0;&unknown;",
    "日本語 عربى 🚢",
    "line\nbreak\ttab",
    "x" * 5000,
    "",
]
UNWRITABLE = ["nul\x00", "bell\x07", "escape\x1b[31m", "odd\ufffe", "half\ud800"]


def _picture(name: str) -> Neighbourhood:
    hostile = Node(f"python:{name}|TYPE", "TYPE", name, f"src/{name}.py", 1, 2, 0)
    plain = Node("python:plain|FUNCTION", "FUNCTION", "plain", "src/plain.py", 3, 4, 1)
    kind = name or "calls"
    return Neighbourhood(
        (hostile, plain),
        (
            Edge(hostile.key, plain.key, kind, "import", 0.95),
            Edge(plain.key, hostile.key, "calls", "ambiguous", 0.25),
        ),
        is_cut=False,
    )


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:24])
def test_an_svg_is_well_formed_whatever_names_it_shows(name: str) -> None:
    root = ET.fromstring(as_svg(_picture(name)))
    assert root.tag == f"{SVG}svg"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= set(
        "svg defs marker path rect g title text".split()
    )
    titles = [element.text or "" for element in root.iter(f"{SVG}title")]
    assert any(title.startswith(f"python:{name}|TYPE") for title in titles)


@pytest.mark.parametrize("name", UNWRITABLE, ids=ascii)
def test_an_svg_is_well_formed_although_a_name_cannot_be_written(name: str) -> None:
    ET.fromstring(as_svg(_picture(name)).encode())


def test_an_svg_of_the_harbour_shows_every_node_inside_its_frame(graph: Graph) -> None:
    found = graph.find_neighbourhood(graph.find("Berth"), depth=3)
    root = ET.fromstring(as_svg(found))
    width, height = int(root.attrib["width"]), int(root.attrib["height"])
    boxes = [rect for group in root.iter(f"{SVG}g") for rect in group.iter(f"{SVG}rect")]
    assert len(boxes) == len(found.nodes)
    corners = [(int(box.attrib["x"]), int(box.attrib["y"])) for box in boxes]
    assert len(set(corners)) == len(corners), "no box hides another"
    for box, (x, y) in zip(boxes, corners, strict=True):
        assert 0 <= x <= width - int(box.attrib["width"])
        assert 0 <= y <= height - int(box.attrib["height"])
    arrows = [path for path in root.iter(f"{SVG}path") if "marker-end" in path.attrib]
    assert len(arrows) == len(found.edges)


def test_an_svg_of_nothing_is_an_svg() -> None:
    assert ET.fromstring(as_svg(Neighbourhood((), (), is_cut=False))).tag == f"{SVG}svg"


@pytest.mark.parametrize("name", [*HOSTILE, *UNWRITABLE], ids=lambda name: ascii(name)[:24])
def test_mermaid_labels_hold_nothing_that_mermaid_reads(name: str) -> None:
    picture = _picture(name)
    nodes = as_mermaid(picture).split("\n")[1:3]
    for line in nodes:
        label = re.fullmatch(r'  n\d\["([^"\[\]<>&;]*)"\]', line)
        assert label is not None, line


def test_mermaid_edges_hold_nothing_that_mermaid_reads() -> None:
    edges = as_mermaid(_picture('calls| n9["x"]; click n0 call alert()')).split("\n")[3:]
    assert all(re.fullmatch(r"  n\d -->\|[\w .-]*\| n\d", line) for line in edges if line)


def test_mermaid_draws_every_edge(graph: Graph) -> None:
    found = graph.find_neighbourhood(graph.find("Berth"), depth=2)
    lines = as_mermaid(found).splitlines()
    assert lines[0] == "graph LR"
    assert sum("-->" in line for line in lines) == len(found.edges)
    assert sum('["' in line for line in lines) == len(found.nodes)


def test_text_lists_every_node_with_the_edges_that_leave_it(graph: Graph) -> None:
    found = graph.find_neighbourhood(graph.find("Tanker"), kinds=["inherits"])
    assert as_text(found) == (
        "python:harbour.ships.Tanker|TYPE  harbour/ships.py:23-27\n"
        "  inherits → python:harbour.ships.Ship|TYPE  (same file, 0.95)\n"
        "python:harbour.ships.Ship|TYPE  harbour/ships.py:10-20\n"
    )


def test_text_says_when_there_is_more(graph: Graph) -> None:
    cut = graph.find_neighbourhood(graph.find("Berth"), depth=2, most=2)
    assert as_text(cut).endswith("… there is more: raise --nodes or narrow --edges\n")
