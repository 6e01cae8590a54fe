"""Walk the graph: a bounded neighbourhood of some nodes, and the text of a node."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bottega.errors import InputError
from bottega.index.knowledge import KnowledgeBase, SymbolRow
from bottega.index.rows import file_key
from bottega.source import Span
from bottega.source.text import is_text

# Names of edge kinds in other tools.
_ALSO = {
    "readsfrom": "reads",
    "writesto": "writes",
    "executes": "calls",
    "referencedby": "refers",
    "fk": "uses",
    "on": "uses",
    "synonymfor": "refers",
}
_LEAST_SURE = 0.5
# Names that are looked for at once.
_MOST_NAMES = 40
_ESCAPE = str.maketrans({"%": r"\%", "_": r"\_", "\\": r"\\"})
KINDS = ("calls", "inherits", "uses", "refers", "reads", "writes", "imports", "tests", "contains")


class Node(NamedTuple):
    """A symbol, a file or a node of a loaded graph. `depth` is its distance from the start of the walk."""

    key: str
    kind: str
    name: str
    path: str
    first: int
    last: int
    depth: int


class Edge(NamedTuple):
    source: str
    target: str
    kind: str
    how: str
    confidence: float

    @property
    def is_sure(self) -> bool:
        """False for one of several candidates, and for a guess by name."""
        return self.confidence >= _LEAST_SURE


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """Nodes and edges; `is_cut` when the limit left some out.

    `left_out` counts the nodes next to the included ones that the limit left out; there may be more behind them.
    `missing` counts them for each included node.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    is_cut: bool
    left_out: int = 0
    missing: Mapping[str, int] = field(default_factory=dict)


class _Step(NamedTuple):
    edge: Edge
    other: Node


