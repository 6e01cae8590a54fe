"""Nodes by what people call them, and neighbourhoods that stay within their bounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bottega.index.graph import Graph, Neighbourhood, Node
from bottega.index.knowledge import KnowledgeBase
from bottega.index.store import IndexStore
from bottega.source import Span
from tests.retrieve.harbour import FILES
from tests.retrieve.reading import snapshot_of

BERTH = "python:harbour.berths.Berth|TYPE"
ADMIT = "python:harbour.berths.Berth.admit|METHOD"
SHIP = "python:harbour.ships.Ship|TYPE"
TANKER = "python:harbour.ships.Tanker|TYPE"
BERTHS = "python:harbour/berths.py|FILE"


def _keys(nodes: list[Node] | tuple[Node, ...]) -> list[str]:
    return [node.key for node in nodes]


def _lines(span: Span) -> str:
    return "\n".join(FILES[span.path].split("\n")[span.first - 1 : span.last])


@pytest.mark.parametrize(
    ("text", "key"),
    [
        (ADMIT, ADMIT),
        (BERTHS, BERTHS),
        ("harbour/berths.py", BERTHS),
        ("harbour.berths.Berth.admit", ADMIT),
        ("Berth.admit", ADMIT),
        ("admit", ADMIT),
        ("Berth", BERTH),
        ("tanker", TANKER),
        ("dbo.Mooring", "dbo.Mooring|TABLE"),
        ("OpenMoorings", "dbo.OpenMoorings|VIEW"),
        ("web/tide.ts", "typescript:web/tide.ts|FILE"),
        ("TideTable.showTide", "typescript:web/tide.TideTable.showTide|METHOD"),
    ],
)
def test_a_node_is_found_by_key_path_or_name(graph: Graph, text: str, key: str) -> None:
    assert _keys(graph.find(text)) == [key]


def test_a_heading_does_not_hide_a_table_of_its_name(graph: Graph) -> None:
    assert _keys(graph.find("Mooring")) == ["dbo.Mooring|TABLE"]


def test_half_a_name_is_not_a_name(graph: Graph) -> None:
    assert graph.find("erth.admit") == []


@pytest.mark.parametrize("text", ["", "nothing", "harbour/nowhere.py", "Berth.nothing", "python:x|TYPE", "|", "%"])
def test_nothing_is_found_for_what_is_not_there(graph: Graph, text: str) -> None:
    assert graph.find(text) == []


def test_a_name_that_several_things_bear_leads_to_all_of_them(graph: Graph) -> None:
    assert set(_keys(graph.find("moor"))) == {
        "python:harbour.ships.Ship.moor|METHOD",
        "python:harbour.ships.Tanker.moor|METHOD",
    }


def test_a_found_node_says_where_it_is(graph: Graph) -> None:
    assert graph.find("Berth.admit") == [Node(ADMIT, "METHOD", "admit", "harbour/berths.py", 10, 15, 0)]
    assert graph.find("harbour/berths.py") == [Node(BERTHS, "FILE", "berths.py", "harbour/berths.py", 1, 20, 0)]


def test_no_step_shows_the_start_alone(graph: Graph) -> None:
    found = graph.find_neighbourhood(graph.find("Berth"), depth=0)
    assert (_keys(found.nodes), found.edges, found.is_cut) == ([BERTH], (), False)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_nodes_lie_within_the_depth(graph: Graph, depth: int) -> None:
    found = graph.find_neighbourhood(graph.find("Berth"), depth=depth)
    assert max(node.depth for node in found.nodes) == depth
    assert found.nodes[0] == graph.find("Berth")[0]
    assert set(graph.find_neighbourhood(graph.find("Berth"), depth=depth - 1).nodes) < set(found.nodes)


def test_edges_run_between_nodes_that_are_shown(graph: Graph) -> None:
    for most in (1, 2, 5, 60):
        found = graph.find_neighbourhood(graph.find("Berth"), depth=3, most=most)
        keys = set(_keys(found.nodes))
        assert all(edge.source in keys and edge.target in keys for edge in found.edges)


def test_a_walk_that_is_cut_says_so(graph: Graph) -> None:
    whole = graph.find_neighbourhood(graph.find("Berth"), depth=2, most=60)
    assert not whole.is_cut
    exact = graph.find_neighbourhood(graph.find("Berth"), depth=2, most=len(whole.nodes))
    assert (exact.nodes, exact.is_cut) == (whole.nodes, False)
    cut = graph.find_neighbourhood(graph.find("Berth"), depth=2, most=3)
    assert (len(cut.nodes), cut.is_cut) == (3, True)
    assert cut.nodes == whole.nodes[:3]


def test_what_the_limit_left_out_is_counted(graph: Graph) -> None:
    start = graph.find("Berth")
    whole = graph.find_neighbourhood(start, depth=1)
    assert (whole.left_out, sum(whole.missing.values())) == (0, 0)
    cut = graph.find_neighbourhood(start, depth=1, most=3)
    assert cut.left_out == cut.missing[BERTH] == len(whole.nodes) - 3


def test_a_limit_leaves_some_of_every_kind_and_direction(graph: Graph) -> None:
    start = graph.find("harbour/berths.py")
    whole = graph.find_neighbourhood(start)
    groups = {(edge.kind, edge.source == BERTHS) for edge in whole.edges}
    cut = graph.find_neighbourhood(start, most=len(groups) + 1, takes_turns=True)
    assert {(edge.kind, edge.source == BERTHS) for edge in cut.edges} == groups


def test_more_starts_than_nodes_are_cut_too(graph: Graph) -> None:
    found = graph.find_neighbourhood(graph.find("moor"), most=1)
    assert (len(found.nodes), found.is_cut) == (1, True)


def test_only_edges_of_the_kinds_asked_for_are_walked(graph: Graph) -> None:
    found = graph.find_neighbourhood(graph.find("Tanker"), depth=3, kinds=["inherits"])
    assert _keys(found.nodes) == [TANKER, SHIP]
    assert {edge.kind for edge in found.edges} == {"inherits"}
    two = graph.find_neighbourhood(graph.find("Tanker"), depth=1, kinds=["inherits", "contains"])
    assert {edge.kind for edge in two.edges} == {"inherits", "contains"}


def test_kinds_have_other_names_elsewhere(graph: Graph) -> None:
    start = graph.find("dbo.OpenMoorings")
    reads = graph.find_neighbourhood(start, kinds=["reads"], direction="out")
    assert _keys(reads.nodes) == ["dbo.OpenMoorings|VIEW", "dbo.Mooring|TABLE"]
    assert graph.find_neighbourhood(start, kinds=["ReadsFrom"], direction="out") == reads


def _ends(found: Neighbourhood, start: str) -> tuple[set[str], set[str]]:
    return (
        {edge.source for edge in found.edges if edge.target == start},
        {edge.target for edge in found.edges if edge.source == start},
    )


def test_the_direction_chooses_along_or_against_the_arrows(graph: Graph) -> None:
    start = graph.find("Ship")
    into, out_of = _ends(graph.find_neighbourhood(start, direction="both"), SHIP)
    assert TANKER in into
    assert "python:harbour.ships.Ship.moor|METHOD" in out_of
    assert _ends(graph.find_neighbourhood(start, direction="in"), SHIP) == (into, set())
    assert _ends(graph.find_neighbourhood(start, direction="out"), SHIP) == (set(), out_of)


def test_a_file_leads_to_its_symbols_and_to_what_it_imports(graph: Graph) -> None:
    found = graph.find_neighbourhood(graph.find("harbour/berths.py"))
    _, out_of = _ends(found, BERTHS)
    assert {BERTH, "python:harbour/ships.py|FILE", "python:harbour/tides.py|FILE"} <= out_of
    into, _ = _ends(found, BERTHS)
    assert into == {"python:tests/test_berths.py|FILE"}
    assert {edge.kind for edge in found.edges if edge.target == BERTHS} == {"imports", "tests"}


def test_a_walk_is_the_same_every_time(graph: Graph) -> None:
    assert graph.find_neighbourhood(graph.find("Berth"), depth=4) == graph.find_neighbourhood(
        graph.find("Berth"), depth=4
    )


def test_every_place_on_a_walk_exists(graph: Graph, base: KnowledgeBase) -> None:
    for node in graph.find_neighbourhood(graph.find("Berth"), depth=6).nodes:
        file = base.get_file_by_path(node.path)
        assert file is not None
        assert 1 <= node.first <= node.last <= file.lines


def test_the_text_of_a_node_is_its_lines(graph: Graph, keeper: IndexStore) -> None:
    (berth,) = graph.find("find_berth")
    assert graph.text(berth, keeper.read) == _lines(Span("harbour/berths.py", 18, 20))
    (file,) = graph.find("web/table.ts")
    assert graph.text(file, keeper.read) == _lines(Span("web/table.ts", 1, 7))


def test_the_text_of_what_is_gone_is_empty(fresh: IndexStore) -> None:
    with snapshot_of(fresh) as snapshot:
        graph = Graph(snapshot.connection)
        (tide,) = graph.find("TideTable")
        (fresh.root / "web/tide.ts").unlink()
        assert graph.text(tide, fresh.read) == ""


def _outside(folder: Path) -> Path:
    nodes = [
        {"key": "dbo.Bill|TABLE", "kind": "TABLE", "name": "Bill", "body": "CREATE TABLE dbo.Bill (Id int)"},
        {"key": "web:BillPage|PAGE", "name": "BillPage", "file": "web/bill.aspx"},
    ]
    edges = [
        {"from": "web:BillPage|PAGE", "to": "dbo.Bill|TABLE", "relation": "ReadsFrom"},
        {"from": "dbo.Bill|TABLE", "to": "dbo.Mooring|TABLE", "relation": "FK"},
        {"from": "web:BillPage|PAGE", "to": "dbo.Unlisted|PROC", "relation": "Executes"},
    ]
    file = folder / "graph.json"
    file.write_text(json.dumps({"nodes": nodes, "edges": edges}))
    return file


def test_a_graph_made_elsewhere_is_walked_with_the_rest(fresh: IndexStore, tmp_path: Path) -> None:
    assert fresh.load_graph(_outside(tmp_path)) == 4, "edges make the nodes that are not listed"
    with snapshot_of(fresh) as snapshot:
        graph = Graph(snapshot.connection)
        found = graph.find_neighbourhood(graph.find("web:BillPage|PAGE"), depth=2)
        assert {(edge.source, edge.kind, edge.target) for edge in found.edges} >= {
            ("web:BillPage|PAGE", "reads", "dbo.Bill|TABLE"),
            ("web:BillPage|PAGE", "calls", "dbo.Unlisted|PROC"),
            ("dbo.Bill|TABLE", "uses", "dbo.Mooring|TABLE"),
        }
        into = graph.find_neighbourhood(graph.find("dbo.Mooring"), direction="in", kinds=["uses"])
        assert "dbo.Bill|TABLE" in _keys(into.nodes)


def test_a_body_that_came_with_a_node_is_its_text(fresh: IndexStore, tmp_path: Path) -> None:
    fresh.load_graph(_outside(tmp_path))
    with snapshot_of(fresh) as snapshot:
        graph = Graph(snapshot.connection)
        assert graph.text(graph.find("dbo.Bill|TABLE")[0], fresh.read) == "CREATE TABLE dbo.Bill (Id int)"
        assert graph.text(graph.find("dbo.Unlisted|PROC")[0], fresh.read) == ""


def test_a_graph_made_elsewhere_outlives_a_rebuild(fresh: IndexStore, tmp_path: Path) -> None:
    fresh.load_graph(_outside(tmp_path))
    fresh.refresh(rebuild=True, workers=1)
    with snapshot_of(fresh) as snapshot:
        assert _keys(Graph(snapshot.connection).find("dbo.Bill|TABLE")) == ["dbo.Bill|TABLE"]
