"""Between the knowledge base and `ask`: places, neighbours, lines and facts of one repository."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from bottega.ask.tools import AskTools, Knowledge
from bottega.errors import InputError, SettingsError
from bottega.index import Keeper, open_keeper
from bottega.index.decode import decode
from bottega.index.freshness import freshness
from bottega.index.graph import Graph
from bottega.index.knowledge import KnowledgeBase, Neighbour
from bottega.index.snapshot import Snapshot, take_snapshot
from bottega.index.worker import read
from bottega.journal import Journal
from bottega.retrieve.package import Piece
from bottega.retrieve.search import Order, Searcher
from bottega.source import Span
from bottega.source.secrets import mask_secrets

_MOST_NEIGHBOURS = 6
_LONGEST_FACT = 300


def ask_tools(root: Path, journal: Journal, repositories: Mapping[str, str]) -> AskTools:
    opened: dict[str, Knowledge] = {}

    def open_repository(name: str) -> Knowledge:
        if name not in opened:
            if name and name not in repositories:
                raise SettingsError(
                    f"the pipeline asks for the repository {name}, which has no place",
                    hint=f'Name it in your own settings: ask.repositories.{name} = "/path/to/it".',
                )
            opened[name] = Repository(open_keeper(Path(repositories[name]).expanduser() if name else root))
        return opened[name]

    return AskTools(open_repository, journal.chats)


class Repository:
    """An index in step with its files; opened when first asked, and kept for the whole run."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._is_current = False

    @cached_property
    def _snapshot(self) -> Snapshot:
        self._is_current = (
            self._keeper.refresh(wait=take_snapshot(self._keeper.root, self._keeper.place) is None) is not None
        )
        snapshot = take_snapshot(self._keeper.root, self._keeper.place)
        if snapshot is None:
            raise InputError("nothing is indexed here", hint="`bottega index` reads the repository.")
        return snapshot

    @cached_property
    def _searcher(self) -> Searcher:
        snapshot = self._snapshot
        return Searcher(snapshot, is_current=self._is_current, folder=self._keeper.place.folder)

    @cached_property
    def _base(self) -> KnowledgeBase:
        return KnowledgeBase(self._snapshot.connection)

    @cached_property
    def _graph(self) -> Graph:
        return Graph(self._snapshot.connection)

    def lacks_vectors(self) -> bool:
        return self._searcher.lacks_vectors()

    def search(self, mode: str, query: str, limit: int) -> list[Piece]:
        found = self._searcher.search(Order(query, mode, limit)).hits
        pieces = []
        for hit in found:
            text = self.lines(Span(hit.path, hit.start_line, hit.end_line))
            if text is not None:
                pieces.append(
                    Piece(
                        *(hit.path, hit.start_line, hit.end_line, text, hit.symbol, hit.kind, hit.node, hit.signature),
                        about=hit.purpose,
                    )
                )
        return pieces

    def around(self, keys: Sequence[str], *, depth: int, most: int, kinds: Sequence[str]) -> dict[str, list[str]]:
        start = [node for key in keys for node in self._graph.find(key)[:1]]
        near = self._graph.around(start, depth=depth, most=most, kinds=kinds)
        ordered = sorted((node for node in near.nodes if node.depth), key=lambda node: node.depth)
        sure = sorted(near.edges, key=lambda edge: (-edge.confidence, edge.source, edge.target))
        return {
            "nodes": [node.key for node in ordered],
            "relations": [f"{edge.source} {edge.kind} {edge.target}" for edge in sure],
        }

    def texts(self, keys: Sequence[str]) -> list[Piece]:
        pieces = []
        for key in keys:
            for node in self._graph.find(key)[:1]:
                text = self.lines(Span(node.path, node.first, node.last)) if node.path and node.first else None
                if text:
                    symbol = next(iter(self._base.get_symbols_by_node(key)), None)
                    signature = symbol.signature if symbol else ""
                    qualified = symbol.qualified if symbol else node.name
                    kind = symbol.kind if symbol else node.kind.lower()
                    pieces.append(
                        Piece(node.path, node.first, node.last, text, qualified, kind, key, signature, "graph")
                    )
        return pieces

    def renew(self) -> None:
        """Look at the files again: what was opened for an earlier run may be of an earlier state."""
        if "_snapshot" in self.__dict__:
            self._snapshot.connection.close()
            for name in ("_snapshot", "_searcher", "_base", "_graph"):
                self.__dict__.pop(name, None)

    def lines(self, span: Span) -> str | None:
        """Only of files that are indexed: nothing outside the tree, nothing ignored, nothing behind a link.

        Every call reads the file, so that a citation is held against what lies on the disk now.
        """
        text = self._text(span.path)
        if text is None:
            return None
        lines = text.split("\n")
        if lines and lines[-1] == "":
            lines.pop()
        return (
            "\n".join(line.removesuffix("\r") for line in lines[span.first - 1 : span.last])
            if span.last <= len(lines)
            else None
        )

    def _text(self, path: str) -> str | None:
        if self._base.get_file_by_path(path) is None:
            return None
        root = self._keeper.root.resolve()
        place = (root / path).resolve()
        try:
            text = decode(read(place)) if place.is_relative_to(root) and place.is_file() else None
        except OSError:
            return None
        return mask_secrets(text, path=path) if text is not None else None

    def owner(self, span: Span) -> str:
        symbol = self._base.get_symbol_at(span.path, span.first)
        return symbol.qualified if symbol is not None and symbol.last >= span.last else ""

    def facts(self, piece: Piece) -> dict[str, Any]:
        file = self._base.get_file_by_path(piece.path)
        symbol = next((s for s in self._base.get_symbols_by_node(piece.node) if s.path == piece.path), None)
        commit = next(iter(self._base.get_recent_commits_for_file(file.id, 1)), None) if file else None
        said = self._base.get_docstring(symbol.id).strip().split("\n\n")[0] if symbol else ""
        return {
            "docstring": " ".join(said.split())[:_LONGEST_FACT],
            "callers": self._ends(symbol.id, "callers") if symbol else [],
            "callees": self._ends(symbol.id, "callees") if symbol else [],
            "change": f"{commit.written[:10]} {commit.hash[:9]} {commit.message.splitlines()[0][:80]}"
            if commit and commit.message.strip()
            else "",
        }

    def _ends(self, symbol_id: int, direction: str) -> list[str]:
        found = self._base.get_symbol_neighbors(symbol_id, direction, ("calls", "inherits", "uses"))
        return list(dict.fromkeys(_named(neighbour) for neighbour in found))[:_MOST_NEIGHBOURS]

    def standing(self) -> dict[str, Any]:
        connection = self._snapshot.connection
        fresh = freshness(connection, is_current=self._is_current)
        return {"text": str(fresh), "commit": fresh.commit, "branch": fresh.branch, "dirty": list(fresh.dirty)}


def _named(neighbour: Neighbour) -> str:
    symbol = neighbour.symbol
    return f"{symbol.qualified} ({symbol.path}:{symbol.first})" if symbol else neighbour.path
