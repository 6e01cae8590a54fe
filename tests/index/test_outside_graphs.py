"""Graphs made elsewhere, as RoslynIndexer writes them: taken in whole or refused in a sentence."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from bottega.errors import InputError
from bottega.index import open_store
from bottega.index.graph import Graph
from bottega.index.outside import read_graph
from bottega.index.snapshot import take_snapshot

from .trees import ask, bottega, refreshed, settled, write

NODES = (
    "key,kind,name,schema,file,batch,domain,body_path\n"
    "dbo.Invoice|TABLE,TABLE,Invoice,dbo,sql\\tables.sql,1,billing,bodies/invoice.sql\n"
    'dbo.Invoice_Create|PROC,PROC,"Invoice_Create",dbo,sql\\procs.sql,2,billing,bodies\\create.sql\n'
    "csharp:MyApp.InvoiceService|TYPE,TYPE,InvoiceService,,src/InvoiceService.cs,,billing,\n"
)
EDGES = (
    "from,to,relation,to_kind,file,batch\n"
    "dbo.Invoice_Create|PROC,dbo.Invoice|TABLE,WritesTo,TABLE,sql\\procs.sql,2\n"
    "csharp:MyApp.InvoiceService|TYPE,dbo.Invoice_Create|PROC,Executes,PROC,src/InvoiceService.cs,\n"
    "dbo.Invoice_Create|PROC,dbo.Customer|TABLE,ReadsFrom,TABLE,sql\\procs.sql,2\n"
)
BODIES = {
    "bodies/invoice.sql": "CREATE TABLE dbo.Invoice (Id int);\n",
    "bodies/create.sql": "CREATE PROC dbo.Invoice_Create AS INSERT dbo.Invoice DEFAULT VALUES;\n",
}


def rows_of(table: str) -> list[dict[str, str]]:
    head, *lines = table.splitlines()
    return [dict(zip(head.split(","), line.replace('"', "").split(","), strict=True)) for line in lines]


def bundle(place: Path, kind: str) -> Path:
    """The same graph in each of the forms in which it may come."""
    if kind == "csv":
        return write(place, {"nodes.csv": NODES, "edges.csv": EDGES, **BODIES})
    if kind == "csv in graph/":
        return write(place, {"graph/nodes.csv": NODES, "graph/edges.csv": EDGES, **BODIES})
    if kind == "semicolons":
        return write(
            place, {"nodes.csv": NODES.replace(",", ";"), "edges.csv": "\ufeff" + EDGES.replace(",", ";"), **BODIES}
        )
    if kind == "windows":
        tables = {"nodes.csv": "\ufeff" + NODES, "edges.csv": EDGES}
        return write(place, {name: table.replace("\n", "\r\n") for name, table in tables.items()} | BODIES)
    graph = json.dumps({"nodes": rows_of(NODES), "edges": rows_of(EDGES)})
    return write(place, {"graph.json" if kind == "json" else "graph/graph.json": graph, **BODIES})


FORMS = ["csv", "csv in graph/", "semicolons", "windows", "json", "json in graph/"]


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_graph(tmp_path: Path, form: str) -> None:
    graph = read_graph(bundle(tmp_path / "bundle", form))
    assert [(node.node, node.kind, node.name, node.path, node.body) for node in graph.nodes] == [
        ("csharp:MyApp.InvoiceService|TYPE", "TYPE", "InvoiceService", "src/InvoiceService.cs", ""),
        ("dbo.Invoice_Create|PROC", "PROC", "Invoice_Create", "sql/procs.sql", BODIES["bodies/create.sql"]),
        ("dbo.Invoice|TABLE", "TABLE", "Invoice", "sql/tables.sql", BODIES["bodies/invoice.sql"]),
        ("dbo.Customer|TABLE", "TABLE", "dbo.Customer", "", ""),
    ]
    assert [(edge.source, edge.target, edge.kind) for edge in graph.edges] == [
        ("csharp:MyApp.InvoiceService|TYPE", "dbo.Invoice_Create|PROC", "Executes"),
        ("dbo.Invoice_Create|PROC", "dbo.Customer|TABLE", "ReadsFrom"),
        ("dbo.Invoice_Create|PROC", "dbo.Invoice|TABLE", "WritesTo"),
    ]


def test_a_table_may_be_named_instead_of_its_folder(tmp_path: Path) -> None:
    place = bundle(tmp_path / "bundle", "csv")
    assert read_graph(place / "nodes.csv").nodes == read_graph(place).nodes


def loaded(root: Path) -> tuple[list[tuple[object, ...]], list[tuple[object, ...]]]:
    return (
        ask(root, "SELECT node, kind, name, path, body FROM outside_nodes ORDER BY node"),
        ask(root, "SELECT source, target, kind FROM outside_edges ORDER BY 1, 2"),
    )


def test_a_loaded_graph_is_walked_together_with_the_code(root: Path) -> None:
    write(root, {"src/InvoiceService.cs": "namespace MyApp;\npublic class InvoiceService { public void Run() {} }\n"})
    ended = bottega(root, "index", "--graph", str(bundle(root.parent / "bundle", "csv")))
    assert ended.code == 0
    assert f"bottega: loaded 4 nodes from {root.parent / 'bundle'}\n" in ended.err
    snapshot = take_snapshot(root, open_store(root).location)
    assert snapshot is not None
    graph = Graph(snapshot.connection)
    (service,) = graph.find("csharp:MyApp.InvoiceService|TYPE")
    assert service.first == 2
    around = graph.find_neighbourhood([service], depth=2, kinds=["Executes", "WritesTo", "ReadsFrom"])
    assert {(edge.source, edge.kind, edge.target) for edge in around.edges} == {
        ("csharp:MyApp.InvoiceService|TYPE", "calls", "dbo.Invoice_Create|PROC"),
        ("dbo.Invoice_Create|PROC", "writes", "dbo.Invoice|TABLE"),
        ("dbo.Invoice_Create|PROC", "reads", "dbo.Customer|TABLE"),
    }
    (proc,) = graph.find("dbo.Invoice_Create|PROC")
    assert graph.text(proc, lambda _: "") == BODIES["bodies/create.sql"]
    snapshot.connection.close()


def test_a_loaded_graph_survives_refreshes_rebuilds_and_damage(root: Path) -> None:
    write(root, {"a.py": "A = 1\n"})
    place = bundle(root.parent / "bundle", "csv")
    assert bottega(root, "index", "--graph", str(place)).code == 0
    before = loaded(root)
    assert len(before[0]) == 4
    (place / "nodes.csv").unlink()  # from now on it is only there
    write(root, {"a.py": "A = 2\n"})
    refreshed(root)
    assert loaded(root) == before
    assert bottega(root, "index", "--rebuild").code == 0
    assert loaded(root) == before
    (root / ".bottega" / "curated.sqlite").write_bytes(b"ruined")
    assert bottega(root, "index").code == 0
    assert loaded(root) == before
    assert bottega(root, "index", "--verify").code == 0


def test_a_graph_that_is_loaded_again_takes_the_place_of_the_old_one(root: Path) -> None:
    write(root, {"a.py": "A = 1\n"})
    place = bundle(root.parent / "bundle", "csv")
    assert bottega(root, "index", "--graph", str(place)).code == 0
    write(place, {"nodes.csv": "key\nonly|THING\n", "edges.csv": "from,to\n"})
    assert bottega(root, "index", "--graph", str(place)).code == 0
    assert loaded(root) == ([("only|THING", "THING", "only", "", "")], [])
    assert bottega(root, "index", "--rebuild").code == 0
    assert loaded(root) == ([("only|THING", "THING", "only", "", "")], [])


def test_graphs_of_several_places_stand_side_by_side(root: Path) -> None:
    write(root, {"a.py": "A = 1\n"})
    for name in ("one", "two"):
        place = write(root.parent / name, {"graph.json": json.dumps({"nodes": [{"key": f"{name}|T"}], "edges": []})})
        assert bottega(root, "index", "--graph", str(place)).code == 0
    assert bottega(root, "index", "--rebuild").code == 0
    assert ask(root, "SELECT node FROM outside_nodes ORDER BY node") == [("one|T",), ("two|T",)]


def test_a_graph_may_be_loaded_before_anything_was_indexed(root: Path) -> None:
    write(root, {"a.py": "A = 1\n"})
    open_store(root).load_graph(bundle(root.parent / "bundle", "json"))
    settled(root)
    assert len(loaded(root)[0]) == 4
    assert bottega(root, "index", "--verify").code == 0


@pytest.mark.parametrize(
    "path",
    [
        "../secret.txt",
        "bodies/../../secret.txt",
        "..\\secret.txt",
        "{outside}",
        "link.txt",
        "linked/secret.txt",
        "bodies",
        "nowhere",
        ".",
        "pipe",
    ],
)
def test_a_body_outside_the_bundle_is_not_read(tmp_path: Path, path: str) -> None:
    outside = write(tmp_path, {"secret.txt": "SECRET\n"}) / "secret.txt"
    node = {"key": "a|T", "body_path": path.format(outside=outside)}
    place = write(tmp_path / "bundle", {"graph.json": json.dumps({"nodes": [node], "edges": []}), "bodies/x": "x"})
    (place / "link.txt").symlink_to(outside)
    (place / "linked").symlink_to(tmp_path)
    os.mkfifo(place / "pipe")
    assert [found.body for found in read_graph(place).nodes] == [""]


@pytest.mark.parametrize("path", ["a\0b", "a" * 5000, "a/" * 3000])
def test_a_body_path_that_is_no_path_is_as_good_as_none(tmp_path: Path, path: str) -> None:
    graph = {"nodes": [{"key": "a|T", "body_path": path}], "edges": []}
    assert [node.body for node in read_graph(write(tmp_path, {"graph.json": json.dumps(graph)})).nodes] == [""]


def table(nodes: str | bytes, edges: str | bytes = "from,to\n") -> dict[str, str | bytes]:
    return {"nodes.csv": nodes, "edges.csv": edges}


BAD: dict[str, dict[str, str | bytes]] = {
    "an empty folder": {"other.txt": ""},
    "nodes without edges": {"nodes.csv": NODES},
    "tables without rows": table("", ""),
    "tables with heads only": table(NODES.splitlines()[0] + "\n", EDGES.splitlines()[0] + "\n"),
    "no column of keys": table("a,b\n1,2\n"),
    "no column of ends": table("key\na|T\n", "a,b\n1,2\n"),
    "tables in latin-1": table("key,name\na|T,Größe\n".encode("latin-1")),
    "tables in utf-16": table(NODES.encode("utf-16")),
    "a field larger than any": table('key,name\na|T,"' + "x" * 200_000 + '"\n'),
    "no JSON": {"graph.json": "nodes and edges"},
    "half a JSON": {"graph.json": '{"nodes": [{"key": "a|T"}'},
    "a list": {"graph.json": "[]"},
    "null": {"graph.json": "null"},
    "bytes": {"graph.json": b"\xff\xfe\x00\x80"},
    "no edges": {"graph.json": '{"nodes": [{"key": "a|T"}]}'},
    "nodes that are a number": {"graph.json": '{"nodes": 5, "edges": []}'},
    "edges that are null": {"graph.json": '{"nodes": [{"key": "a|T"}], "edges": null}'},
    "nodes that are words": {"graph.json": '{"nodes": ["a|T"], "edges": []}'},
    "brackets without end": {"graph.json": "[" * 100_000},
    "half a sign": {"graph.json": '{"nodes": [{"key": "a\\ud800|T"}], "edges": []}'},
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_graph_is_refused_with_one_message(tmp_path: Path, name: str) -> None:
    place = write(tmp_path / "bundle", BAD[name])
    with pytest.raises(InputError) as caught:
        read_graph(place)
    assert str(place) in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("name", ["no JSON", "tables in latin-1", "half a sign"])
def test_a_refused_graph_leaves_the_index_and_later_rebuilds_alone(root: Path, name: str) -> None:
    write(root, {"a.py": "A = 1\n"})
    assert bottega(root, "index", "--graph", str(bundle(root.parent / "good", "json"))).code == 0
    before = loaded(root)
    ended = bottega(root, "index", "--graph", str(write(root.parent / "bad", BAD[name])))
    assert ended.code == 2
    assert ended.err.count("bottega: ") == 1
    assert "Traceback" not in ended.err
    assert loaded(root) == before
    assert bottega(root, "index", "--rebuild").code == 0
    assert loaded(root) == before


def test_a_file_that_is_neither_or_does_not_exist_is_refused(root: Path) -> None:
    write(root, {"a.py": "A = 1\n", "graph.txt": "x"})
    for name, said in (("graph.txt", "is neither JSON nor CSV"), ("nowhere.json", "does not exist")):
        ended = bottega(root, "index", "--graph", name)
        assert ended.code == 2
        assert said in ended.err


def test_a_kept_graph_that_is_damaged_or_not_ours_is_left_aside(root: Path) -> None:
    write(root, {"a.py": "A = 1\n"})
    assert bottega(root, "index", "--graph", str(bundle(root.parent / "good", "json"))).code == 0
    (kept,) = (root / ".bottega" / "graphs").iterdir()
    kept.write_bytes(kept.read_bytes()[:-40])
    strange = {
        "name": "theirs",
        "nodes": [{"node": "x|T", "kind": "T", "name": "x", "path": "", "body": ""}],
        "edges": [],
    }
    write(kept.parent, {"0.json": json.dumps(strange), "1.json": "[]", "2.json": ""})
    assert bottega(root, "index", "--rebuild").code == 0
    assert loaded(root) == ([], [])


def test_odd_values_in_a_graph_are_taken_as_text(tmp_path: Path) -> None:
    nodes = [{"KEY": "a|T", "Name": 5, "body": {"x": 1}}, {"key": 7}, {"key": ""}, {"name": "nameless"}, "word", None]
    edges = [{"from": "a|T", "to": 7, "relation": None, "kind": "FK"}, {"from": "a|T"}, {"from": "a|T", "to": "a|T"}]
    graph = read_graph(write(tmp_path, {"graph.json": json.dumps({"nodes": nodes, "edges": edges})}))
    assert [(node.node, node.kind, node.name, node.body) for node in graph.nodes] == [
        ("7", "7", "7", ""),
        ("a|T", "T", "5", "{'x': 1}"),
    ]
    assert [(edge.source, edge.target, edge.kind) for edge in graph.edges] == [
        ("a|T", "7", "FK"),
        ("a|T", "a|T", "related"),
    ]
