"""What `ask` reads from the knowledge base of a repository: search results, graph neighbours, lines and facts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from bottega.ask.state import AskSettings
from bottega.ask.tools import AskTools, RepositoryView
from bottega.errors import InputError, SettingsError
from bottega.index import Edge, Graph, Knowledge, KnowledgeBase, KnowledgeReader, Neighbour, Node
from bottega.pipeline import House, Pipeline
from bottega.retrieve.context import (
    HEADING_TOKENS,
    SURE,
    ContextPackage,
    ContextTask,
    ContextUnit,
    FileOutline,
    assemble_context,
    join_units,
    outline_candidates,
)
from bottega.retrieve.search import SearchQuery
from bottega.retrieve.shared import find_symbols
from bottega.settings import UserFiles
from bottega.source import Span
from bottega.source.git import open_git
from bottega.source.tree import DiskFiles

_MOST_NEIGHBOURS = 6
_LONGEST_FACT = 300
_LONGEST_PROMPT = 8_000
_SHORTEST_NAME = 3
_SHORTEST_COMMIT = 7
# Files of the search for lines that say what a sentence says.
_SIMILAR = 8
_MOST_SIGNATURE_LINES = 12


@contextmanager
def open_tools(house: House) -> Iterator[AskTools]:
    """Open each repository when it is first used, and keep its snapshot until the context ends."""
    with ExitStack() as stack:
        views: dict[str, IndexedRepository] = {}

        def open_repository(name: str) -> RepositoryView:
            if name not in views:
                views[name] = IndexedRepository(_find_knowledge(house, name), stack, house)
            return views[name]

        own, files = UserFiles.of(house.environ), DiskFiles(house.root)

        def read_prompt(name: str) -> str:
            return own.read_instructions(name, files, "prompt", _LONGEST_PROMPT)

        yield AskTools(open_repository, house.journal.chats, house.settings.budget, read_prompt, house.journal.facts)


def _find_knowledge(house: House, name: str) -> Knowledge:
    return house.open_knowledge(_find_root(house, name)) if name else house.knowledge


def _find_root(house: House, name: str) -> Path:
    """The root of a repository by its name in the settings; "" is the one at hand."""
    repositories = house.settings.ask.repositories
    if not name:
        return house.root
    if name not in repositories:
        raise SettingsError(
            f"the pipeline reads the repository {name}, which ask.repositories does not list",
            hint=f'Add it to your own settings: ask.repositories.{name} = "/path/to/it".',
        )
    return Path(repositories[name]).expanduser()


def check_index(pipeline: Pipeline, house: House) -> None:
    """Raise where a pipeline's repository has no place, or its `active_index` is not what is checked out there.

    The index follows the working tree, so the branch or commit that is checked out decides.
    """
    settings = AskSettings.model_validate(
        {key: value for key, value in pipeline.settings.items() if key in AskSettings.model_fields}
    )
    if not settings.repository and not settings.active_index:
        return
    root = _find_root(house, settings.repository)
    wanted = settings.active_index
    if not wanted:
        return
    git = open_git(root)
    commit, branch = (git.head(), git.branch()) if git else ("", "")
    if wanted != branch and not (len(wanted) >= _SHORTEST_COMMIT and commit.startswith(wanted)):
        at = f"{branch or 'no branch'}, commit {commit[:9] or 'none'}"
        raise InputError(
            f"{pipeline.name} needs the index of {wanted}; the index here is of {at}",
            hint=f"Check out {wanted}, or change active_index in the pipeline: a branch, or a commit of at least "
            f"{_SHORTEST_COMMIT} digits.",
        )


class IndexedRepository:
    """One snapshot of an index, open until the stack closes."""

    def __init__(self, knowledge: Knowledge, stack: ExitStack, house: House | None = None) -> None:
        self._knowledge = knowledge
        self._stack = stack
        self._house = house

    @cached_property
    def _reader(self) -> KnowledgeReader:
        house = self._house
        if house is None:
            return self._stack.enter_context(self._knowledge.reading())
        return self._stack.enter_context(self._knowledge.reading(progress=house.progress, remark=house.remark))

    @property
    def _base(self) -> KnowledgeBase:
        return self._reader.base

    @property
    def _graph(self) -> Graph:
        return self._reader.graph

    def assemble(self, task: ContextTask, tokens: int, count: Callable[[str], int]) -> ContextPackage:
        package = assemble_context(task, self._reader, tokens, count)
        loaded = self._list_loaded(task.text, tokens, count)
        if not loaded:
            return package
        first = len(loaded)
        moved = [replace(unit, rank=unit.rank + first) for unit in package.units]
        return replace(package, units=join_units(loaded, moved, tokens, lambda unit: count(unit.text) + HEADING_TOKENS))

    def _list_loaded(self, text: str, tokens: int, count: Callable[[str], int]) -> list[ContextUnit]:
        """Nodes of loaded graphs that the question names, such as tables and procedures, with their bodies."""
        nodes = self._graph.find_outside_named(_list_names(text))
        units = [self._build_loaded(node, rank) for rank, node in enumerate(nodes)]
        return [unit for unit in units if unit is not None and count(unit.text) <= tokens // 2]

    def _build_loaded(self, node: Node, rank: int = 0) -> ContextUnit | None:
        """A node of a loaded graph; its key stands for the path of a file that there is not."""
        body = self._graph.text(node, lambda _: "")
        if not body.strip() or (node.path and node.first):
            return None
        last = body.rstrip("\n").count("\n") + 1
        return ContextUnit(node.key, 1, last, body, node.name, node.kind.lower(), node.key, origin="graph", rank=rank)

    def outline(self, task: ContextTask) -> list[FileOutline]:
        return outline_candidates(task, self._reader)[0]

    def find_neighbourhood(
        self, keys: Sequence[str], *, depth: int, most: int, kinds: Sequence[str]
    ) -> dict[str, list[str]]:
        start = [node for key in keys for node in self._graph.find(key)[:1]]
        near = self._graph.find_neighbourhood(start, depth=depth, most=most, kinds=kinds)
        ordered = sorted((node for node in near.nodes if node.depth), key=lambda node: node.depth)
        edges = sorted(near.edges, key=lambda edge: (-edge.confidence, edge.source, edge.target))
        return {
            "nodes": [node.key for node in ordered],
            "relations": [_format_edge(edge) for edge in edges],
        }

    def texts(self, keys: Sequence[str]) -> list[ContextUnit]:
        units = []
        for key in keys:
            for node in self._graph.find(key)[:1]:
                loaded = self._build_loaded(node)
                if loaded is not None:
                    units.append(loaded)
                    continue
                text = self.lines(Span(node.path, node.first, node.last)) if node.path and node.first else None
                if text:
                    symbol = next(iter(self._base.get_symbols_by_node(key)), None)
                    signature = symbol.signature if symbol else ""
                    qualified = symbol.qualified if symbol else node.name
                    kind = symbol.kind if symbol else node.kind.lower()
                    units.append(
                        ContextUnit(node.path, node.first, node.last, text, qualified, kind, key, signature, "graph")
                    )
        return units

    def lines(self, span: Span) -> str | None:
        """Lines of a file as they are on disk, or of the body that came with a node of a loaded graph."""
        text = self._reader.lines(span)
        if text is not None:
            return text
        loaded = next((unit for node in self._graph.find(span.path)[:1] if (unit := self._build_loaded(node))), None)
        return None if loaded is None else _cut_lines(loaded.text, span)

    def owner(self, span: Span) -> str:
        symbol = self._base.get_symbol_at(span.path, span.first)
        return symbol.qualified if symbol is not None and symbol.last >= span.last else ""

    def find_similar(self, sentence: str) -> list[Span]:
        try:
            return [hit.span for hit in find_symbols(self._reader, SearchQuery(sentence, limit=_SIMILAR)).hits]
        except InputError:  # a sentence without a word that can be searched for
            return []

    def extend(self, span: Span) -> Span:
        symbol = self._base.get_symbol_at(span.path, span.first)
        if symbol is None or symbol.first != span.first:
            return span
        wanted, text = "".join(symbol.signature.split()), ""
        for last in range(symbol.first, min(symbol.last, symbol.first + _MOST_SIGNATURE_LINES) + 1):
            text += "".join((self._reader.lines(Span(span.path, last, last)) or "").split())
            if wanted and wanted in text:
                return Span(span.path, span.first, max(last, span.last))
        return span

    def is_defined(self, name: str) -> bool:
        last = re.split(r"\W+", name)[-1]
        return bool(last) and bool(self._base.get_definitions([last])[last])

    def facts(self, unit: ContextUnit) -> dict[str, Any]:
        file = self._base.get_file_by_path(unit.path)
        symbol = next((s for s in self._base.get_symbols_by_node(unit.node) if s.path == unit.path), None)
        commit = next(iter(self._base.get_recent_commits_for_file(file.id, 1)), None) if file else None
        docstring = self._base.get_docstring(symbol.id).strip().split("\n\n")[0] if symbol else ""
        return {
            "docstring": " ".join(docstring.split())[:_LONGEST_FACT],
            "callers": self._list_neighbours(symbol.id, "callers") if symbol else [],
            "callees": self._list_neighbours(symbol.id, "callees") if symbol else [],
            "change": f"{commit.written[:10]} {commit.hash[:9]} {commit.message.splitlines()[0][:80]}"
            if commit and commit.message.strip()
            else "",
        }

    def _list_neighbours(self, symbol_id: int, direction: str) -> list[str]:
        neighbours = self._base.get_symbol_neighbors(symbol_id, direction, ("calls", "inherits", "uses"))
        return list(dict.fromkeys(map(_format_neighbour, neighbours)))[:_MOST_NEIGHBOURS]

    def freshness(self) -> dict[str, Any]:
        fresh = self._reader.freshness
        return {"text": str(fresh), "commit": fresh.commit, "branch": fresh.branch, "dirty": list(fresh.dirty)}


def _list_names(text: str) -> list[str]:
    """Words of a question that may be names, also dotted ones: `dbo.Invoice`."""
    return [word for word in re.findall(r"[^\W\d][\w.]*\w", text) if len(word) > _SHORTEST_NAME]


def _cut_lines(text: str, span: Span) -> str | None:
    lines = text.rstrip("\n").split("\n")
    return "\n".join(lines[span.first - 1 : span.last]) if span.last <= len(lines) else None


def _format_edge(edge: Edge) -> str:
    """One of several candidates, or a guess by name, only may be so."""
    if edge.confidence >= SURE:
        return f"{edge.source} {edge.kind} {edge.target}"
    return f"{edge.source} may {edge.kind.removesuffix('s')} {edge.target}"


def _format_neighbour(neighbour: Neighbour) -> str:
    symbol = neighbour.symbol
    return f"{symbol.qualified} ({symbol.path}:{symbol.first})" if symbol else neighbour.path
