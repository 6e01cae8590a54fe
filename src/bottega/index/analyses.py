"""Load the analyses of files that may have changed from the cache, or have worker processes make them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from bottega.cancellation import current_cancellation
from bottega.index.analyse import Analysis
from bottega.index.analyse.codec import decode
from bottega.index.analysis_cache import AnalysisCache, CachedAnalysis, analysis_key
from bottega.index.readers import CRASHED, PATIENCE_S, ReadResult, ReadTask, read_files
from bottega.index.rows import FileRow
from bottega.index.walk import FileStamp
from bottega.index.worker import blob_hash, content_hash, masking_key
from bottega.journal import Masker
from bottega.source import language_of_path
from bottega.source.roles import RANKED, Role, role_of_path
from bottega.source.text import read_source

_BATCH = 200
_MOST_REMEMBERED = 400_000
_SECOND_NS = 1_000_000_000
_TICK_NS, _COARSE_TICK_NS = 50_000_000, 2 * _SECOND_NS


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file of the working tree."""

    path: str
    stamp: FileStamp
    language: str
    role: Role
    hash: str = ""
    blob: str = ""
    key: bytes = b""
    note: str = ""

    def is_same_as(self, row: FileRow) -> bool:
        """Whether the content is the same; of files that are not read, whether the role is."""
        return self.hash == row.hash and (self.hash != "" or self.role == row.role)


class Analyses:
    """Analyses for one refresh; with `is_rebuild`, files that killed a worker are tried again."""

    def __init__(
        self,
        root: Path,
        cache: AnalysisCache,
        mask: Masker,
        *,
        is_rebuild: bool,
        workers: int = 0,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self.read = 0
        self._root = root
        self._cache = cache
        self._mask = mask
        self._is_rebuild = is_rebuild
        self._workers = workers
        self._patience_s = patience_s
        self._began = time.time_ns()
        self._unsaved: list[CachedAnalysis] = []
        self._recent: dict[int, Analysis] = {}
        self._remembered = 0

    def analyse_files(
        self, suspects: Mapping[str, FileStamp], known: Mapping[str, FileRow]
    ) -> Iterator[tuple[FoundFile, CachedAnalysis | None]]:
        """Yield every suspect with the analysis of its content; `None` for files that are unchanged or not ranked."""
        unread: list[FoundFile] = []
        is_first = self._cache.is_empty
        for path, stamp in suspects.items():
            current_cancellation().check()
            file = _describe(path, stamp)
            if file.role not in RANKED:
                yield file, None
                continue
            if is_first:
                unread.append(file)
                continue
            file = self._hash_content(file)
            before = known.get(path)
            if before is not None and file.is_same_as(before):
                yield file, None
                continue
            cached = self._find_cached(file)
            if cached is not None:
                yield _add_analysis(file, cached), cached
            else:
                unread.append(file)
        yield from self._read_uncached(unread)

    def load(self, row: FileRow) -> Analysis:
        """The analysis of an indexed file; a remembered one is returned once and then dropped."""
        recent = self._recent.pop(row.id, None)
        if recent is not None:
            return recent
        assert row.analysis is not None
        (data,) = self._cache.read_data([row.analysis])
        return decode(data)

    def remember(self, file_id: int, analysis: Analysis) -> None:
        """Keep decoded analyses, as many as fit into memory, so that they are not decoded twice."""
        self._remembered += len(analysis.references) + len(analysis.symbols)
        if self._remembered <= _MOST_REMEMBERED:
            self._recent[file_id] = replace(analysis, docstrings=(), comments=())

    def save(self) -> None:
        """Write new analyses to the cache, so that a killed indexing run continues from there."""
        self._cache.put(self._unsaved)
        self._unsaved = []

    def _find_cached(self, file: FoundFile) -> CachedAnalysis | None:
        cached = self._cache.get(file.key) if file.key else None
        if cached is not None and self._is_rebuild and cached.note.endswith(CRASHED):
            return None  # memory may have been short at that time: a rebuild tries again
        return cached

    def _hash_content(self, file: FoundFile) -> FoundFile:
        try:
            data = read_source(self._root / file.path, below=self._root)
        except OSError:
            return file
        content = content_hash(data)
        key = analysis_key(content, file.language, file.role, masking_key(self._mask, data, file.path))
        return replace(self._distrust_recent_mtime(file), hash=content, blob=blob_hash(data), key=key)

    def _read_uncached(self, unread: list[FoundFile]) -> Iterator[tuple[FoundFile, CachedAnalysis | None]]:
        """Have workers read the files; save the analyses in batches."""
        by_path = {file.path: file for file in unread}
        tasks = (ReadTask(file.path, file.language, file.role) for file in unread)
        reading = read_files(
            self._root, tasks, workers=self._workers, patience_s=self._patience_s, values=self._mask.values
        )
        with closing(reading):
            for result in reading:
                self.read += 1
                yield self._accept(by_path[result.task.path], result)
        self.save()

    def _accept(self, file: FoundFile, result: ReadResult) -> tuple[FoundFile, CachedAnalysis | None]:
        if result.error:
            role = Role(result.facts.get("role", Role.UNREADABLE))
            return replace(file, role=role, note="" if role is Role.LARGE else result.error), None
        content = str(result.facts["hash"])
        note = f"kept as text: {result.reason}" if result.reason else ""
        key = analysis_key(content, file.language, file.role, str(result.facts["masking"]))
        cached = CachedAnalysis(key, str(result.facts["language"]), str(result.facts["role"]), note, result.data)
        self._unsaved.append(cached)
        if len(self._unsaved) >= _BATCH:
            self.save()
        hashed = replace(self._distrust_recent_mtime(file), hash=content, blob=str(result.facts["blob"]), key=key)
        return _add_analysis(hashed, cached), cached

    def _distrust_recent_mtime(self, file: FoundFile) -> FoundFile:
        """An mtime this recent may hide a later edit (racy timestamp): have the next refresh read the file again."""
        newest = max(file.stamp.mtime_ns, file.stamp.ctime_ns)
        tick = _COARSE_TICK_NS if newest % _SECOND_NS == 0 else _TICK_NS
        return replace(file, stamp=file.stamp._replace(mtime_ns=0)) if newest >= self._began - tick else file


def _describe(path: str, stamp: FileStamp) -> FoundFile:
    language = language_of_path(path)
    return FoundFile(path, stamp, language.name if language else "", role_of_path(path, stamp.size))


def _add_analysis(file: FoundFile, cached: CachedAnalysis) -> FoundFile:
    return replace(file, language=cached.language, role=Role(cached.role), note=cached.note)
