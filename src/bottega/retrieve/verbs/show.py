"""`show`: a symbol or a span of lines, with what uses it and what it uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from bottega.index import AMBIGUOUS, Freshness, KnowledgeBase, KnowledgeReader, Neighbour, Node, SymbolRow
from bottega.retrieve.verbs.house import KnowledgeHouse, open_reader
from bottega.retrieve.verbs.location import find_nodes
from bottega.source import Span, escape_breaks
from bottega.source.git import open_git
from bottega.source.git.blame import find_last_change
from bottega.verbs import FrozenValue, Verb, VerbRequest, VerbResult

_MOST_NEIGHBOURS = 12
_MOST_DOUBTFUL = 4


class ShowRequest(VerbRequest):
    """A name or a span of lines to show."""

    verb: ClassVar[str] = "show"
    uses_models: ClassVar[bool] = False
    uses_index: ClassVar[bool] = True

    what: str = Field(description="a node key, a name, a path, or path:first-last")
    refresh: bool = Field(True, description="compare the index with the files first")


class ShownNeighbour(FrozenValue):
    """The other end of an edge. `location` is where a user uses the node, or where a used node is defined.

    `is_ambiguous` where a definition was chosen among several of the same name.
    """

    node: str
    symbol: str
    kind: str
    how: str
    confidence: float
    location: Span
    times: int
    is_ambiguous: bool


class ShownRelative(FrozenValue):
    """A member of a related type with the same name, and how many uses of it are known."""

    node: str
    symbol: str
    location: Span
    uses: int


class ShownChange(FrozenValue):
    """The last commit that touched the lines, or the file where git cannot tell of the lines.

    `is_committed` is false where lines were changed since.
    """

    commit: str
    author: str
    written: str
    message: str
    of: Literal["lines", "file"]
    is_committed: bool = True


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
    overrides: tuple[ShownRelative, ...] = ()
    overridden_by: tuple[ShownRelative, ...] = ()
    last_change: ShownChange | None = None


class ShowResult(VerbResult):
    nodes: tuple[ShownNode, ...]
    freshness: Freshness

    @property
    def notes(self) -> tuple[str, ...]:
        return (f"index: {self.freshness}",)

    def render(self, form: str = "text") -> str:
        del form
        listed = "".join(f"{escape_breaks(_render_heading(node))}\n" for node in self.nodes)
        head = f"{len(self.nodes)} definitions:\n{listed}\n" if len(self.nodes) > 1 else ""
        return head + "".join(_render_node(node) for node in self.nodes)


def show(request: ShowRequest, house: KnowledgeHouse) -> ShowResult:
    """Show every node with the name, or the lines. Raise `InputError` when nothing matches."""
    with open_reader(house, refresh=request.refresh) as reader:
        nodes = tuple(_describe(node, reader, house) for node in find_nodes(request.what, reader))
        return ShowResult(nodes=nodes, freshness=reader.freshness)


def _describe(node: Node, reader: KnowledgeReader, house: KnowledgeHouse) -> ShownNode:
    base = reader.base
    symbols = base.get_symbols_by_node(node.key)
    symbol = next((entry for entry in symbols if (entry.path, entry.first) == (node.path, node.first)), None)
    span = Span(node.path, node.first, node.last) if node.path and node.first else None
    return ShownNode(
        node=node.key,
        kind=node.kind,
        span=span,
        text=reader.graph.text(node, house.knowledge.read),
        signature=symbol.signature if symbol else "",
        docstring=base.get_docstring(symbol.id) if symbol else "",
        callers=tuple(map(_build_caller, base.get_symbol_neighbors(symbol.id, "callers"))) if symbol else (),
        callees=tuple(map(_build_callee, base.get_symbol_neighbors(symbol.id, "callees"))) if symbol else (),
        overrides=_build_relatives(base, base.get_overridden(symbol)) if symbol else (),
        overridden_by=_build_relatives(base, base.get_overriding(symbol)) if symbol else (),
        last_change=_find_last_change(reader, span) if span else None,
    )


def _build_caller(entry: Neighbour) -> ShownNeighbour:
    return _build_neighbour(entry, Span(entry.path, max(entry.line, 1), max(entry.line, 1)))


def _build_callee(entry: Neighbour) -> ShownNeighbour:
    return _build_neighbour(entry, entry.symbol.span if entry.symbol else Span(entry.path, 1, 1))


def _build_neighbour(entry: Neighbour, location: Span) -> ShownNeighbour:
    return ShownNeighbour(
        node=entry.symbol.node if entry.symbol else entry.path,
        symbol=entry.symbol.qualified if entry.symbol else "",
        kind=entry.kind,
        how=entry.how,
        confidence=entry.confidence,
        location=location,
        times=entry.times,
        is_ambiguous=entry.how == AMBIGUOUS,
    )


def _build_relatives(base: KnowledgeBase, members: Sequence[SymbolRow]) -> tuple[ShownRelative, ...]:
    return tuple(
        ShownRelative(
            node=member.node,
            symbol=member.qualified,
            location=member.span,
            uses=len(base.get_symbol_neighbors(member.id, "callers")),
        )
        for member in members
    )


def _find_last_change(reader: KnowledgeReader, span: Span) -> ShownChange | None:
    git = open_git(reader.root)
    change = find_last_change(git, span) if git is not None else None
    if change is not None:
        return ShownChange(
            commit=change.commit,
            author=change.author,
            written=change.written,
            message=change.message,
            of="lines",
            is_committed=change.is_committed,
        )
    file = reader.base.get_file_by_path(span.path)
    commit = next(iter(reader.base.get_recent_commits_for_file(file.id, 1)), None) if file is not None else None
    if commit is None:
        return None
    message = commit.message.split("\n")[0]
    return ShownChange(commit=commit.hash, author=commit.author, written=commit.written, message=message, of="file")


def _render_heading(node: ShownNode) -> str:
    return f"{node.span}  {node.node}" if node.span else node.node


def _render_node(node: ShownNode) -> str:
    lines = [node.node]
    if node.span:
        lines.append(f"{node.span.path}:{node.span.first}-{node.span.last}")
    if node.last_change:
        lines.append(_render_change(node.last_change))
    lines += [f"overrides: {_render_relative(member)}" for member in node.overrides]
    lines += [f"overridden by: {_render_relative(member)}" for member in node.overridden_by[:_MOST_NEIGHBOURS]]
    lines += _render_neighbours("used by", node.callers)
    lines += _render_neighbours("uses", node.callees)
    first = node.span.first if node.span else 0
    text = "".join(f"{number:>6} {line}\n" for number, line in enumerate(node.text.split("\n"), first))
    return "".join(escape_breaks(line) + "\n" for line in lines) + text + "\n"


def _render_change(change: ShownChange) -> str:
    if not change.commit:
        return "last changed: not committed yet"
    subject = "last changed" if change.of == "lines" else "file last changed"
    since = "" if change.is_committed else " (and since, not committed)"
    return f"{subject} {change.written[:10]} by {change.author}: {change.message}{since}"


def _render_relative(member: ShownRelative) -> str:
    return f"{member.location}  {member.symbol} (used {member.uses}×)"


def _render_neighbours(title: str, neighbours: tuple[ShownNeighbour, ...]) -> list[str]:
    """One line for all neighbours at the same place; those that are one of several candidates come last."""
    sure = [end for end in neighbours if not end.is_ambiguous]
    doubtful = [end for end in neighbours if end.is_ambiguous]
    lines = []
    for name, ends, most in ((title, sure, _MOST_NEIGHBOURS), (f"perhaps {title}", doubtful, _MOST_DOUBTFUL)):
        shown: dict[str, int] = {}
        for end in ends:
            line = f"{name}: {end.location}  {_render_end(end)}"
            shown[line] = shown.get(line, 0) + end.times
        lines += [f"{line} ×{times}" if times > 1 else line for line, times in list(shown.items())[:most]]
        if len(shown) > most:
            lines.append(f"{name}: … and {len(shown) - most} more")
    return lines


def _render_end(end: ShownNeighbour) -> str:
    return f"{end.symbol} ({end.kind}, {end.how}, {end.confidence:g})".lstrip()


SHOW = Verb(ShowRequest, ShowResult, show)
