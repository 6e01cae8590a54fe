"""Neighbourhoods to draw: names that attack, and random graphs of any size."""

from __future__ import annotations

import random
from collections.abc import Sequence

from bottega.index import Edge, Neighbourhood, Node

KINDS = ("TYPE", "METHOD", "FUNCTION", "VARIABLE", "FILE", "TABLE")
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


def surround(name: str) -> Neighbourhood:
    """A node of this name that calls another one and is called by it."""
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


def generate(seed: int, count: int, edges: int) -> Neighbourhood:
    """A random graph with cycles and edges of every kind; depths are those of a walk from the first node."""
    chance = random.Random(seed)
    keys = [f"python:pkg.mod{number % 7}.thing_{number}|{chance.choice(KINDS)}" for number in range(count)]
    pairs = [(keys[number], keys[chance.randrange(max(1, number // 3))]) for number in range(1, count)]
    pairs += [(first, second) for first, second in (chance.sample(keys, 2) for _ in range(edges))]
    found = {}
    for pair in pairs:
        source, target = chance.sample(pair, 2)
        kind = chance.choice(("calls", "inherits", "uses", "contains", "married"))
        found[source, target, kind] = Edge(source, target, kind, "import", chance.choice((0.95, 0.25)))
    depths = _walk(keys[0], list(found.values()))
    nodes = [_build_node(number, key, depths[key]) for number, key in enumerate(keys)]
    nodes.sort(key=lambda node: node.depth)
    return Neighbourhood(tuple(nodes), tuple(found[key] for key in sorted(found)), is_cut=False)


def _build_node(number: int, key: str, depth: int) -> Node:
    name, _, kind = key.rpartition(".")[2].partition("|")
    return Node(key, kind, name, f"pkg/mod{number % 7}.py", number + 1, number + 2, depth)


def _walk(start: str, edges: Sequence[Edge]) -> dict[str, int]:
    depths = {start: 0}
    pending = [start]
    for key in pending:
        for edge in edges:
            for near, far in ((edge.source, edge.target), (edge.target, edge.source)):
                if near == key and far not in depths:
                    depths[far] = depths[key] + 1
                    pending.append(far)
    return depths
