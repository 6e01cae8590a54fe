"""What the knowledge base knows about a change: who uses what changed, and what usually changes with it."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Self

from bottega.index import File, Knowledge, KnowledgeBase, KnowledgeReader, SymbolRow
from bottega.review.findings import Finding
from bottega.review.reading import restore_before
from bottega.source import FileChange, Span, find_defined_names, find_signatures, language_of_path
from bottega.source.text import decode

_USES = ("calls", "inherits", "uses")
_MOST_SHOWN = 5
_HIGH, _MEDIUM = 10, 5
_TOGETHER_TIMES, _TOGETHER_SHARE, _COMMITS = 3, 0.6, 200
_PATIENCE_S = 5.0
_MOST_USES = 3
_LARGEST = 1_000_000


@dataclass(frozen=True, slots=True)
class Impact:
    """Something that changed, and places outside of the change that use it."""

    symbol: str
    span: Span
    users: tuple[str, ...]
    count: int

    @property
    def weight(self) -> str:
        return "HIGH" if self.count >= _HIGH else "MEDIUM" if self.count >= _MEDIUM else "LOW"

    def __str__(self) -> str:
        more = f" and {self.count - len(self.users)} more" if self.count > len(self.users) else ""
        return f"{self.symbol} ({self.span}), {self.weight}: used by {', '.join(self.users)}{more}"


@dataclass(frozen=True, slots=True)
class ContextNotes:
    """`told` are lines for the reviewers; `unread` counts files that were not read within the time limit."""

    told: tuple[str, ...]
    findings: tuple[Finding, ...] = ()
    unread: int = 0


class Surroundings:
    """One snapshot of the repository's index, opened at first use; a lock lets one thread read at a time."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._root = knowledge.root
        self._lock = threading.Lock()
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @cached_property
    def _reader(self) -> KnowledgeReader:
        return self._stack.enter_context(self._knowledge.reading())

    def freshness(self) -> str:
        with self._lock:
            return str(self._reader.freshness)

    def impact(self, files: Sequence[FileChange], text: Callable[[str], str | None]) -> ContextNotes:
        """Users of what changed, outside of the change; names that are gone and still used; calls that may not fit."""
        with self._lock:
            return self._impact(files, text)

    def _impact(self, files: Sequence[FileChange], text: Callable[[str], str | None]) -> ContextNotes:
        base = self._reader.base
        changed = {file.path for file in files}
        told: list[Impact] = []
        findings: list[Finding] = []
        for file in files:
            row = base.get_file_by_path(file.path)
            if row is not None and file.status != "deleted":
                told += _impacts(base, row, file, changed)
            findings += _find_changed_signatures(file, told, text)
        gone, unread = self._gone(base, files, changed, text)
        told.sort(key=lambda impact: (-impact.count, impact.span))
        return ContextNotes(tuple(map(str, told)), (*findings, *gone), unread)

    def companions(self, files: Sequence[FileChange]) -> ContextNotes:
        """Files that usually change with these and did not."""
        with self._lock:
            return self._companions(files)

    def _companions(self, files: Sequence[FileChange]) -> ContextNotes:
        base = self._reader.base
        changed = {path for file in files for path in (file.path, file.old_path)}
        told, findings = [], []
        for file in files:
            row = base.get_file_by_path(file.path)
            commits = len(base.get_recent_commits_for_file(row.id, _COMMITS)) if row else 0
            if row is None or commits < _TOGETHER_TIMES:
                continue
            for other in base.get_co_change_neighbors(row.id, _TOGETHER_TIMES):
                if other.path in changed or other.times < _TOGETHER_SHARE * commits:
                    continue
                if base.get_file_by_path(other.path) is None:
                    continue
                said = (
                    f"{other.path} changed in {other.times} of the last {commits} commits of {file.path}, and not here"
                )
                told.append(said)
                findings.append(_report_missing_file(file, other.path, said))
        return ContextNotes(tuple(told), tuple(findings))

    def _gone(
        self, base: KnowledgeBase, files: Sequence[FileChange], changed: set[str], text: Callable[[str], str | None]
    ) -> tuple[list[Finding], int]:
        """What is no longer defined anywhere, and where it is still used; how many files there was no time for."""
        lost = {name: file for file in files for name in sorted(_find_lost_names(file, text))}
        lost = {name: file for name, file in lost.items() if not base.get_definitions([name]).get(name)}
        if not lost:
            return [], 0
        end = time.monotonic() + _PATIENCE_S
        pattern = re.compile(rf"\b(?:{'|'.join(map(re.escape, lost))})\b")
        languages = {_find_language(file.path) for file in lost.values()}
        uses: dict[str, list[tuple[str, str]]] = {name: [] for name in lost}
        others = [file for file in base.get_files() if file.path not in changed and file.language in languages]
        read = 0
        for other in others:
            if time.monotonic() > end:
                break
            read += 1
            content = self._read(other)
            for name, place, line in _find_uses(pattern, content):
                if len(uses[name]) < _MOST_USES and re.search(rf"\b{re.escape(Path(lost[name].path).stem)}\b", content):
                    uses[name].append((f"{other.path}:{place}", line))
        return [_report_removed_name(lost[name], name, places) for name, places in uses.items() if places], len(
            others
        ) - read

    def _read(self, file: File) -> str:
        place = self._root / file.path
        try:
            if place.is_symlink() or place.stat().st_size > _LARGEST:
                return ""
            return decode(place.read_bytes()) or ""
        except OSError:
            return ""


