"""Queries on the index: files, symbols, their neighbours and their history."""

from __future__ import annotations

from bottega.index.knowledge.descriptions import DescriptionQueries
from bottega.index.knowledge.history import HistoryQueries
from bottega.index.knowledge.records import (
    Adapter,
    CoChange,
    CommentRow,
    CommitRow,
    DefinedAt,
    Dependency,
    DocstringRow,
    File,
    FileContext,
    Metadata,
    Neighbour,
    Overview,
    SymbolRow,
)
from bottega.index.knowledge.usage import UsageQueries

__all__ = [
    "Adapter",
    "CoChange",
    "CommentRow",
    "CommitRow",
    "DefinedAt",
    "Dependency",
    "DocstringRow",
    "File",
    "FileContext",
    "KnowledgeBase",
    "Metadata",
    "Neighbour",
    "Overview",
    "SymbolRow",
]

_MOST_CONNECTED = 10


class KnowledgeBase(HistoryQueries, UsageQueries, DescriptionQueries):
    """Queries on one repository. Every list is ordered, and empty when nothing matches."""

    def get_file_context(self, file_id: int) -> FileContext | None:
        file = self.get_file_by_id(file_id)
        if file is None:
            return None
        return FileContext(
            file,
            tuple(self.get_symbols_for_file(file_id)),
            tuple(self.get_docstrings_for_file(file_id)),
            tuple(self.get_rationale_comments(file_id)),
            tuple(other.path for other in self.get_dependencies(file_id, "imports")),
            tuple(other.path for other in self.get_dependencies(file_id, "imported_by")),
            tuple(self.get_co_change_neighbors(file_id)),
            tuple(self.get_recent_commits_for_file(file_id)),
        )

    def get_repo_overview(self) -> Overview:
        connected = self._connection.execute(
            "SELECT f.path, count(*) FROM links l JOIN files f ON f.id = l.target_file WHERE l.kind != 'tests'"
            " GROUP BY f.path ORDER BY 2 DESC, 1 LIMIT ?",
            (_MOST_CONNECTED,),
        )
        domains: dict[str, int] = {}
        for metadata in self.get_metadata():
            domains[metadata.domain] = domains.get(metadata.domain, 0) + 1
        return Overview(
            self._count("files"),
            self._tally("files", "language"),
            self._tally("files", "role"),
            domains,
            self._count("symbols"),
            self._count("edges"),
            self._count("commits"),
            tuple((path, count) for path, count in connected),
        )

    def get_tallies(self) -> dict[str, dict[str, int]]:
        """How many symbols and edges there are of each kind, and how edges were resolved."""
        return {
            "symbol_kinds": self._tally("symbols", "kind"),
            "edge_kinds": self._tally("edges", "kind"),
            "edge_hows": self._tally("edges", "how"),
        }
