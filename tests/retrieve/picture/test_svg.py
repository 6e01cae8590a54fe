"""A neighbourhood as SVG: nothing overlaps, nothing is left out silently, nothing breaks out of its element."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from xml.etree import ElementTree as ET

import pytest

from bottega.index import Edge, Neighbourhood, Node
from bottega.index.graph import Graph
from bottega.retrieve.picture import as_svg
from tests.retrieve.neighbourhoods import HOSTILE, UNWRITABLE, generate, surround
from tests.retrieve.picture.drawing import SVG, read_drawing

SIZES = [(1, 0), (2, 3), (25, 20), (60, 90), (150, 200), (400, 500)]


@pytest.mark.parametrize("name", HOSTILE, ids=lambda name: ascii(name)[:24])
def test_an_svg_is_well_formed_whatever_names_it_shows(name: str) -> None:
    drawing = read_drawing(as_svg(surround(name)))
    assert {element.tag.removeprefix(SVG) for element in drawing.root.iter()} <= set(
        "svg style defs marker path rect g a title text tspan".split()
    )
    assert any(title.startswith(f"python:{name}|TYPE") for title in drawing.titles)
    attributes = {name for element in drawing.root.iter() for name in element.attrib}
    assert not {attribute for attribute in attributes if attribute.startswith("on")}


@pytest.mark.parametrize("name", UNWRITABLE, ids=ascii)
def test_an_svg_is_well_formed_although_a_name_cannot_be_written(name: str) -> None:
    ET.fromstring(as_svg(surround(name)).encode())


@pytest.mark.parametrize(
    "path", ["javascript:alert(1)", "a b/ü#1?.py", "half\ud800.py", "data:text/html,<script>", "x\udcff.py"], ids=ascii
)
def test_links_are_relative_addresses_of_a_file(path: str) -> None:
    node = Node("k", "TYPE", "n", path, 3, 4, 0)
    (address,) = read_drawing(as_svg(Neighbourhood((node,), (), is_cut=False), "../")).addresses
    assert re.fullmatch(r"\.\./[\w.~/%-]+#L3", address)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", [1, 2])
def test_boxes_do_not_overlap_and_lie_inside_the_frame(seed: int, size: tuple[int, int]) -> None:
    drawing = read_drawing(as_svg(generate(seed, *size)))
    assert drawing.boxes
    assert not [pair for pair in combinations(drawing.boxes, 2) if pair[0].overlaps(pair[1])]
    assert max(box.x + box.width for box in drawing.boxes) <= drawing.width
    assert max(box.y + box.height for box in drawing.boxes) <= drawing.height
    assert min(min(box.x, box.y) for box in drawing.boxes) >= 0


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_edges_run_around_boxes(size: tuple[int, int]) -> None:
    drawing = read_drawing(as_svg(generate(3, *size)))
    crossed = [line for line in drawing.lines if any(box.holds(x, y) for x, y in line for box in drawing.boxes)]
    assert crossed == []


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_node_is_in_the_picture_or_counted(size: tuple[int, int]) -> None:
    found = generate(4, *size)
    drawing = read_drawing(as_svg(found))
    shown = {line for title in drawing.titles for line in title.split("\n")}
    listed = sum(int(count) for title in drawing.titles for count in re.findall(r"^… (\d+) more nodes$", title, re.M))
    left_out = [int(count) for text in drawing.texts for count in re.findall(r"Not drawn: (\d+) node", text)]
    missing = sum(node.key not in shown for node in found.nodes)
    assert missing == sum(left_out) + listed


def test_every_edge_is_drawn_or_counted() -> None:
    found = generate(5, 40, 50)
    drawing = read_drawing(as_svg(found))
    shown = {line for title in drawing.titles for line in title.split("\n")}
    inner = [int(count) for text in drawing.texts for count in re.findall(r"Not drawn: (\d+) edge", text)]
    assert sum(_describe(edge) not in shown for edge in found.edges) == sum(inner)


def _describe(edge: Edge) -> str:
    return f"{edge.source} {edge.kind} {edge.target} ({edge.how}, {edge.confidence:g})"


def test_a_picture_is_the_same_every_time() -> None:
    assert as_svg(generate(6, 60, 90)) == as_svg(generate(6, 60, 90))


def test_users_stand_left_of_what_they_use() -> None:
    names = ["caller", "start", "helper"]
    nodes = [Node(f"k.{name}|FUNCTION", "FUNCTION", name, "a.py", 1, 2, abs(at - 1)) for at, name in enumerate(names)]
    edges = [Edge(a.key, b.key, "calls", "import", 0.95) for a, b in pairwise(nodes)]
    order = (nodes[1], nodes[0], nodes[2])
    drawing = read_drawing(as_svg(Neighbourhood(order, tuple(edges), is_cut=False)))
    start, caller, helper = drawing.boxes
    assert caller.x + caller.width < start.x
    assert start.x + start.width < helper.x


def test_nodes_with_the_same_neighbours_share_a_box() -> None:
    start = Node("start|TYPE", "TYPE", "start", "a.py", 1, 2, 0)
    users = [Node(f"user{at}|FUNCTION", "FUNCTION", f"user{at}", "b.py", at, at, 1) for at in range(1, 31)]
    edges = [Edge(user.key, start.key, "calls", "import", 0.95) for user in users]
    drawing = read_drawing(as_svg(Neighbourhood((start, *users), tuple(edges), is_cut=False)))
    assert (len(drawing.boxes), len(drawing.lines)) == (2, 1)
    assert {"30 in b.py", "user1 :1", "… 13 more"} <= set(drawing.texts)
    assert len(drawing.addresses) == 18


def test_what_the_limit_left_out_is_said(graph: Graph) -> None:
    cut = graph.find_neighbourhood(graph.find("Berth"), depth=2, most=2)
    assert any(text.startswith(f"Left out: {cut.left_out} nodes or more") for text in read_drawing(as_svg(cut)).texts)


def test_the_legend_names_what_is_there(graph: Graph) -> None:
    found = graph.find_neighbourhood(graph.find("Tanker"), depth=2, kinds=["inherits", "contains"])
    texts = read_drawing(as_svg(found)).texts
    assert {"start", "type", "function or method", "file", "inherits (1)"} <= set(texts)
    assert not [text for text in texts if text.startswith(("calls", "not sure"))]
    assert "not sure, below 0.5 (1)" in read_drawing(as_svg(surround("x"))).texts


def test_light_and_dark_are_both_there() -> None:
    style = ET.fromstring(as_svg(surround("x"))).findtext(f"{SVG}style") or ""
    assert "@media (prefers-color-scheme: dark)" in style


def test_a_long_name_is_shortened_and_whole_in_the_tooltip() -> None:
    drawing = read_drawing(as_svg(surround("x" * 5000)))
    assert max(map(len, drawing.texts)) < 120
    assert any("x" * 5000 in title for title in drawing.titles)
    assert drawing.width < 2000


def test_an_svg_of_nothing_is_an_svg() -> None:
    assert ET.fromstring(as_svg(Neighbourhood((), (), is_cut=False))).tag == f"{SVG}svg"
