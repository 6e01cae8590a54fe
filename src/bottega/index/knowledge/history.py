"""Commits, and files that change together."""

from __future__ import annotations

from bottega.index.knowledge.files import FileQueries
from bottega.index.knowledge.records import CoChange, CommitRow


class HistoryQueries(FileQueries):
    def get_co_change_neighbors(self, file_id: int, min_count: int = 2) -> list[CoChange]:
        file = self.get_file_by_id(file_id)
        if file is None:
            return []
        return self._all(
            CoChange,
            "SELECT CASE WHEN path_a = ?1 THEN path_b ELSE path_a END, count, last_commit FROM co_changes"
            " WHERE (path_a = ?1 OR path_b = ?1) AND count >= ?2 ORDER BY count DESC, 1",
            file.path,
            min_count,
        )

    def get_recent_commits_for_file(self, file_id: int, limit: int = 10) -> list[CommitRow]:
        file = self.get_file_by_id(file_id)
        if file is None:
            return []
        return self._all(
            CommitRow,
            "SELECT c.hash, c.author, c.written, c.message, c.files_changed FROM file_commits t"
            " JOIN commits c ON c.id = t.commit_id WHERE t.current = ? ORDER BY c.position LIMIT ?",
            file.path,
            limit,
        )
