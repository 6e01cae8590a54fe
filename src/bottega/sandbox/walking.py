"""Read an untrusted directory by descriptors: no link is followed, no pipe opened."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bottega.cancellation import current_cancellation
from bottega.sandbox.limits import Limits
from bottega.sandbox.tree import Entry, File, Folder, Link
from bottega.sandbox.usage import MEGABYTE, check_overrun

DEEPEST = 100
"""Maximum nesting; each open directory needs a descriptor."""
PRIVATE = frozenset({".git", ".bottega"})
"""Never copied into or out of a layer, at any depth and in any letter case."""
_SAFELY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class TreeTooLarge(Exception):
    """The directory exceeds a limit; prints as that limit."""


@dataclass(frozen=True, slots=True)
class DirectoryEntry:
    """An entry of a directory; valid until the next one is requested."""

    path: str
    status: os.stat_result
    folder: int
    """Descriptor of its directory."""
    unlock: bool
    """Whether to make unreadable entries readable; only for directories that we own."""

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def is_file(self) -> bool:
        return stat.S_ISREG(self.status.st_mode)

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.status.st_mode)

    def read(self, *, most: int) -> bytes:
        """The content of a regular file; raise `TreeTooLarge` for more than `most` bytes."""
        handle = _open(self.name, self.folder, _SAFELY, unlock=self.unlock)
        with os.fdopen(handle, "rb", buffering=0) as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                return b""
            parts = []
            while part := file.read(min(most, 1 << 24) + 1):
                parts.append(part)
                most -= len(part)
                if most < 0:
                    raise TreeTooLarge(f"a file that is larger than allowed: {self.path}")
            return b"".join(parts)


def is_private(path: str) -> bool:
    return any(part.casefold() in PRIVATE for part in path.split("/"))


def walk(
    folder: int, *, skip: Callable[[str], bool] = is_private, unlock: bool = False, below: str = ""
) -> Iterator[DirectoryEntry]:
    """Yield entries below a directory by name, each directory before its content; vanished ones are skipped."""
    if below.count("/") > DEEPEST:
        raise TreeTooLarge(f"more than {DEEPEST} nested directories")
    if unlock and os.fstat(folder).st_mode & stat.S_IRWXU != stat.S_IRWXU:
        os.fchmod(folder, stat.S_IRWXU)
    for name in sorted(os.listdir(folder)):
        path = f"{below}{name}"
        if skip(path):
            continue
        current_cancellation().check()
        try:
            status = os.stat(name, dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            continue
        yield DirectoryEntry(path, status, folder, unlock)
        if stat.S_ISDIR(status.st_mode):
            with _open_directory(name, folder, unlock=unlock) as inner:
                if inner is not None:
                    yield from walk(inner, skip=skip, unlock=unlock, below=f"{path}/")


@contextmanager
def _open_directory(name: str, folder: int, *, unlock: bool) -> Iterator[int | None]:
    try:
        handle = _open(name, folder, _SAFELY | os.O_DIRECTORY, unlock=unlock)
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        yield None
        return
    try:
        yield handle
    finally:
        os.close(handle)


def read_tree(
    folder: int,
    *,
    limits: Limits,
    store: Callable[[bytes], str],
    skip: Callable[[str], bool] = is_private,
    unlock: bool = False,
) -> tuple[dict[str, Entry], tuple[str, ...]]:
    """The tree, with contents passed to `store`, and the paths that are left out.

    Left out are sockets, pipes, devices and what cannot be read. Raise `TreeTooLarge` beyond `limits.disk_mb` or
    `limits.files`.
    """
    tree: dict[str, Entry] = {}
    left_out: list[str] = []
    size = 0
    for listed in walk(folder, skip=skip, unlock=unlock):
        entry = _read_entry(listed, store, most=limits.disk_mb * MEGABYTE - size)
        if entry is None:
            left_out.append(listed.path)
            continue
        tree[listed.path] = entry
        size += entry.size if isinstance(entry, File) else 0
        if reason := check_overrun(size, len(tree), limits):
            raise TreeTooLarge(reason)
    return tree, tuple(left_out)


def _read_entry(listed: DirectoryEntry, store: Callable[[bytes], str], *, most: int) -> Entry | None:
    mode = listed.status.st_mode
    if stat.S_ISDIR(mode):
        return Folder()
    if stat.S_ISLNK(mode):
        return Link(os.readlink(listed.name, dir_fd=listed.folder))
    if not stat.S_ISREG(mode):
        return None
    try:
        content = listed.read(most=most)
    except OSError:  # not readable, or replaced meanwhile
        return None
    return File(store(content), len(content), bool(mode & stat.S_IXUSR), listed.status.st_mtime_ns)


def _open(name: str, folder: int, flags: int, *, unlock: bool) -> int:
    try:
        return os.open(name, flags, dir_fd=folder)
    except PermissionError:  # a command may remove all permissions of its own files
        if not unlock:
            raise
        _unlock(name, folder)
        return os.open(name, flags, dir_fd=folder)


def _unlock(name: str, folder: int) -> None:
    """Make a file readable for its owner without following a link that has replaced it meanwhile."""
    if sys.platform != "linux":
        os.chmod(name, stat.S_IRWXU, dir_fd=folder, follow_symlinks=False)
        return
    handle = os.open(name, os.O_PATH | os.O_NOFOLLOW, dir_fd=folder)
    try:
        if not stat.S_ISLNK(os.fstat(handle).st_mode):
            Path(f"/proc/self/fd/{handle}").chmod(stat.S_IRWXU)
    finally:
        os.close(handle)
