"""Read files of a repository by path, from disk or from a commit."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol

from bottega.source.files import FileTooLarge, NotARegularFile, read_regular_file

_LARGEST = 4_000_000


class RepositoryFiles(Protocol):
    """Files of a repository by their path below its root; symbolic links and paths outside are refused."""

    def read(self, path: str) -> bytes | None:
        """The content; `None` where there is no such file. Raise `OSError` for what is not a regular file."""

    def names(self, folder: str) -> Sequence[str]:
        """The sorted names of all entries of a directory; empty where there is no such directory."""


@dataclass(frozen=True, slots=True)
class DiskFiles:
    """The files of a working tree."""

    root: Path

    def read(self, path: str) -> bytes | None:
        if not is_below(path):
            raise NotARegularFile(self.root / path, "leads out of the repository")
        try:
            return read_regular_file(self.root / _normalize(path), limit=_LARGEST, below=self.root)
        except (FileNotFoundError, NotADirectoryError):
            return None

    def names(self, folder: str) -> Sequence[str]:
        place = self.root / _normalize(folder)
        if not is_below(folder) or not place.resolve().is_relative_to(self.root.resolve()):
            return []
        try:
            return sorted(entry.name for entry in place.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []


@dataclass(frozen=True, slots=True)
class FilesBefore:
    """The files that a change touches as they were before it, by `read_before`; all others as they are on disk.

    `is_later` says that the version of a file on disk is newer than the state before the change: it is then read by
    `read_before` as well.
    """

    disk: DiskFiles
    touched: Collection[str]
    read_before: Callable[[str], bytes | None]
    is_later: Callable[[str], bool] = lambda _: False

    def read(self, path: str) -> bytes | None:
        plain = _normalize(path)
        if plain not in self.touched and not self.is_later(plain):
            return self.disk.read(path)
        content = self.read_before(plain)
        if content is not None and len(content) > _LARGEST:
            raise FileTooLarge(self.disk.root / path, _LARGEST)
        return content

    def names(self, folder: str) -> Sequence[str]:
        lead = "" if _normalize(folder) == "." else f"{_normalize(folder)}/"
        direct = {path[len(lead) :] for path in self.touched if path.startswith(lead) and "/" not in path[len(lead) :]}
        direct |= {name for name in self.disk.names(folder) if self.is_later(lead + name)}
        before = {name for name in direct if self.read_before(lead + name) is not None}
        return sorted((set(self.disk.names(folder)) - direct) | before)


def is_below(path: str) -> bool:
    """Whether a relative path stays below the directory that it starts in."""
    plain = PurePosixPath(os.path.normpath(path))
    return not plain.is_absolute() and plain.parts[:1] != ("..",)


def _normalize(path: str) -> str:
    return str(PurePosixPath(os.path.normpath(path)))
