"""Commits, and files that change together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

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

    def get_small_commits(self, most_files: int) -> Iterator[tuple[CommitRow, tuple[str, ...]]]:
        """Commits that change at most so many files, the newest first, with the present paths of the files."""
        rows = self._connection.execute(
            "SELECT c.hash, c.author, c.written, c.message, c.files_changed, t.current FROM commits c"
            " JOIN file_commits t ON t.commit_id = c.id WHERE c.files_changed <= ? AND t.current != ''"
            " ORDER BY c.position, t.path",
            (most_files,),
        )
        for commit, group in groupby(rows, key=lambda row: CommitRow(*row[:5])):
            yield commit, tuple(row[5] for row in group)

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
