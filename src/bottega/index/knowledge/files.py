"""Files, their imports, docstrings and comments."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from bottega.errors import InputError
from bottega.index.knowledge.records import CommentRow, Dependency, DocstringRow, File
from bottega.index.knowledge.rows import RowReader

_FILE = "SELECT id, path, language, role, source, hash, size, lines, depth, module FROM files"


class FileQueries(RowReader):
    def get_files(self, language: str | None = None) -> list[File]:
        if language is None:
            return self._all(File, f"{_FILE} ORDER BY path")
        return self._all(File, f"{_FILE} WHERE lower(language) = lower(?) ORDER BY path", language)

    def get_file_by_path(self, path: str) -> File | None:
        return self._fetch_one(File, f"{_FILE} WHERE path = ?", path)

    def get_file_by_id(self, file_id: int) -> File | None:
        return self._fetch_one(File, f"{_FILE} WHERE id = ?", file_id)

    def get_file_uses(self) -> dict[int, float]:
        """How much each file is used by others."""
        return dict(
            self._connection.execute("SELECT target_file, sum(weight) FROM links WHERE kind != 'tests' GROUP BY 1")
        )

    def get_dependencies(self, file_id: int, direction: str) -> list[File]:
        """`direction` is "imports" or "imported_by"."""
        if direction not in {"imports", "imported_by"}:
            raise InputError(f"{direction!r} is not a direction", hint="It is imports or imported_by.")
        near, far = ("source", "target") if direction == "imports" else ("target", "source")
        return self._all(
            File,
            f"{_FILE} WHERE id IN (SELECT {far}_file FROM edges WHERE {near}_file = ? AND kind = 'imports')"  # noqa: S608 - fixed words
            " ORDER BY path",
            file_id,
        )

    def get_dependency_subgraph(self, file_ids: Iterable[int], depth: int) -> list[Dependency]:
        """Imports within `depth` steps of these files, in both directions."""
        seen = set(file_ids)
        pending = deque((number, 0) for number in sorted(seen))
        found: set[Dependency] = set()
        while pending:
            number, steps = pending.popleft()
            if steps >= depth:
                continue
            for source, target, kind, a, b in self._connection.execute(
                "SELECT e.source_file, e.target_file, e.kind, s.path, t.path FROM edges e"
                " JOIN files s ON s.id = e.source_file JOIN files t ON t.id = e.target_file"
                " WHERE e.kind = 'imports' AND (e.source_file = ? OR e.target_file = ?)",
                (number, number),
            ).fetchall():
                found.add(Dependency(a, b, kind))
                for other in (source, target):
                    if other not in seen:
                        seen.add(other)
                        pending.append((other, steps + 1))
        return sorted(found)

    def get_docstrings_for_file(self, file_id: int) -> list[DocstringRow]:
        return self._all(
            DocstringRow, "SELECT symbol_id, content, format FROM docstrings WHERE file_id = ? ORDER BY rowid", file_id
        )

    def get_comments_for_file(self, file_id: int, kind: str | None = None) -> list[CommentRow]:
        rows = self._connection.execute(
            "SELECT symbol_id, line, content, kind, is_rationale FROM comments WHERE file_id = ? ORDER BY line",
            (file_id,),
        )
        return [
            CommentRow(row[0], row[1], row[2], row[3], bool(row[4])) for row in rows if kind is None or row[3] == kind
        ]

    def get_rationale_comments(self, file_id: int) -> list[CommentRow]:
        return [comment for comment in self.get_comments_for_file(file_id) if comment.is_rationale]
