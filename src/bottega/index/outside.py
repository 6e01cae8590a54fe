"""Load graphs made by other tools: RoslynIndexer, or anything that writes the same format."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from bottega.errors import InputError
from bottega.home import NAME, make_private_directory, seal_of

_LARGEST = 500_000_000
_LARGEST_BODY = 1_000_000


@dataclass(frozen=True, slots=True)
class OutsideNode:
    node: str
    kind: str
    name: str
    path: str
    body: str


@dataclass(frozen=True, slots=True)
class OutsideEdge:
    source: str
    target: str
    kind: str


@dataclass(frozen=True, slots=True)
class OutsideGraph:
    name: str
    nodes: tuple[OutsideNode, ...]
    edges: tuple[OutsideEdge, ...]


def read_graph(place: Path) -> OutsideGraph:
    """Read `graph.json`, or `nodes.csv` with `edges.csv` beside it, or the folder that holds them.

    Raise `InputError` for anything else; an edge to a node that is not listed creates the node.
    """
    file = _find_main_file(place)
    nodes, edges = _read_json(file) if file.suffix == ".json" else _read_tables(file)
    listed = {str(row.get("key", "")): row for row in nodes if row.get("key")}
    if not listed:
        raise InputError(f"{place} holds no nodes", hint="A node has at least a key, such as dbo.Invoice|TABLE.")
    bundle = file.parent.parent if file.parent.name == "graph" else file.parent
    made = [_parse_node(key, row, bundle) for key, row in sorted(listed.items())]
    bound = sorted(
        {_parse_edge(row) for row in edges if row.get("from") and row.get("to")},
        key=lambda edge: (edge.source, edge.target, edge.kind),
    )
    missing = sorted({end for edge in bound for end in (edge.source, edge.target)} - listed.keys())
    made += [OutsideNode(key, key.rpartition("|")[2].upper(), key.partition("|")[0], "", "") for key in missing]
    return OutsideGraph(_name_graph(place), tuple(made), tuple(bound))


def save_graph(graph: OutsideGraph, folder: Path) -> Path:
    """Save a copy beside the index, so that a rebuild can load it again."""
    kept = folder / "graphs"
    if folder.name == NAME:
        make_private_directory(kept)
    kept.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = kept / f"{blake2b(graph.name.encode(), digest_size=8).hexdigest()}.json"
    file.write_text(json.dumps({"seal": seal_of(folder), **asdict(graph)}, ensure_ascii=False), encoding="utf-8")
    return file


def load_graphs(folder: Path) -> Iterator[OutsideGraph]:
    """Graphs that this user loaded; those that came with a repository are ignored."""
    for file in sorted((folder / "graphs").glob("*.json")):
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            continue
        if not isinstance(kept, dict) or kept.get("seal") != seal_of(folder):
            continue
        yield OutsideGraph(
            kept["name"],
            tuple(OutsideNode(**row) for row in kept["nodes"]),
            tuple(OutsideEdge(**row) for row in kept["edges"]),
        )


def write_graph(connection: sqlite3.Connection, graph: OutsideGraph) -> None:
    """Put a graph in place of the one of that name."""
    connection.execute("DELETE FROM outside_nodes WHERE graph = ?", (graph.name,))
    connection.execute("DELETE FROM outside_edges WHERE graph = ?", (graph.name,))
    connection.executemany(
        "INSERT INTO outside_nodes VALUES (?, ?, ?, ?, ?, 0, 0, ?)",
        ((graph.name, node.node, node.kind, node.name, node.path, node.body) for node in graph.nodes),
    )
    connection.executemany(
        "INSERT OR IGNORE INTO outside_edges VALUES (?, ?, ?, ?)",
        ((graph.name, edge.source, edge.target, edge.kind) for edge in graph.edges),
    )


def _find_main_file(place: Path) -> Path:
    if place.is_dir():
        for inner in ("graph.json", "nodes.csv", "graph/graph.json", "graph/nodes.csv"):
            if (place / inner).is_file():
                return place / inner
        raise InputError(f"{place} holds neither graph.json nor nodes.csv", hint="Name the folder of the graph.")
    if not place.is_file():
        raise InputError(f"{place} does not exist", hint="Name graph.json, nodes.csv, or their folder.")
    if place.suffix not in {".json", ".csv"}:
        raise InputError(f"{place} is neither JSON nor CSV", hint="Name graph.json, nodes.csv, or their folder.")
    return place


def _read_json(file: Path) -> tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]:
    try:
        if file.stat().st_size > _LARGEST:
            raise InputError(f"{file} is too large", hint="Split the graph.")
        data = json.loads(file.read_text(encoding="utf-8-sig"))
        nodes, edges = list(data["nodes"]), list(data["edges"])
        json.dumps([nodes, edges], ensure_ascii=False).encode()  # lone surrogates cannot be stored
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{file} is not a graph: {error}", hint='It reads {"nodes": […], "edges": […]}.') from None
    return [_lower_keys(row) for row in nodes if isinstance(row, dict)], [
        _lower_keys(row) for row in edges if isinstance(row, dict)
    ]


def _read_tables(file: Path) -> tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]]:
    edges = file.with_name("edges.csv")
    if not edges.is_file():
        raise InputError(f"{edges} is missing", hint="nodes.csv and edges.csv lie side by side.")
    return _read_table(file, "key"), _read_table(edges, "from")


def _read_table(file: Path, column: str) -> Sequence[Mapping[str, Any]]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as text:
            sample = text.readline()
            text.seek(0)
            sign = ";" if sample.count(";") > sample.count(",") else ","
            rows = [_lower_keys(row) for row in csv.DictReader(text, delimiter=sign)]
    except (ValueError, csv.Error) as error:
        raise InputError(f"{file} is not a table: {error}", hint="Write it as CSV in UTF-8.") from None
    if rows and column not in rows[0]:
        raise InputError(f"{file} has no column {column!r}", hint="Its first line names the columns.")
    return rows


def _lower_keys(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key).strip().lower(): value for key, value in row.items() if key is not None}


def _parse_node(key: str, row: Mapping[str, Any], bundle: Path) -> OutsideNode:
    kind = str(row.get("kind") or key.rpartition("|")[2]).upper()
    body = (
        row.get("body") or row.get("text") or _read_body(str(row.get("body_path") or row.get("bodypath") or ""), bundle)
    )
    path = str(row.get("file") or row.get("path") or "").replace("\\", "/")
    return OutsideNode(key, kind, str(row.get("name") or key.partition("|")[0]), path, str(body))


def _parse_edge(row: Mapping[str, Any]) -> OutsideEdge:
    kind = row.get("relation") or row.get("kind") or row.get("type") or "related"
    return OutsideEdge(str(row["from"]), str(row["to"]), str(kind))


def _read_body(path: str, bundle: Path) -> str:
    """The content of a file inside the bundle; files outside are not read."""
    if not path:
        return ""
    try:
        place = (bundle / path.replace("\\", "/")).resolve()
        if not place.is_relative_to(bundle.resolve()) or not place.is_file() or place.stat().st_size > _LARGEST_BODY:
            return ""
        return place.read_text(encoding="utf-8", errors="replace")
    except (OSError, ValueError):  # too long, or no path at all
        return ""


def _name_graph(place: Path) -> str:
    return str(place.resolve())
