"""`graph`: the neighbourhood of a symbol or a file."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from bottega.errors import InputError
from bottega.index import Edge, Freshness, KnowledgeReader, Neighbourhood, Node
from bottega.retrieve.picture import as_html, as_mermaid, as_svg, as_text
from bottega.retrieve.verbs.house import KnowledgeHouse, open_reader
from bottega.retrieve.verbs.location import build_hint
from bottega.source import Span
from bottega.verbs import FrozenValue, Verb, VerbRequest, VerbResult


class GraphRequest(VerbRequest):
    """Where to begin, and how far to walk."""

    verb: ClassVar[str] = "graph"
    uses_models: ClassVar[bool] = False
    uses_index: ClassVar[bool] = True

    node: str = Field(description="a node key, a name, or a path")
    depth: int = Field(1, ge=0, le=6, description="how many edges away")
    limit: int = Field(60, ge=1, le=2000, description="at most so many nodes")
    edges: tuple[str, ...] = Field((), description="only these kinds of edges; none means all")
    direction: Literal["both", "in", "out"] = Field("both", description="along or against the arrows")
    refresh: bool = Field(True, description="compare the index with the files first")


class GraphNode(FrozenValue):
    """A node; `depth` is its distance from the start. `span` is missing if it has no lines in the repository.

    `left_out` counts its neighbours that `limit` left out; it is null where the walk ended, so that nobody counted.
    """

    key: str
    kind: str
    name: str
    span: Span | None
    depth: int
    signature: str = ""
    left_out: int | None = None


class GraphEdge(FrozenValue):
    """An edge; `how` says how it was resolved, `confidence` how sure that is."""

    source: str
    target: str
    kind: str
    how: str
    confidence: float


class GraphResult(VerbResult):
    """`truncated` when `limit` left nodes out; `left_out` counts those next to the nodes here."""

    formats: ClassVar[tuple[str, ...]] = ("text", "json", "mermaid", "svg", "html")

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    truncated: bool
    left_out: int = 0
    freshness: Freshness

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"index: {self.freshness}",)

    def render(self, form: str = "text") -> str:
        return self.render_linked(form, "")

    def render_linked(self, form: str, base: str) -> str:
        """Render for a directory from which the root of the repository is at `base`, which is empty or ends in `/`."""
        if form == "html":
            return as_html(self.as_json(), base)
        found = Neighbourhood(
            tuple(map(_node, self.nodes)), tuple(map(_edge, self.edges)), self.truncated, self.left_out
        )
        return as_svg(found, base) if form == "svg" else as_mermaid(found) if form == "mermaid" else as_text(found)


def graph(request: GraphRequest, house: KnowledgeHouse) -> GraphResult:
    """Walk from a node. Raise `InputError` when nothing has the name."""
    with open_reader(house, refresh=request.refresh) as reader:
        start = reader.graph.find(request.node)
        if not start:
            raise InputError(f"nothing here is called {request.node!r}", hint=build_hint(request.node, reader))
        found = reader.graph.find_neighbourhood(
            start,
            depth=request.depth,
            most=request.limit,
            kinds=list(request.edges) or None,
            direction=request.direction,
            takes_turns=True,
        )
        return GraphResult(
            nodes=tuple(_describe(node, found, reader, is_last=node.depth == request.depth) for node in found.nodes),
            edges=tuple(GraphEdge(**edge._asdict()) for edge in found.edges),
            truncated=found.is_cut,
            left_out=found.left_out,
            freshness=reader.freshness,
        )


def _describe(node: Node, found: Neighbourhood, reader: KnowledgeReader, *, is_last: bool) -> GraphNode:
    symbols = reader.base.get_symbols_by_node(node.key)
    return GraphNode(
        key=node.key,
        kind=node.kind,
        name=node.name,
        span=_span(node),
        depth=node.depth,
        signature=symbols[0].signature if symbols else "",
        left_out=None if is_last else found.missing.get(node.key, 0),
    )


def _span(node: Node) -> Span | None:
    return Span(node.path, node.first, node.last) if node.path and node.first else None


def _node(node: GraphNode) -> Node:
    span = node.span
    return Node(
        node.key,
        node.kind,
        node.name,
        span.path if span else "",
        span.first if span else 0,
        span.last if span else 0,
        node.depth,
    )


def _edge(edge: GraphEdge) -> Edge:
    return Edge(edge.source, edge.target, edge.kind, edge.how, edge.confidence)


GRAPH = Verb(GraphRequest, GraphResult, graph)