class Graph:
    """Symbols, files and the nodes of loaded graphs as one graph."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._base = KnowledgeBase(connection)

    def find(self, text: str) -> list[Node]:
        """Nodes by key, by path, by qualified name or by name; the first kind that matches."""
        if not is_text(text):
            return []
        symbols = self._base.get_symbols_by_node(text)
        if symbols:
            return _deduplicate(_build_symbol_node(symbol, 0) for symbol in symbols)
        outside = self._find_outside(text)
        if outside is not None:
            return [outside]
        path = text.removesuffix("|FILE").partition(":")[2] if text.endswith("|FILE") else text
        file = self._find_file(path, 0)
        if file is not None:
            return [file]
        return _deduplicate(_build_symbol_node(symbol, 0) for symbol in self._find_by_name(text))

    def find_neighbourhood(
        self,
        nodes: Sequence[Node],
        *,
        depth: int = 1,
        most: int = 60,
        kinds: Iterable[str] | None = None,
        direction: str = "both",
        takes_turns: bool = False,
    ) -> Neighbourhood:
        """Walk breadth first, edges of higher confidence first; only edges between included nodes are returned.

        `takes_turns` takes sure edges of every kind and direction in turn, so that a limit leaves some of each.
        """
        allowed = None if kinds is None else {_ALSO.get(kind.lower(), kind.lower()) for kind in kinds}
        self._check(allowed or set())
        seen = {node.key: node for node in nodes[:most]}
        edges: dict[tuple[str, str, str], Edge] = {}
        pending = deque(seen.values())
        missing: dict[str, set[str]] = defaultdict(set)
        if seen:
            missing[nodes[0].key].update(node.key for node in nodes[most:])
        while pending:
            node = pending.popleft()
            if node.depth >= depth:
                continue
            steps = self._list_steps(node, direction, allowed)
            for edge, other in _take_turns(steps, node.key) if takes_turns else steps:
                if other.key not in seen:
                    if len(seen) >= most:
                        missing[node.key].add(other.key)
                        continue
                    seen[other.key] = other._replace(depth=node.depth + 1)
                    pending.append(seen[other.key])
                edges.setdefault((edge.source, edge.target, edge.kind), edge)
        left_out = len(set().union(*missing.values()))
        return Neighbourhood(
            nodes=tuple(seen.values()),
            edges=tuple(edges[key] for key in sorted(edges)),
            is_cut=left_out > 0,
            left_out=left_out,
            missing={key: len(others) for key, others in missing.items()},
        )

    def _check(self, kinds: set[str]) -> None:
        outside = self._connection.execute("SELECT DISTINCT lower(kind) FROM outside_edges")
        known = {*KINDS, *(_ALSO.get(kind, kind) for (kind,) in outside)}
        if kinds - known:
            raise InputError(
                f"there is no kind of edge {sorted(kinds - known)[0]!r}", hint=f"Kinds: {', '.join(sorted(known))}."
            )

    def text(self, node: Node, read: Callable[[Span], str]) -> str:
        """The text of a node: its current lines, or the body that came with a loaded graph."""
        row = self._connection.execute("SELECT body FROM outside_nodes WHERE node = ?", (node.key,)).fetchone()
        if row and row[0]:
            return str(row[0])
        return read(Span(node.path, node.first, node.last)) if node.path and node.first else ""

    def _list_steps(self, node: Node, direction: str, allowed: set[str] | None) -> list[_Step]:
        steps: list[_Step] = []
        if direction in {"both", "out"}:
            steps += self._list_edge_steps(node, "source", "target", allowed)
        if direction in {"both", "in"}:
            steps += self._list_edge_steps(node, "target", "source", allowed)
        steps += self._list_outside_steps(node, direction)
        if allowed is None or "contains" in allowed:
            steps += self._list_contained(node, direction)
        kept = [step for step in steps if step.other.key != node.key and (allowed is None or step.edge.kind in allowed)]
        return sorted(kept, key=lambda step: (-step.edge.confidence, step.edge.kind, step.other.key))

    def _list_edge_steps(self, node: Node, near: str, far: str, allowed: set[str] | None) -> list[_Step]:
        found = []
        for column, value in self._list_ends(node):
            query = (
                f"SELECT e.kind, e.how, e.confidence, e.{far}_symbol, f.path, f.language, f.lines, s.node, s.name,"  # noqa: S608 - fixed words
                f" s.first_line, s.last_line FROM edges e JOIN files f ON f.id = e.{far}_file"
                f" LEFT JOIN symbols s ON s.id = e.{far}_symbol WHERE e.{near}_{column} = ?"
                f" AND e.{near}_symbol {'= 0' if column == 'file' else '> 0'}"  # for the index on symbols
            )
            for kind, how, confidence, symbol, *end in self._connection.execute(query, (value,)):
                other = _build_far_end(symbol, *end) if allowed is None or kind in allowed else None
                if other is not None:
                    a, b = (node.key, other.key) if near == "source" else (other.key, node.key)
                    found.append(_Step(Edge(a, b, kind, how, confidence), other))
        return found

    def _list_ends(self, node: Node) -> list[tuple[str, int]]:
        symbols = self._base.get_symbols_by_node(node.key)
        if symbols:
            return [("symbol", symbol.id) for symbol in symbols]
        file = self._base.get_file_by_path(node.path)
        return [("file", file.id)] if file is not None and node.kind == "FILE" else []

    def _find_end(self, file_id: int, symbol_id: int) -> Node | None:
        if symbol_id:
            symbol = self._base.get_symbol(symbol_id)
            return None if symbol is None else _build_symbol_node(symbol, 0)
        file = self._base.get_file_by_id(file_id)
        return None if file is None else self._find_file(file.path, 0)

    def _list_contained(self, node: Node, direction: str) -> list[_Step]:
        """Steps to what a file or a symbol contains, and to what contains it."""
        found = []
        if node.kind == "FILE":
            held = self._base.get_file_by_path(node.path)
            inner = [s for s in self._base.get_symbols_for_file(held.id) if s.parent_id is None] if held else []
            outer: list[Node] = []
        else:
            symbols = self._base.get_symbols_by_node(node.key)
            parents = {symbol.id for symbol in symbols}
            files = dict.fromkeys(symbol.file_id for symbol in symbols)
            inner = [s for file in files for s in self._base.get_symbols_for_file(file) if s.parent_id in parents]
            outer = [n for s in symbols if (n := self._find_end(s.file_id, s.parent_id or 0)) is not None]
        if direction in {"both", "out"}:
            found += [_Step(Edge(node.key, s.node, "contains", "syntax", 1.0), _build_symbol_node(s, 0)) for s in inner]
        if direction in {"both", "in"}:
            found += [_Step(Edge(other.key, node.key, "contains", "syntax", 1.0), other) for other in outer]
        return found

    def _list_outside_steps(self, node: Node, direction: str) -> list[_Step]:
        found = []
        for near, far, wanted in (("source", "target", "out"), ("target", "source", "in")):
            if direction not in {"both", wanted}:
                continue
            query = f"SELECT {far}, kind FROM outside_edges WHERE {near} = ?"  # noqa: S608 - fixed words
            for other_key, kind in self._connection.execute(query, (node.key,)).fetchall():
                other = next(iter(self.find(other_key)), None) or Node(other_key, "", other_key, "", 0, 0, 0)
                a, b = (node.key, other.key) if near == "source" else (other.key, node.key)
                label = _ALSO.get(str(kind).lower(), str(kind).lower())
                found.append(_Step(Edge(a, b, label, "outside graph", 1.0), other))
        return found

    def _find_outside(self, key: str) -> Node | None:
        row = self._connection.execute(
            "SELECT node, kind, name, path, first_line, last_line FROM outside_nodes WHERE node = ?", (key,)
        ).fetchone()
        return None if row is None else Node(row[0], row[1], row[2], row[3], row[4], row[5], 0)

    def find_outside_named(self, words: Iterable[str], limit: int = 8) -> list[Node]:
        """Nodes of loaded graphs with one of these names, in whole or after their schema, whatever the case."""
        wanted = sorted({word.lower() for word in words})[:_MOST_NAMES]
        if not wanted:
            return []
        marks = ",".join("?" * len(wanted))
        ends = " OR ".join(["lower(name) LIKE ? ESCAPE '\\'"] * len(wanted))
        query = (
            "SELECT node, kind, name, path, first_line, last_line FROM outside_nodes"  # noqa: S608 - only question marks
            f" WHERE lower(name) IN ({marks}) OR {ends} ORDER BY node LIMIT ?"
        )
        tails = [f"%.{word.translate(_ESCAPE)}" for word in wanted]
        rows = self._connection.execute(query, [*wanted, *tails, limit]).fetchall()
        return [Node(row[0], row[1], row[2], row[3], row[4], row[5], 0) for row in rows]

    def _find_file(self, path: str, depth: int) -> Node | None:
        file = self._base.get_file_by_path(path)
        if file is None:
            return None
        return _build_file_node(path, file.language, file.lines)._replace(depth=depth)

    def _find_by_name(self, text: str) -> list[SymbolRow]:
        """Symbols by their name, with or without what they lie in; as code, messages and traces write it."""
        for wanted in _list_spellings(text):
            last = wanted.rpartition(".")[2]
            found = self._base.search_symbols_by_name(last.lstrip("#"), 500)
            same = [s for s in found if _plain(s.name) == _plain(last) and s.kind != "section"]
            whole = [s for s in same if _plain(f".{_get_dotted_path(s)}").endswith(_plain(f".{wanted}"))]
            if whole or (same and "." not in wanted):
                return whole or same
        return []


def _list_spellings(text: str) -> Iterator[str]:
    """The dotted forms of a name; from the outermost part on, less of what it lies in.

    `Type::name` in Rust and C++, `(*Type).name` and `module/package.Type` in Go, `Type#name` in Java and Ruby; a name
    may begin with `#` in JavaScript.
    """
    plain = re.sub(r"\(\*?(\w+)\)", r"\1", text).rpartition("/")[2].replace("::", ".")
    dotted = plain if re.search(r"(?:^|\.)#", plain) else plain.replace("#", ".")
    parts = dotted.split(".")
    yield dotted
    for start in range(1, len(parts) - 1):
        yield ".".join(parts[start:])


def _plain(name: str) -> str:
    return name.lower().replace("#", "")


def _take_turns(steps: Sequence[_Step], key: str) -> list[_Step]:
    """The first step of each kind and direction, then the second of each, and so on; doubtful steps last."""
    seen: Counter[tuple[bool, str, bool]] = Counter()
    ranked = []
    for step in steps:
        is_doubtful = not step.edge.is_sure
        group = (is_doubtful, step.edge.kind, step.edge.source == key)
        ranked.append(((is_doubtful, seen[group]), step))
        seen[group] += 1
    return [step for _, step in sorted(ranked, key=lambda entry: entry[0])]


def _get_dotted_path(symbol: SymbolRow) -> str:
    """The key without language and kind, its parts joined by dots."""
    name = symbol.node.rpartition("|")[0]
    return (name.partition(":")[2] if ":" in name else name).replace("/", ".")


def _build_far_end(
    symbol: int, path: str, language: str, lines: int, key: str | None, name: str, first: int, last: int
) -> Node | None:
    """The node at the other end of an edge; `None` for a symbol that no longer exists."""
    if not symbol:
        return _build_file_node(path, language, lines)
    return None if key is None else Node(key, key.rpartition("|")[2], name, path, first, last, 0)


def _build_file_node(path: str, language: str, lines: int) -> Node:
    return Node(file_key(language, path), "FILE", path.rsplit("/", 1)[-1], path, 1, max(lines, 1), 0)


def _build_symbol_node(symbol: SymbolRow, depth: int) -> Node:
    kind = symbol.node.rpartition("|")[2]
    return Node(symbol.node, kind, symbol.name, symbol.path, symbol.first, symbol.last, depth)


def _deduplicate(nodes: Iterable[Node]) -> list[Node]:
    """One node for each key: of several definitions the longest, because a stub of an overload is none of the code."""
    chosen: dict[str, Node] = {}
    for node in nodes:
        known = chosen.setdefault(node.key, node)
        if node.path == known.path and node.last - node.first > known.last - known.first:
            chosen[node.key] = node
    return list(chosen.values())
