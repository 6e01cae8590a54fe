"""Refresh the index: only changed files are read, and the result equals a rebuild."""

from __future__ import annotations

import gc
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from bottega.cancellation import current_cancellation, keep_scope
from bottega.index.analyse import Import
from bottega.index.analyse.codec import decode
from bottega.index.analyses import Analyses, FoundFile
from bottega.index.analysis_cache import AnalysisCache, CachedAnalysis
from bottega.index.changes import Changes, build_file_row, declares_modules
from bottega.index.database import IndexDatabase, read_old_descriptions
from bottega.index.history import CommitHistory, load_known_commits, read_history, sync_history
from bottega.index.location import IndexLocation
from bottega.index.outside import load_graphs, write_graph
from bottega.index.readers import PATIENCE_S
from bottega.index.refresh_result import Progress, ProgressCounter, RefreshResult, no_progress
from bottega.index.relate import Relations
from bottega.index.resolve.layout import FileName, module_name
from bottega.index.rows import FileRow, Rows, list_kept_as_text, load_rows
from bottega.index.segments import Segments
from bottega.index.state import RepositoryState, record_state
from bottega.index.tree import WorkingTree
from bottega.journal import Masker
from bottega.source.git import Git
from bottega.source.text import read_source

MASKING = "masking"
_DAY = 86_400
# Changing more files than this takes so long that readers are likely meanwhile: write to a copy.
_MOST_IN_PLACE = 100
_GC_THRESHOLD = 500_000


