"""Bringing the index in step with the working tree: only what changed is read, and the result is that of a rebuild."""

from __future__ import annotations

import gc
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from bottega.index.analyse import Analysis, Import
from bottega.index.analyse.codec import decode
from bottega.index.blobs import Blobs, Kept, analysis_key
from bottega.index.classify import RANKED, Role, role_of_path
from bottega.index.history import Past, known_commits, read_past, sync_history
from bottega.index.outside import kept_graphs, write_graph
from bottega.index.place import Place
from bottega.index.readers import CRASHED, PATIENCE_S, Order, read_files
from bottega.index.relate import Relations
from bottega.index.resolve.layout import FileName, module_name
from bottega.index.rows import FileRow, Rows, all_rows, kept_as_text
from bottega.index.segments import Segments
from bottega.index.standing import Standing, record_standing
from bottega.index.store import Curated, descriptions_before
from bottega.index.tree import Tree
from bottega.index.walk import Stamp
from bottega.index.worker import blob_hash, content_hash, masking_key, read
from bottega.journal import Masker
from bottega.source import language_of_path
from bottega.source.git import Git

Progress = Callable[[str, int, int], None]

MASKING = "masking"
_BATCH = 200
_MOST_REMEMBERED = 400_000
_DAY = 86_400
_ALLOCATIONS = 500_000
_SECOND_NS = 1_000_000_000
_TICK_NS, _COARSE_TICK_NS = 50_000_000, 2 * _SECOND_NS
_DECLARING = ("go.mod", "Cargo.toml", "package.json", "tsconfig.json", "jsconfig.json")


@dataclass(frozen=True, slots=True)
class Refreshed:
    """What a refresh found and did."""

    files: int
    added: int
    changed: int
    removed: int
    read: int
    seconds: float
    is_rebuilt: bool
    remarks: tuple[tuple[str, str], ...]
    kept_as_text: tuple[tuple[str, str], ...] = ()
    """Files that are over the budget of one file, with the reason: found by their words, without symbols."""

    @property
    def is_unchanged(self) -> bool:
        return not (self.added or self.changed or self.removed or self.is_rebuilt)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A file as it lies in the tree now."""

    path: str
    stamp: Stamp
    language: str
    role: Role
    hash: str = ""
    blob: str = ""
    key: bytes = b""
    note: str = ""


@dataclass(slots=True)
class _Work:
    """What has been gathered on the way."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    read: int = 0
    imports: dict[int, tuple[Import, ...]] = field(default_factory=dict)
    is_shape_changed: bool = False


