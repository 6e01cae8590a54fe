"""Collect what the walk lists and what the workers read into one scan."""

from __future__ import annotations

import heapq
import math
import os
from array import array
from collections import Counter
from hashlib import blake2b
from pathlib import Path
from typing import Any

from bottega.investigate.scan.duplicates import find_duplicates
from bottega.investigate.scan.file_facts import FileFacts
from bottega.investigate.scan.findings import (
    LanguageLines,
    LargeFile,
    LeftOut,
    RecentFile,
    Scan,
    ScannedDirectory,
    Tally,
)
from bottega.investigate.scan.kinds import identify
from bottega.investigate.scan.signals import collect_signals
from bottega.investigate.scan.walking import DirectoryListing, ReadProblems, measure
from bottega.investigate.scan.worker import DIGEST, WHOLE, BatchResult

_MAX_LISTED = 200
_MAX_RECENT = 10
# Files that a clone, an unpacking or a copy writes have mtimes this close to the oldest: they say nothing of changes.
_CHECKOUT_S = 600.0
_MAX_COUNTED = 20
_MAX_TYPE_CHARS = 80
_LARGE_BYTES = 10 * 1024 * 1024
_MAX_TRACKED_FILES = 100_000


class ScanCollector:
    """Adds up a scan. Workers return files in the order in which they got them, so a queue tells them apart."""

    def __init__(self, target: Path, problems: ReadProblems) -> None:
        self._target = target
        self._problems = problems
        self._folders: list[ScannedDirectory] = []
        self._digests: list[bytearray] = []
        self._queue: list[tuple[int, int]] = []
        self._done = 0
        self._categories: dict[str, list[int]] = {}
        self._extensions: Counter[str] = Counter()
        self._types: Counter[str] = Counter()
        self._languages: dict[str, list[int]] = {}
        self._recent: list[tuple[float, str]] = []
        self._oldest = math.inf
        self._large: dict[str, list[int]] = {}
        self._facts = FileFacts()
        self._left_out: list[LeftOut] = []
        self._links = 0
        self._broken: list[str] = []
        self._outward: list[str] = []
        self._specials: list[tuple[str, str]] = []
        self._unread = 0
        self._sampled = 0
        self._linked: set[tuple[int, int]] = set()
        self._extras: list[bytes] = []
        self.files = 0

    def add_directory(self, number: int, listing: DirectoryListing) -> list[str]:
        """Add a directory; returns the language of each of its files, judged by name."""
        languages: list[str] = []
        own: dict[str, int] = {}
        size = disk = 0
        queue = self._queue
        for at, (name, status) in enumerate(zip(listing.names, listing.stats, strict=True)):
            ending, category, language = identify(name)
            languages.append(language)
            length = status.st_size
            size += length
            disk += self._on_disk(status)
            self._extensions[ending or "(none)"] += 1
            category = category or "unknown"
            tally = self._categories.setdefault(category, [0, 0])
            tally[0] += 1
            tally[1] += length
            kind = language or category
            own[kind] = own.get(kind, 0) + length
            if length and not listing.is_pseudo:
                queue.append((number, at))
            if length > _LARGE_BYTES:
                self._large[listing.path + name] = [length, 0]
            self._note_time(status.st_mtime, listing.path, name)
        folder = ScannedDirectory(
            listing.path,
            listing.parent,
            tuple(listing.names),
            array("Q", (status.st_size for status in listing.stats)),
            b"",
            size,
        )
        folder.languages = own
        folder.files, folder.bytes, folder.disk, folder.problem = len(listing.names), size, disk, listing.problem
        folder.times = {
            at: status.st_mtime_ns
            for at, status in enumerate(listing.stats)
            if status.st_size > WHOLE or listing.is_pseudo
        }
        self._folders.append(folder)
        self._digests.append(bytearray(DIGEST * len(listing.names)))
        if listing.parent >= 0:
            self._folders[listing.parent].children.append(number)
        self._extras.append(self._add_special(listing))
        self.files += len(listing.names)
        return languages

    def add_results(self, result: BatchResult) -> None:
        """Add what a worker read from the next files of the queue."""
        digests, languages, code, facts = result
        count = len(digests) // DIGEST
        here = self._queue[self._done : self._done + count]
        for at, (folder, file) in enumerate(here):
            self._digests[folder][file * DIGEST : (file + 1) * DIGEST] = digests[at * DIGEST : (at + 1) * DIGEST]
        for language, sums in languages.items():
            total = self._languages.setdefault(language, [0] * len(sums))
            for at, value in enumerate(sums):
                total[at] += value
        for language, counted in code.items():
            for at, lines in zip(counted[::2], counted[1::2], strict=True):
                own = self._folders[here[at][0]].code
                own[language] = own.get(language, 0) + lines
        for at, kind, *details in facts:
            folder, file = here[at]
            self._add_fact(folder, file, kind, details)
        self._done += count
        if self._done > _MAX_TRACKED_FILES:
            del self._queue[: self._done]
            self._done = 0

    def build(self) -> Scan:
        """The scan, once all results were added."""
        self._sum_up()
        duplicates = find_duplicates(self._target, self._folders)
        large = [LargeFile(path, *sizes) for path, sizes in self._large.items()]
        large.sort(key=lambda file: (-file.bytes, -file.lines, file.path))
        return Scan(
            target=str(self._target),
            folders=tuple(self._folders),
            categories={name: Tally(*sums) for name, sums in sorted(self._categories.items())},
            signals=collect_signals(self._folders, self._extensions, self._types),
            languages=tuple(
                sorted((LanguageLines(name, *sums) for name, sums in self._languages.items()), key=_by_code)
            ),
            large=tuple(large[:_MAX_LISTED]),
            large_count=len(large),
            recent=tuple(
                RecentFile(path, at)
                for at, path in sorted(self._recent, reverse=True)
                if at > self._oldest + _CHECKOUT_S
            ),
            duplicates=duplicates.groups,
            duplicate_files=duplicates.copies,
            duplicate_bytes=duplicates.wasted,
            secrets=self._facts.sorted_secrets()[:_MAX_LISTED],
            secret_count=self._facts.secret_count,
            orders=tuple(sorted(self._facts.injections)[:_MAX_LISTED]),
            licences=tuple(sorted(self._facts.licences)[:_MAX_LISTED]),
            licence_headers=dict(self._facts.headers.most_common(_MAX_COUNTED)),
            entry_points=self._facts.sorted_entry_points()[:_MAX_LISTED],
            entry_count=len(self._facts.entry_points),
            left_out=tuple(sorted(self._left_out, key=lambda entry: (-entry.bytes, entry.path))[:_MAX_LISTED]),
            links=self._links,
            broken_links=tuple(sorted(self._broken)[:_MAX_LISTED]),
            outward_links=tuple(sorted(self._outward)[:_MAX_LISTED]),
            specials=tuple(sorted(self._specials)[:_MAX_LISTED]),
            remarks=tuple(self._problems.listed),
            remark_count=self._problems.count,
            unread=self._unread,
            sampled=self._sampled,
        )

    def _on_disk(self, status: os.stat_result) -> int:
        """Bytes on disk; a file with several hard links counts once."""
        if status.st_nlink > 1:
            inode = (status.st_dev, status.st_ino)
            if inode in self._linked:
                return 0
            self._linked.add(inode)
        return getattr(status, "st_blocks", 0) * 512

    def _note_time(self, at: float, folder: str, name: str) -> None:
        self._oldest = min(self._oldest, at)
        if len(self._recent) < _MAX_RECENT:
            heapq.heappush(self._recent, (at, folder + name))
        elif at > self._recent[0][0]:
            heapq.heapreplace(self._recent, (at, folder + name))

    def _add_special(self, listing: DirectoryListing) -> bytes:
        """Add links, special files and what is left out; returns their part of the directory's key."""
        parts: list[str] = []
        for name, to in listing.links:
            self._links += 1
            path = listing.path + name
            full_path = os.path.join(self._target, path)
            if not os.path.exists(full_path):
                self._broken.append(path)
            elif not _is_below(os.path.realpath(full_path), str(self._target)):
                self._outward.append(path)
            parts.append(f"l{name}\0{to}")
        for name, kind in listing.others:
            self._specials.append((listing.path + name, kind))
            parts.append(f"o{name}\0{kind}")
        for name, why in listing.left_out:
            files, size, disk = measure(os.path.join(self._target, listing.path, name))
            self._left_out.append(LeftOut(listing.path + name, why, files, size))
            self._folders[-1].disk += disk
            parts.append(f"x{name}")
        if listing.problem:
            parts.append(f"!{listing.problem}")
        return "\n".join(parts).encode("utf-8", "surrogateescape")

    def _add_fact(self, number: int, file: int, kind: str, details: list[Any]) -> None:
        folder = self._folders[number]
        path, size = folder.path + folder.names[file], folder.sizes[file]
        if kind == "unread":
            self._unread += 1
            self._problems.add(path, details[0])
        elif kind == "sampled":
            self._sampled += 1
        elif kind == "type":
            self._retype(folder, size, *details)
        elif kind == "lines":
            self._large.setdefault(path, [size, 0])[1] = details[0]
        else:
            self._facts.add(path, kind, details)

    def _retype(self, folder: ScannedDirectory, size: int, description: str, category: str, language: str) -> None:
        """Move a file from `unknown` to the kind that its first bytes show."""
        shown = description if len(description) <= _MAX_TYPE_CHARS else description[:_MAX_TYPE_CHARS] + "..."
        self._types[shown] += 1
        kind = language or category
        if kind != "unknown":
            folder.languages["unknown"] = folder.languages.get("unknown", 0) - size
            folder.languages[kind] = folder.languages.get(kind, 0) + size
        if category != "unknown":
            for name, sign in (("unknown", -1), (category, 1)):
                tally = self._categories.setdefault(name, [0, 0])
                tally[0] += sign
                tally[1] += sign * size

    def _sum_up(self) -> None:
        """Sums and keys of directories from the leaves up: backwards, because children come after their parents."""
        for number in range(len(self._folders) - 1, -1, -1):
            folder = self._folders[number]
            folder.digests = bytes(self._digests[number])
            mark = blake2b(digest_size=16)
            for at, name in enumerate(folder.names):
                mark.update(b"f" + name.encode("utf-8", "surrogateescape") + b"\0" + folder.digest(at).encode())
                if at in folder.times:  # a digest of samples alone could miss a change, so the mtime is part of the key
                    mark.update(str(folder.times[at]).encode())
            for child in folder.children:
                below = self._folders[child]
                last = below.path.rstrip("/").rpartition("/")[2]
                mark.update(b"d" + last.encode("utf-8", "surrogateescape") + b"\0" + below.key.encode())
                folder.files += below.files
                folder.bytes += below.bytes
                folder.disk += below.disk
            mark.update(self._extras[number])
            folder.key = mark.hexdigest()
        self._digests.clear()


def _is_below(path: str, target: str) -> bool:
    return path == target or path.startswith(target.rstrip("/") + "/")


def _by_code(lines: LanguageLines) -> tuple[int, str]:
    return -(lines.code + lines.comment), lines.language