def _find_uses(pattern: re.Pattern[str], content: str) -> Iterator[tuple[str, int, str]]:
    """The first place of each name in a text."""
    seen: set[str] = set()
    for match in pattern.finditer(content):
        if match[0] not in seen:
            seen.add(match[0])
            start = content.rfind("\n", 0, match.start()) + 1
            line = content[start : content.find("\n", match.end()) if "\n" in content[match.end() :] else None]
            yield match[0], content.count("\n", 0, start) + 1, line


def _find_language(path: str) -> str:
    language = language_of_path(path)
    return language.name if language else ""


def _impacts(base: KnowledgeBase, row: File, file: FileChange, changed: set[str]) -> Iterator[Impact]:
    touched = {line.new for hunk in file.hunks for line in hunk.added}
    touched |= {hunk.new_start for hunk in file.hunks if not hunk.added}
    for symbol in _find_innermost_symbols(base.get_symbols_for_file(row.id), touched):
        users = base.get_symbol_neighbors(symbol.id, "callers", _USES)
        places = [
            f"{user.symbol.qualified} ({user.path}:{user.symbol.first})" if user.symbol else user.path
            for user in users
            if user.path not in changed
        ]
        places = list(dict.fromkeys(places))
        if places:
            yield Impact(symbol.qualified, symbol.span, tuple(places[:_MOST_SHOWN]), len(places))


def _find_innermost_symbols(symbols: Sequence[SymbolRow], lines: set[int]) -> list[SymbolRow]:
    """For every changed line the innermost symbol that contains it."""
    found: dict[int, SymbolRow] = {}
    for line in lines:
        around = [symbol for symbol in symbols if symbol.first <= line <= symbol.last and symbol.kind != "variable"]
        if around:
            symbol = min(around, key=lambda symbol: symbol.last - symbol.first)
            found[symbol.id] = symbol
    return sorted(found.values(), key=lambda symbol: symbol.first)


def _find_lost_names(file: FileChange, text: Callable[[str], str | None]) -> frozenset[str]:
    """Names that a file defined before the change and no longer defines."""
    language = language_of_path(file.path)
    if language is None or file.status == "added":
        return frozenset()
    now = "" if file.status == "deleted" else text(file.path)
    if now is None:
        return frozenset()
    old = "\n".join(line.text for hunk in file.hunks for line in hunk.removed) if file.status == "deleted" else None
    old = restore_before(now, file) if old is None else old
    ours = find_defined_names(old, language) if old is not None else None
    theirs = find_defined_names(now, language) if now else frozenset[str]()
    return ours - theirs if ours is not None and theirs is not None else frozenset()


def _find_changed_signatures(
    file: FileChange, told: Sequence[Impact], text: Callable[[str], str | None]
) -> Iterator[Finding]:
    """Functions whose arguments changed while callers outside did not."""
    language = language_of_path(file.path)
    now = text(file.path) if language is not None and file.status == "modified" else None
    old = restore_before(now, file) if now is not None else None
    if language is None or now is None or old is None:
        return
    ours, theirs = find_signatures(old, language) or {}, find_signatures(now, language) or {}
    for name in sorted(ours.keys() & theirs.keys()):
        if ours[name] == theirs[name]:
            continue
        user = next((impact for impact in told if impact.symbol == name and impact.span.path == file.path), None)
        if user is not None:
            first = user.span.first
            yield Finding(
                id="",
                title=f"{name} takes other arguments now",
                span=Span(file.path, first, first),
                severity="WARNING",
                problem=f"`{name}{ours[name]}` became `{name}{theirs[name]}`, and {user.count} users outside of this"
                f" change did not change with it: {', '.join(user.users)}",
                confidence=55,
                source="impact",
            )


def _report_removed_name(file: FileChange, name: str, places: Sequence[tuple[str, str]]) -> Finding:
    removed = next((line for hunk in file.hunks for line in hunk.removed if name in line.text), None)
    at = next((h.new_start for h in file.hunks if removed in h.lines), 1) if removed else 1
    return Finding(
        id="",
        title=f"{name} is gone and still used",
        span=Span(file.path, max(1, at), max(1, at)),
        severity="WARNING",
        problem=f"`{name}` is no longer defined, and "
        + "; ".join(f"{place} still has `{line.strip()[:120]}`" for place, line in places),
        confidence=60,
        source="impact",
        quotes=(removed.text.strip(),) if removed else (),
    )


def _report_missing_file(file: FileChange, other: str, said: str) -> Finding:
    first = file.hunks[0].new_start if file.hunks else 1
    return Finding(
        id="",
        title=f"{other} usually changes with this file",
        span=Span(file.path, max(1, first), max(1, first)),
        severity="SUGGESTION",
        problem=said,
        confidence=40,
        source="co-change",
    )
