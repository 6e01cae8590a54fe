"""The values that a scan is made of."""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import NamedTuple

from bottega.investigate.scan.worker import DIGEST
from bottega.source import Span


class Tally(NamedTuple):
    files: int
    bytes: int


class LanguageLines(NamedTuple):
    language: str
    files: int
    bytes: int
    code: int
    comment: int
    blank: int


class LargeFile(NamedTuple):
    path: str
    bytes: int
    lines: int


class RecentFile(NamedTuple):
    path: str
    modified: float


class Duplicates(NamedTuple):
    """Files of equal content; `paths` are the first by name, `copies` counts all."""

    bytes: int
    copies: int
    paths: tuple[str, ...]

    @property
    def wasted(self) -> int:
        return self.bytes * (self.copies - 1)


class SuspectLine(NamedTuple):
    """A line that holds a likely secret, or text that gives orders to a model; `is_test` is judged by the path."""

    span: Span
    kind: str
    is_test: bool


class Licence(NamedTuple):
    path: str
    licence: str


class EntryPoint(NamedTuple):
    path: str
    why: str


class LeftOut(NamedTuple):
    """A file or directory that was measured and not read, and why."""

    path: str
    why: str
    files: int
    bytes: int


class Signals(NamedTuple):
    """What a survey sees of a target: endings, types and sample paths, but no categories, which are made for code."""

    total_files: int
    extensions: tuple[tuple[str, int], ...]
    descriptions: tuple[tuple[str, int], ...]
    samples: tuple[str, ...]


@dataclass(slots=True)
class ScannedDirectory:
    """A directory. `files` and `bytes` count everything below it; `key` hashes all names and contents below it.

    `languages` are the bytes and `code` the lines of code of the files directly in it, by language.
    """

    path: str
    parent: int
    names: tuple[str, ...]
    sizes: array[int]
    digests: bytes
    own_bytes: int
    children: list[int] = field(default_factory=list)
    languages: dict[str, int] = field(default_factory=dict)
    code: dict[str, int] = field(default_factory=dict)
    files: int = 0
    bytes: int = 0
    disk: int = 0
    key: str = ""
    problem: str = ""
    times: dict[int, int] = field(default_factory=dict)

    def digest(self, file: int) -> str:
        return self.digests[file * DIGEST : (file + 1) * DIGEST].hex()

    @property
    def name(self) -> str:
        return self.path.rstrip("/") or "."


@dataclass(frozen=True, slots=True)
class Scan:
    """The result of a scan. Long lists are cut to their most important items, with the count of all beside them."""

    target: str
    folders: tuple[ScannedDirectory, ...]
    categories: dict[str, Tally]
    signals: Signals
    languages: tuple[LanguageLines, ...]
    large: tuple[LargeFile, ...]
    large_count: int
    recent: tuple[RecentFile, ...]
    duplicates: tuple[Duplicates, ...]
    duplicate_files: int
    duplicate_bytes: int
    secrets: tuple[SuspectLine, ...]
    secret_count: int
    orders: tuple[SuspectLine, ...]
    licences: tuple[Licence, ...]
    licence_headers: dict[str, int]
    entry_points: tuple[EntryPoint, ...]
    entry_count: int
    left_out: tuple[LeftOut, ...]
    links: int
    broken_links: tuple[str, ...]
    outward_links: tuple[str, ...]
    specials: tuple[tuple[str, str], ...]
    remarks: tuple[tuple[str, str], ...]
    remark_count: int
    unread: int
    sampled: int

    @property
    def files(self) -> int:
        return self.folders[0].files

    @property
    def bytes(self) -> int:
        return self.folders[0].bytes

    @property
    def directories(self) -> int:
        return len(self.folders)
