"""Put together what the walk lists and what the readers tell."""

from __future__ import annotations

import contextlib
import heapq
import os
from array import array
from collections import Counter
from hashlib import blake2b, sha256
from pathlib import Path
from typing import Any

import numpy as np

from bottega.index.classify import is_test_path
from bottega.investigate.scan.found import (
    Duplicates,
    EntryPoint,
    Folder,
    LanguageLines,
    LargeFile,
    LeftOut,
    Licence,
    RecentFile,
    Scan,
    Signals,
    Suspect,
    Tally,
)
from bottega.investigate.scan.kinds import identify
from bottega.investigate.scan.walking import Place, Remarks, measure
from bottega.investigate.scan.worker import DIGEST, WHOLE

_MOST_LISTED = 200
_RECENT = 10
_TOP = 20
_SAMPLES = 20
_LONGEST_WORDS = 80
_LARGE_BYTES = 10 * 1024 * 1024
_SHOWN_DUPLICATES = 50
_SHOWN_PATHS = 5


class Gathering:
    """The files that readers were given come back in the order in which they were given, so a queue places them."""

    def __init__(self, target: Path, remarks: Remarks) -> None:
        self._target = target
        self._remarks = remarks
        self._folders: list[Folder] = []
        self._digests: list[bytearray] = []
        self._given: list[tuple[int, int]] = []
        self._taken = 0
        self._categories: dict[str, list[int]] = {}
        self._extensions: Counter[str] = Counter()
        self._types: Counter[str] = Counter()
        self._languages: dict[str, list[int]] = {}
        self._recent: list[tuple[float, str]] = []
        self._large: dict[str, list[int]] = {}
        self._secrets: list[Suspect] = []
        self._orders: list[Suspect] = []
        self._licences: list[Licence] = []
        self._headers: Counter[str] = Counter()
        self._entries: list[EntryPoint] = []
        self._left_out: list[LeftOut] = []
        self._links = 0
        self._broken: list[str] = []
        self._outward: list[str] = []
        self._specials: list[tuple[str, str]] = []
        self._secret_count = 0
        self._unread = 0
        self._sampled = 0
        self._linked: set[tuple[int, int]] = set()
        self._extras: list[bytes] = []
        self.files = 0

    def enter(self, number: int, place: Place) -> list[str]:
        """Take a directory in; returns the language of each of its files by name."""
        languages: list[str] = []
        own: dict[str, int] = {}
        size = disk = 0
        given = self._given
        for at, (name, status) in enumerate(zip(place.names, place.stats, strict=True)):
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
            if length and not place.is_pseudo:
                given.append((number, at))
            if length > _LARGE_BYTES:
                self._large[place.path + name] = [length, 0]
            self._note_time(status.st_mtime, place.path, name)
        folder = Folder(
            place.path, place.parent, tuple(place.names), array("Q", (one.st_size for one in place.stats)), b"", size
        )
        folder.languages = own
        folder.files, folder.bytes, folder.disk, folder.problem = len(place.names), size, disk, place.problem
        folder.times = {
            at: one.st_mtime_ns for at, one in enumerate(place.stats) if one.st_size > WHOLE or place.is_pseudo
        }
        self._folders.append(folder)
        self._digests.append(bytearray(DIGEST * len(place.names)))
        if place.parent >= 0:
            self._folders[place.parent].children.append(number)
        self._extras.append(self._apart(place))
        self.files += len(place.names)
        return languages

    def take(self, result: tuple[bytes, dict[str, list[int]], list[tuple[Any, ...]]]) -> None:
        """Take what was read of the next files."""
        digests, languages, told = result
        count = len(digests) // DIGEST
        here = self._given[self._taken : self._taken + count]
        for at, (folder, place) in enumerate(here):
            self._digests[folder][place * DIGEST : (place + 1) * DIGEST] = digests[at * DIGEST : (at + 1) * DIGEST]
        for language, sums in languages.items():
            total = self._languages.setdefault(language, [0] * len(sums))
            for at, value in enumerate(sums):
                total[at] += value
        for at, what, *rest in told:
            folder, place = here[at]
            self._hear(folder, place, what, rest)
        self._taken += count
        if self._taken > 100_000:
            del self._given[: self._taken]
            self._taken = 0

    def finished(self) -> Scan:
        self._settle()
        groups, files, wasted = self._duplicates()
        large = [LargeFile(path, *sizes) for path, sizes in self._large.items()]
        large.sort(key=lambda one: (-one.bytes, -one.lines, one.path))
        self._entries.sort(key=lambda one: (is_test_path(one.path), one.path.count("/"), one.path))
        self._secrets.sort(key=lambda one: (one.is_test, one.path, one.line))
        return Scan(
            target=str(self._target),
            folders=tuple(self._folders),
            categories={name: Tally(*sums) for name, sums in sorted(self._categories.items())},
            signals=self._signals(),
            languages=tuple(
                sorted((LanguageLines(name, *sums) for name, sums in self._languages.items()), key=_by_code)
            ),
            large=tuple(large[:_MOST_LISTED]),
            large_count=len(large),
            recent=tuple(RecentFile(path, at) for at, path in sorted(self._recent, reverse=True)),
            duplicates=groups,
            duplicate_files=files,
            duplicate_bytes=wasted,
            secrets=tuple(self._secrets[:_MOST_LISTED]),
            secret_count=self._secret_count,
            orders=tuple(sorted(self._orders)[:_MOST_LISTED]),
            licences=tuple(sorted(self._licences)[:_MOST_LISTED]),
            licence_headers=dict(self._headers.most_common(_TOP)),
            entry_points=tuple(self._entries[:_MOST_LISTED]),
            entry_count=len(self._entries),
            left_out=tuple(sorted(self._left_out, key=lambda one: (-one.bytes, one.path))[:_MOST_LISTED]),
            links=self._links,
            broken_links=tuple(sorted(self._broken)[:_MOST_LISTED]),
            outward_links=tuple(sorted(self._outward)[:_MOST_LISTED]),
            specials=tuple(sorted(self._specials)[:_MOST_LISTED]),
            remarks=tuple(self._remarks.told),
            remark_count=self._remarks.count,
            unread=self._unread,
            sampled=self._sampled,
        )

    def _on_disk(self, status: os.stat_result) -> int:
        """A file with several names takes its place once."""
        if status.st_nlink > 1:
            known = (status.st_dev, status.st_ino)
            if known in self._linked:
                return 0
            self._linked.add(known)
        return getattr(status, "st_blocks", 0) * 512

    def _note_time(self, at: float, folder: str, name: str) -> None:
        if len(self._recent) < _RECENT:
            heapq.heappush(self._recent, (at, folder + name))
        elif at > self._recent[0][0]:
            heapq.heapreplace(self._recent, (at, folder + name))

    def _apart(self, place: Place) -> bytes:
        """What is no file and no directory to enter; returns its share of the directory's key."""
        said: list[str] = []
        for name, to in place.links:
            self._links += 1
            path = place.path + name
            whole = os.path.join(self._target, path)
            if not os.path.lexists(whole) or not os.path.exists(whole):
                self._broken.append(path)
            elif not _is_below(os.path.realpath(whole), str(self._target)):
                self._outward.append(path)
            said.append(f"l{name}\0{to}")
        for name, kind in place.others:
            self._specials.append((place.path + name, kind))
            said.append(f"o{name}\0{kind}")
        for name, why in place.left_out:
            whole = os.path.join(self._target, place.path, name)
            files, size, disk = measure(whole)
            self._left_out.append(LeftOut(place.path + name, why, files, size))
            self._folders[-1].disk += disk
            said.append(f"x{name}")
        if place.problem:
            said.append(f"!{place.problem}")
        return "\n".join(said).encode("utf-8", "surrogateescape")

    def _hear(self, number: int, place: int, what: str, rest: list[Any]) -> None:
        folder = self._folders[number]
        path = folder.path + folder.names[place]
        size = folder.sizes[place]
        if what == "unread":
            self._unread += 1
            self._remarks.add(path, rest[0])
        elif what == "sampled":
            self._sampled += 1
        elif what == "type":
            self._retype(folder, size, *rest)
        elif what == "lines":
            self._large.setdefault(path, [size, 0])[1] = rest[0]
        elif what in {"secret", "order"}:
            self._suspect(path, rest[0], rest[1] if what == "secret" else "")
        elif what == "licence":
            if rest[1] or "/" not in path:
                self._licences.append(Licence(path, rest[0]))
            else:
                self._headers[rest[0]] += 1
        elif what == "entry":
            self._entries.append(EntryPoint(path, rest[0]))

    def _suspect(self, path: str, line: int, kind: str) -> None:
        if not kind:
            self._orders.append(Suspect(path, line, "orders to a model", is_test_path(path)))
            return
        self._secret_count += 1
        if len(self._secrets) < 10 * _MOST_LISTED:
            self._secrets.append(Suspect(path, line, kind, is_test_path(path)))

    def _retype(self, folder: Folder, size: int, words: str, category: str, language: str) -> None:
        """A look inside told more than the name."""
        self._types[words if len(words) <= _LONGEST_WORDS else words[:_LONGEST_WORDS] + "..."] += 1
        kind = language or category
        if kind != "unknown":
            folder.languages["unknown"] = folder.languages.get("unknown", 0) - size
            folder.languages[kind] = folder.languages.get(kind, 0) + size
        if category != "unknown":
            for name, sign in (("unknown", -1), (category, 1)):
                tally = self._categories.setdefault(name, [0, 0])
                tally[0] += sign
                tally[1] += sign * size

    def _settle(self) -> None:
        """Sums and keys from the leaves up; children come after their parents, so the way back meets them first."""
        for number in range(len(self._folders) - 1, -1, -1):
            folder = self._folders[number]
            folder.digests = bytes(self._digests[number])
            mark = blake2b(digest_size=16)
            for at, name in enumerate(folder.names):
                mark.update(b"f" + name.encode("utf-8", "surrogateescape") + b"\0" + folder.digest(at).encode())
                if at in folder.times:  # what is known by samples is also known by its time
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

    def _signals(self) -> Signals:
        extensions = sorted(self._extensions.items(), key=lambda pair: (-pair[1], pair[0]))[:_TOP]
        types = sorted(self._types.items(), key=lambda pair: (-pair[1], pair[0]))[:_TOP]
        total = self.files
        step = max(1, total // _SAMPLES)
        wanted = set(range(0, total, step)) if total > _SAMPLES else set(range(total))
        samples: list[str] = []
        seen = 0
        for folder in self._folders:
            for at in range(seen, seen + len(folder.names)):
                if at in wanted and len(samples) < _SAMPLES:
                    samples.append(folder.path + folder.names[at - seen])
            seen += len(folder.names)
        return Signals(total, tuple(extensions), tuple(types), tuple(samples))

    def _duplicates(self) -> tuple[tuple[Duplicates, ...], int, int]:
        sizes = np.concatenate([np.asarray(folder.sizes, np.uint64) for folder in self._folders])
        digests = np.frombuffer(b"".join(folder.digests for folder in self._folders), f"V{DIGEST}")
        known = np.flatnonzero((sizes > 0) & (digests != np.zeros(1, f"V{DIGEST}")[0]))
        if not len(known):
            return (), 0, 0
        keys = digests[known].view("<u8").reshape(-1, 2)
        order = np.lexsort((keys[:, 1], keys[:, 0]))
        same = np.all(keys[order][1:] == keys[order][:-1], axis=1)
        starts = np.flatnonzero(np.concatenate(([True], ~same)))
        counts = np.diff(np.append(starts, len(order)))
        many = np.flatnonzero(counts > 1)
        wasted = sizes[known[order[starts[many]]]].astype(np.int64) * (counts[many] - 1)
        paths = _Paths(self._folders)

        def members(one: int) -> list[str]:
            return sorted(paths.at(int(place)) for place in known[order[starts[one] : starts[one] + counts[one]]])

        first = sizes[known[order[starts[many]]]]
        short = many[first <= WHOLE]
        copies, bytes_ = int((counts[short] - 1).sum()), int(wasted[first <= WHOLE].sum())
        best = short[np.argsort(-wasted[first <= WHOLE], kind="stable")][:_SHOWN_DUPLICATES]
        groups = [
            Duplicates(int(sizes[known[order[starts[one]]]]), int(counts[one]), tuple(members(one)[:_SHOWN_PATHS]))
            for one in best.tolist()
        ]
        for one in many[first > WHOLE].tolist():  # long files were known by samples: whether they are equal takes all
            for equal in _equal(self._target, members(one)):
                groups.append(
                    Duplicates(int(sizes[known[order[starts[one]]]]), len(equal), tuple(equal[:_SHOWN_PATHS]))
                )
                copies += len(equal) - 1
                bytes_ += groups[-1].wasted
        groups.sort(key=lambda group: (-group.wasted, group.paths))
        return tuple(groups[:_SHOWN_DUPLICATES]), copies, bytes_


class _Paths:
    """The path of the nth file."""

    def __init__(self, folders: list[Folder]) -> None:
        self._folders = folders
        self._starts = np.cumsum([0, *(len(folder.names) for folder in folders)])

    def at(self, place: int) -> str:
        number = int(np.searchsorted(self._starts, place, "right")) - 1
        folder = self._folders[number]
        return folder.path + folder.names[place - int(self._starts[number])]


def _equal(target: Path, paths: list[str]) -> list[list[str]]:
    """Groups of files that are equal to the last byte."""
    found: dict[bytes, list[str]] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            found.setdefault(_whole_digest(target / path), []).append(path)
    return [group for group in found.values() if len(group) > 1]


def _whole_digest(path: Path) -> bytes:
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.digest()


def _is_below(path: str, target: str) -> bool:
    return path == target or path.startswith(target.rstrip("/") + "/")


def _by_code(one: LanguageLines) -> tuple[int, str]:
    return -(one.code + one.comment), one.language