class Refresh:
    """One pass, under the lock of the index."""

    def __init__(
        self,
        root: Path,
        *,
        place: Place,
        git: Git | None,
        curated: Curated,
        blobs: Blobs,
        mask: Masker,
        progress: Progress = lambda _stage, _done, _total: None,
        workers: int = 0,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._root = root
        self._place = place
        self._git = git
        self._curated = curated
        self._blobs = blobs
        self._mask = mask
        self._progress = progress
        self._workers = workers
        self._patience_s = patience_s
        self._work = _Work()
        self._began = 0
        self._fresh: list[Kept] = []
        self._recent: dict[int, Analysis] = {}
        self._remembered = 0

    def run(self) -> Refreshed:
        """Walk, compare, read, write."""
        started = time.monotonic()
        self._began = time.time_ns()
        is_rebuilt = self._curated.is_new
        if not is_rebuilt:
            self._segments(self._curated.connection).check()
        known = all_rows(self._curated.connection)
        tree = Tree(self._root, self._git, self._curated)
        listing = tree.walk(known)
        gone = [row for path, row in known.items() if path not in listing.files]
        suspects = {
            path: stamp for path, stamp in listing.files.items() if path not in known or known[path].stamp != stamp
        }
        standing = Standing.now(self._git)
        if is_rebuilt or gone or suspects or standing.differs(self._curated):
            with (
                _seldom_collecting(),
                ThreadPoolExecutor(1) as aside,
                self._curated.writing() as connection,
                closing(self._segments(connection)) as segments,
            ):
                past = self._past(standing, aside)
                rows = Rows(connection)
                packages = _packages(listing.files)
                self._remove(rows, gone)
                moved = self._take_in(rows, segments, suspects, known, packages)
                if is_rebuilt:
                    segments.flush()
                self._relate(rows, moved, packages, is_rebuilt=is_rebuilt)
                is_history_new = past is not None and sync_history(connection, past.result())
                segments.finish(with_history=is_history_new or is_rebuilt)
                tree.remember(listing)
                record_standing(self._curated, standing, self._git, listing.remarks)
                self._curated.set_meta(MASKING, self._mask.digest)
                self._sweep(connection)
                if is_rebuilt:
                    for graph in kept_graphs(self._place.folder):
                        write_graph(connection, graph)
                    said = descriptions_before(self._place.folder, self._curated.seal)
                    connection.executemany("INSERT INTO file_metadata VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", said)
                    self._curated.make_indexes()
            self._segments(self._curated.connection).collect()
        work = self._work
        return Refreshed(
            *(len(listing.files), work.added, work.changed, work.removed, work.read),
            round(time.monotonic() - started, 3),
            is_rebuilt,
            tuple(listing.remarks),
            kept_as_text(self._curated.connection),
        )

    def _segments(self, connection: sqlite3.Connection) -> Segments:
        return Segments(self._place.segments, connection, self._blobs)

    def _sweep(self, connection: sqlite3.Connection) -> None:
        """Once a day, drop analyses that no index has used for long."""
        today = str(int(time.time()) // _DAY)
        if self._curated.meta("swept") != today:
            used = connection.execute("SELECT analysis FROM files WHERE analysis IS NOT NULL").fetchall()
            self._blobs.forget_old(key for (key,) in used)
            self._curated.set_meta("swept", today)

    def _past(self, standing: Standing, aside: ThreadPoolExecutor) -> Future[Past] | None:
        """Let git speak while files are read."""
        if not self._curated.is_new and not standing.has_other_past(self._curated):
            return None
        return aside.submit(read_past, self._git, known_commits(self._curated.connection), mask=self._mask)

    def _remove(self, rows: Rows, gone: Iterable[FileRow]) -> None:
        for row in gone:
            rows.remove(row)
            self._work.removed += 1
            self._work.is_shape_changed = True

    def _take_in(
        self,
        rows: Rows,
        segments: Segments,
        suspects: dict[str, Stamp],
        known: dict[str, FileRow],
        packages: set[str],
    ) -> dict[str, FileRow]:
        """Read what may have changed; return the rows that did."""
        moved: dict[str, FileRow] = {}
        total = len(suspects)
        for done, (seen, kept) in enumerate(self._seen(suspects, known), 1):
            before = known.get(seen.path)
            if before is not None and _is_same(seen, before):
                self._curated.connection.execute(
                    "UPDATE files SET mtime_ns = ?, ctime_ns = ?, inode = ?, size = ? WHERE id = ?",
                    (seen.stamp.mtime_ns, seen.stamp.ctime_ns, seen.stamp.inode, seen.stamp.size, before.id),
                )
                continue
            analysis = decode(kept.data) if kept is not None and kept.data else None
            row = _row(seen, analysis, before.id if before else rows.new_id(), packages)
            if analysis is not None and kept is not None:
                name, document = segments.add(row.path, kept.key, len(kept.data))
                row = row._replace(segment=name, document=document)
                self._remember(row.id, analysis)
            self._work.imports[row.id] = analysis.imports if analysis is not None else ()
            rows.put(row, analysis, before)
            moved[seen.path] = row
            self._work.added += before is None
            self._work.changed += before is not None
            self._work.is_shape_changed |= before is None or _is_declaring(seen.path)
            self._work.is_shape_changed |= before is not None and (before.namespace, before.role) != (
                row.namespace,
                row.role,
            )
            if segments.is_full:
                self._keep()
                segments.flush()
            self._progress("reading", done, total)
        return moved

    def _relate(self, rows: Rows, moved: dict[str, FileRow], packages: set[str], *, is_rebuilt: bool) -> None:
        if not (moved or self._work.removed or is_rebuilt):
            return
        connection = self._curated.connection
        if is_rebuilt:
            connection.execute("CREATE INDEX symbols_name ON symbols (name)")
            connection.execute("CREATE INDEX symbols_file ON symbols (file_id)")
        files = all_rows(connection)
        if self._work.is_shape_changed and not is_rebuilt:
            self._rename_modules(rows, files, moved, packages)
            files = all_rows(connection)
        relations = Relations(connection, files, read=self._text, analysis=self._analysis)
        if is_rebuilt:
            relations.write_imports(self._work.imports)
            connection.execute("CREATE INDEX imports_file ON imports (file_id)")
            affected = {row.id for row in files.values()}
        else:
            imported, names = relations.resolve_imports(self._work.imports, everywhere=self._work.is_shape_changed)
            names = relations.renamed(names | rows.changed_names)
            segments = self._segments(connection)
            affected = imported | rows.changed_files | segments.mentioning(names, files)
        self._work.imports.clear()
        total = len(affected)
        done = 0

        def step() -> None:
            nonlocal done
            done += 1
            self._progress("relating", done, total)

        relations.resolve_uses(affected, step, is_first=is_rebuilt)
        if self._work.is_shape_changed or is_rebuilt:
            relations.resolve_tests()

    def _rename_modules(
        self, rows: Rows, files: dict[str, FileRow], moved: dict[str, FileRow], packages: set[str]
    ) -> None:
        for path, row in files.items():
            if path not in moved and row.analysis is not None:
                module = module_name(FileName(row.id, row.path, row.language, row.namespace), packages)
                if module != row.module:
                    rows.rename_module(row, module)

    def _seen(self, suspects: dict[str, Stamp], known: dict[str, FileRow]) -> Iterator[tuple[_Seen, Kept | None]]:
        """Every suspect once, with what is kept of its content; `None` for what is the same or not ranked."""
        unread: list[_Seen] = []
        is_first = self._blobs.is_empty
        for path, stamp in suspects.items():
            seen = _named(path, stamp)
            if seen.role not in RANKED:
                yield seen, None
                continue
            if is_first:
                unread.append(seen)
                continue
            seen = self._hashed(seen)
            before = known.get(path)
            if before is not None and _is_same(seen, before):
                yield seen, None
                continue
            kept = self._blobs.get(seen.key) if seen.key else None
            if kept is not None and self._curated.is_new and kept.note.endswith(CRASHED):
                kept = None  # memory may have been short by chance: a rebuild tries again
            if kept is not None:
                yield _with(seen, kept), kept
            else:
                unread.append(seen)
        yield from self._read(unread)

    def _hashed(self, seen: _Seen) -> _Seen:
        try:
            data = read(self._root / seen.path, below=self._root)
        except OSError:
            return seen
        content = content_hash(data)
        key = analysis_key(content, seen.language, seen.role, masking_key(self._mask, data, seen.path))
        return replace(self._settled(seen), hash=content, blob=blob_hash(data), key=key)

    def _read(self, unread: list[_Seen]) -> Iterator[tuple[_Seen, Kept | None]]:
        """Let workers read, and keep what they bring in batches, so that a killed index goes on from there."""
        by_path = {seen.path: seen for seen in unread}
        orders = (Order(seen.path, seen.language, seen.role) for seen in unread)
        reading = read_files(
            self._root, orders, workers=self._workers, patience_s=self._patience_s, values=self._mask.values
        )
        for answer in reading:
            seen = by_path[answer.order.path]
            self._work.read += 1
            if answer.error:
                role = Role(answer.facts.get("role", Role.UNREADABLE))
                yield replace(seen, role=role, note="" if role is Role.LARGE else answer.error), None
                continue
            content = str(answer.facts["hash"])
            note = f"kept as text: {answer.reason}" if answer.reason else ""
            key = analysis_key(content, seen.language, seen.role, str(answer.facts["masking"]))
            kept = Kept(key, str(answer.facts["language"]), str(answer.facts["role"]), note, answer.data)
            self._fresh.append(kept)
            if len(self._fresh) >= _BATCH:
                self._keep()
            hashed = replace(self._settled(seen), hash=content, blob=str(answer.facts["blob"]), key=key)
            yield _with(hashed, kept), kept
        self._keep()

    def _keep(self) -> None:
        self._blobs.put(self._fresh)
        self._fresh = []

    def _settled(self, seen: _Seen) -> _Seen:
        """Distrust a stamp so young that a later change could bear it too: the next refresh looks again."""
        stamp = seen.stamp
        newest = max(stamp.mtime_ns, stamp.ctime_ns)
        tick = _COARSE_TICK_NS if newest % _SECOND_NS == 0 else _TICK_NS
        return replace(seen, stamp=stamp._replace(mtime_ns=0)) if newest >= self._began - tick else seen

    def _analysis(self, row: FileRow) -> Analysis:
        recent = self._recent.pop(row.id, None)
        if recent is not None:
            return recent
        assert row.analysis is not None
        (data,) = self._blobs.data([row.analysis])
        return decode(data)

    def _remember(self, file_id: int, analysis: Analysis) -> None:
        """Spare a second decoding to as many files as fit."""
        self._remembered += len(analysis.references) + len(analysis.symbols)
        if self._remembered <= _MOST_REMEMBERED:
            self._recent[file_id] = replace(analysis, docstrings=(), comments=())

    def _text(self, path: str) -> str | None:
        try:
            data = read(self._root / path, below=self._root)
        except OSError:
            return None
        return data.decode("utf-8", "replace")


@contextmanager
def _seldom_collecting() -> Iterator[None]:
    """Look for rings of garbage seldom: there are few, and each search goes through everything that was read."""
    before = gc.get_threshold()
    gc.set_threshold(_ALLOCATIONS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def _named(path: str, stamp: Stamp) -> _Seen:
    language = language_of_path(path)
    return _Seen(path, stamp, language.name if language else "", role_of_path(path, stamp.size))


def _with(seen: _Seen, kept: Kept) -> _Seen:
    return replace(seen, language=kept.language, role=Role(kept.role), note=kept.note)


def _is_same(seen: _Seen, before: FileRow) -> bool:
    """The same content; for what is not read, the same kind of thing."""
    return seen.hash == before.hash and (seen.hash != "" or seen.role == before.role)


def _row(seen: _Seen, analysis: Analysis | None, number: int, packages: set[str]) -> FileRow:
    namespace = analysis.namespace if analysis is not None else ""
    return FileRow(
        *(number, seen.path, seen.language, seen.role, "project", seen.hash, seen.blob, seen.stamp.size),
        lines=analysis.lines if analysis is not None else 0,
        depth=analysis.depth if analysis is not None else "",
        note=seen.note,
        namespace=namespace,
        module=module_name(FileName(number, seen.path, seen.language, namespace), packages) if analysis else "",
        analysis=seen.key if analysis is not None else None,
        segment=None,
        document=None,
        mtime_ns=seen.stamp.mtime_ns,
        ctime_ns=seen.stamp.ctime_ns,
        inode=seen.stamp.inode,
    )


def _packages(paths: Iterable[str]) -> set[str]:
    """Directories that are Python packages."""
    return {path.rpartition("/")[0] for path in paths if path.endswith(("/__init__.py", "/__init__.pyi"))}


def _is_declaring(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name in _DECLARING or (name.startswith(("tsconfig.", "jsconfig.")) and name.endswith(".json"))