@dataclass(slots=True)
class _Work:
    """Progress and results of one refresh."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    imports: dict[int, tuple[Import, ...]] = field(default_factory=dict)
    is_shape_changed: bool = False
    """Whether files were added, removed or renamed, so that imports of all files must be resolved again."""


class Refresh:
    """One refresh; the caller holds the index lock."""

    def __init__(
        self,
        root: Path,
        *,
        location: IndexLocation,
        git: Git | None,
        database: IndexDatabase,
        cache: AnalysisCache,
        mask: Masker,
        progress: Progress = no_progress,
        workers: int = 0,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._root = root
        self._location = location
        self._git = git
        self._database = database
        self._cache = cache
        self._mask = mask
        self._progress = progress
        self._is_rebuild = database.is_new
        self._work = _Work()
        self._analyses = Analyses(
            root, cache, mask, is_rebuild=self._is_rebuild, workers=workers, patience_s=patience_s
        )

    def run(self, *, in_place: bool = True) -> RefreshResult:
        """Walk, compare, read and write; raise `InUse` when a reader holds the file that should be written in place."""
        started = time.monotonic()
        if not self._is_rebuild:
            self._segments(self._database.connection).check()
        known = load_rows(self._database.connection)
        before = frozenset(list_kept_as_text(self._database.connection))
        tree = WorkingTree(self._root, self._git, self._database)
        changes = Changes.compare(known, tree.walk(known))
        state = RepositoryState.now(self._git)
        if self._is_rebuild or changes.count or state.differs(self._database):
            self._write(changes, tree, state, in_place=in_place and changes.count <= _MOST_IN_PLACE)
            self._segments(self._database.connection).collect()
        work = self._work
        as_text = list_kept_as_text(self._database.connection)
        return RefreshResult(
            *(len(changes.listing.files), work.added, work.changed, work.removed, self._analyses.read),
            round(time.monotonic() - started, 3),
            self._is_rebuild,
            tuple(changes.listing.remarks),
            as_text,
            tuple(path for path, why in as_text if (path, why) not in before),
        )

    def _write(self, changes: Changes, tree: WorkingTree, state: RepositoryState, *, in_place: bool) -> None:
        with (
            _rare_garbage_collection(),
            ThreadPoolExecutor(1) as thread,
            self._database.writing(in_place=in_place) as connection,
            closing(self._segments(connection)) as segments,
        ):
            history = self._start_history(state, thread)
            rows = Rows(connection)
            self._remove(rows, changes.gone)
            moved = self._write_changed(rows, segments, changes)
            if self._is_rebuild:
                segments.flush()
            self._relate(rows, moved, changes.packages)
            is_history_new = history is not None and sync_history(connection, history.result())
            segments.finish(with_history=is_history_new or self._is_rebuild)
            tree.remember(changes.listing)
            record_state(self._database, state, self._git, changes.listing.remarks)
            self._database.set_meta(MASKING, self._mask.digest)
            self._sweep(connection)
            if self._is_rebuild:
                self._restore(connection)

    def _segments(self, connection: sqlite3.Connection) -> Segments:
        return Segments(self._location.segments, connection, self._cache)

    def _start_history(self, state: RepositoryState, thread: ThreadPoolExecutor) -> Future[CommitHistory] | None:
        """Read commits in another thread while files are analysed; `None` if the index has them already."""
        if not self._is_rebuild and not state.has_other_history(self._database):
            return None
        known = load_known_commits(self._database.connection)
        return thread.submit(keep_scope(read_history), self._git, known, mask=self._mask)

    def _remove(self, rows: Rows, gone: Iterable[FileRow]) -> None:
        for row in gone:
            rows.remove(row)
            self._work.removed += 1
            self._work.is_shape_changed = True

    def _write_changed(self, rows: Rows, segments: Segments, changes: Changes) -> dict[str, FileRow]:
        """Write the rows of files that changed, and return them."""
        moved: dict[str, FileRow] = {}
        total = len(changes.suspects)
        for done, (file, cached) in enumerate(self._analyses.analyse_files(changes.suspects, changes.known), 1):
            current_cancellation().check()
            before = changes.known.get(file.path)
            if before is not None and file.is_same_as(before):
                rows.touch(before, file.stamp)
                continue
            moved[file.path] = self._write_file(rows, segments, file, cached, before, changes.packages)
            if segments.is_full:
                self._analyses.save()
                segments.flush()
            self._progress("reading", done, total)
        return moved

    def _write_file(
        self,
        rows: Rows,
        segments: Segments,
        file: FoundFile,
        cached: CachedAnalysis | None,
        before: FileRow | None,
        packages: frozenset[str],
    ) -> FileRow:
        analysis = decode(cached.data) if cached is not None and cached.data else None
        row = build_file_row(file, analysis, before.id if before else rows.make_id(), packages)
        if analysis is not None and cached is not None:
            name, document = segments.add(row.path, cached.key, len(cached.data))
            row = row._replace(segment=name, document=document)
            self._analyses.remember(row.id, analysis)
        self._work.imports[row.id] = analysis.imports if analysis is not None else ()
        rows.put(row, analysis, before)
        self._work.added += before is None
        self._work.changed += before is not None
        is_moved = before is None or (before.namespace, before.role) != (row.namespace, row.role)
        self._work.is_shape_changed |= is_moved or declares_modules(file.path)
        return row

    def _relate(self, rows: Rows, moved: Mapping[str, FileRow], packages: frozenset[str]) -> None:
        """Resolve imports and uses again, in changed files and in files that the changes may affect."""
        if not (moved or self._work.removed or self._is_rebuild):
            return
        connection = self._database.connection
        if self._is_rebuild:
            connection.execute("CREATE INDEX symbols_name ON symbols (name)")
            connection.execute("CREATE INDEX symbols_file ON symbols (file_id)")
        files = load_rows(connection)
        if self._work.is_shape_changed and not self._is_rebuild:
            self._rename_modules(rows, files, moved, packages)
            files = load_rows(connection)
        relations = Relations(connection, files, read=self._text, analysis=self._analyses.load)
        affected = self._find_affected(rows, relations, files)
        self._work.imports.clear()
        relations.resolve_uses(
            affected, ProgressCounter(self._progress, "relating", len(affected)), is_first=self._is_rebuild
        )
        if self._work.is_shape_changed or self._is_rebuild:
            relations.resolve_tests()

    def _find_affected(self, rows: Rows, relations: Relations, files: Mapping[str, FileRow]) -> set[int]:
        """Write imports; return the files whose uses may resolve differently now."""
        connection = self._database.connection
        if self._is_rebuild:
            relations.write_imports(self._work.imports)
            connection.execute("CREATE INDEX imports_file ON imports (file_id)")
            return {row.id for row in files.values()}
        imported, names = relations.resolve_imports(self._work.imports, everywhere=self._work.is_shape_changed)
        names = relations.add_aliases(names | rows.changed_names)
        return imported | rows.changed_files | self._segments(connection).find_files_mentioning(names, files)

    def _rename_modules(
        self, rows: Rows, files: Mapping[str, FileRow], moved: Mapping[str, FileRow], packages: frozenset[str]
    ) -> None:
        for path, row in files.items():
            if path not in moved and row.analysis is not None:
                module = module_name(FileName(row.id, row.path, row.language, row.namespace), packages)
                if module != row.module:
                    rows.rename_module(row, module)

    def _sweep(self, connection: sqlite3.Connection) -> None:
        """Once a day, delete cached analyses that no index has used for a month."""
        today = str(int(time.time()) // _DAY)
        if self._database.get_meta("swept") != today:
            used = connection.execute("SELECT analysis FROM files WHERE analysis IS NOT NULL").fetchall()
            self._cache.forget_old(key for (key,) in used)
            self._database.set_meta("swept", today)

    def _restore(self, connection: sqlite3.Connection) -> None:
        """Copy to a rebuilt index what files do not contain: loaded graphs and descriptions by models."""
        for graph in load_graphs(self._location.folder):
            write_graph(connection, graph)
        described = read_old_descriptions(self._location.folder, self._database.seal)
        connection.executemany("INSERT INTO file_metadata VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", described)
        self._database.make_indexes()

    def _text(self, path: str) -> str | None:
        try:
            data = read_source(self._root / path, below=self._root)
        except OSError:
            return None
        return data.decode("utf-8", "replace")


@contextmanager
def _rare_garbage_collection() -> Iterator[None]:
    """Raise the GC threshold: indexing allocates much and makes few cycles."""
    before = gc.get_threshold()
    gc.set_threshold(_GC_THRESHOLD, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
