"""`show`: a symbol or a span of lines, with what uses it and what it uses."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from pydantic import Field

from bottega.errors import InputError
from bottega.index import Freshness, KnowledgeBase, KnowledgeReader, Neighbour, Node
from bottega.retrieve.verbs.house import KnowledgeHouse, open_reader
from bottega.source import Span, escape_breaks
from bottega.verbs import FrozenValue, Verb, VerbRequest, VerbResult

_MOST_NEIGHBOURS = 12


class ShowRequest(VerbRequest):
    """A name or a span of lines to show."""

    verb: ClassVar[str] = "show"
    uses_models: ClassVar[bool] = False

    what: str = Field(description="a node key, a name, a path, or path:first-last")
    refresh: bool = Field(True, description="compare the index with the files first")


class ShownNeighbour(FrozenValue):
    """The other end of an edge; `line` is where it is used."""

    node: str
    kind: str
    how: str
    confidence: float
    path: str
    line: int


class ShownChange(FrozenValue):
    """The last commit that touched the file."""

    commit: str
    author: str
    written: str
    message: str


class ShownNode(FrozenValue):
    """A node with the name. `span` is missing if it has no lines here, such as a table of a loaded graph."""

    node: str
    kind: str
    span: Span | None
    text: str
    signature: str = ""
    docstring: str = ""
    callers: tuple[ShownNeighbour, ...] = ()
    callees: tuple[ShownNeighbour, ...] = ()
    last_change: ShownChange | None = None


class ShowResult(VerbResult):
    nodes: tuple[ShownNode, ...]
    freshness: Freshness

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"index: {self.freshness}",)

    def render(self, form: str = "text") -> str:
        del form
        return "".join(_render_node(node) for node in self.nodes)


def show(request: ShowRequest, house: KnowledgeHouse) -> ShowResult:
    """Show every node with the name, or the lines. Raise `InputError` when nothing matches."""
    with open_reader(house, refresh=request.refresh) as reader:
        nodes = tuple(_describe(node, reader, house) for node in _find(request.what, reader))
        return ShowResult(nodes=nodes, freshness=reader.freshness)


def _find(what: str, reader: KnowledgeReader) -> list[Node]:
    if found := reader.graph.find(what):
        return found
    try:
        span = Span.parse(what)
    except InputError:
        if reader.base.get_file_by_path(what.rpartition(":")[0].removeprefix("./")) is not None:
            raise
        span = None
    file = reader.base.get_file_by_path(span.path.removeprefix("./")) if span else None
    if span is None or file is None:
        raise InputError(
            f"nothing here is called {what!r}", hint="Try `bottega search`; lines are written path:first-last."
        )
    if span.first > max(file.lines, 1):
        raise InputError(f"{file.path} has {file.lines} lines", hint="Name lines that exist.")
    return [Node(str(span), "LINES", file.path, file.path, span.first, min(span.last, max(file.lines, 1)), 0)]


def _describe(node: Node, reader: KnowledgeReader, house: KnowledgeHouse) -> ShownNode:
    base = reader.base
    symbols = base.get_symbols_by_node(node.key)
    symbol = next((entry for entry in symbols if (entry.path, entry.first) == (node.path, node.first)), None)
    return ShownNode(
        node=node.key,
        kind=node.kind,
        span=Span(node.path, node.first, node.last) if node.path and node.first else None,
        text=reader.graph.text(node, house.knowledge.read),
        signature=symbol.signature if symbol else "",
        docstring=base.get_docstring(symbol.id) if symbol else "",
        callers=_neighbours(base, symbol.id, "callers") if symbol else (),
        callees=_neighbours(base, symbol.id, "callees") if symbol else (),
        last_change=_last_change(base, node.path),
    )


def _neighbours(base: KnowledgeBase, symbol: int, direction: str) -> tuple[ShownNeighbour, ...]:
    return tuple(_neighbour(entry) for entry in base.get_symbol_neighbors(symbol, direction))


def _neighbour(entry: Neighbour) -> ShownNeighbour:
    return ShownNeighbour(
        node=entry.symbol.node if entry.symbol else entry.path,
        kind=entry.kind,
        how=entry.how,
        confidence=entry.confidence,
        path=entry.path,
        line=entry.line,
    )


def _last_change(base: KnowledgeBase, path: str) -> ShownChange | None:
    file = base.get_file_by_path(path)
    commit = next(iter(base.get_recent_commits_for_file(file.id, 1)), None) if file is not None else None
    if commit is None:
        return None
    message = commit.message.split("\n")[0]
    return ShownChange(commit=commit.hash, author=commit.author, written=commit.written, message=message)


def _render_node(node: ShownNode) -> str:
    lines = [node.node]
    if node.span:
        lines.append(f"{node.span.path}:{node.span.first}-{node.span.last}")
    if change := node.last_change:
        lines.append(f"last changed {change.written[:10]} by {change.author}: {change.message}")
    lines += _render_neighbours("used by", node.callers)
    lines += _render_neighbours("uses", node.callees)
    first = node.span.first if node.span else 0
    text = "".join(f"{number:>6} {line}\n" for number, line in enumerate(node.text.split("\n"), first))
    return "".join(escape_breaks(line) + "\n" for line in lines) + text + "\n"


def _render_neighbours(title: str, neighbours: tuple[ShownNeighbour, ...]) -> list[str]:
    """One line for all neighbours of the same name."""
    counts = Counter(f"{title}: {end.node} ({end.kind}, {end.how}, {end.confidence:g})" for end in neighbours)
    lines = [f"{line} ×{times}" if times > 1 else line for line, times in list(counts.items())[:_MOST_NEIGHBOURS]]
    if len(counts) > _MOST_NEIGHBOURS:
        lines.append(f"{title}: … and {len(counts) - _MOST_NEIGHBOURS} more")
    return lines


SHOW = Verb(ShowRequest, ShowResult, show)
