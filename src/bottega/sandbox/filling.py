"""Fill a work directory through its descriptor, before the command starts."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from bottega.cancellation import current_cancellation


@dataclass(frozen=True, slots=True)
class Content:
    """A file to write."""

    data: bytes
    executable: bool = False
    mtime_ns: int = 0
    """0 for now."""


@dataclass(slots=True)
class Layout:
    """Writes into an empty directory that nobody else can reach yet, and replaces nothing in it."""

    root: int
    owner: int | None
    """User that everything is given to, `None` for this process's own."""
    _made: set[str] = field(default_factory=set)

    def add_folder(self, path: str) -> None:
        if path in self._made or not path:
            return
        self.add_folder(path.rpartition("/")[0])
        with suppress(FileExistsError):  # the mount point of a shared directory lies in it
            os.mkdir(path, 0o755, dir_fd=self.root)
        self._made.add(path)
        self._change_owner(path)

    def add_file(self, path: str, content: Content) -> None:
        current_cancellation().check()
        self.add_folder(path.rpartition("/")[0])
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        handle = os.open(path, flags, 0o755 if content.executable else 0o644, dir_fd=self.root)
        with os.fdopen(handle, "wb", buffering=0) as file:
            view = memoryview(content.data)
            while view:
                view = view[file.write(view) :]
            if self.owner is not None:
                os.fchown(handle, self.owner, self.owner)
            if content.mtime_ns:
                os.utime(handle, ns=(content.mtime_ns, content.mtime_ns))

    def add_links(self, links: Mapping[str, str]) -> None:
        """Last of all, so that no path leads through one of them."""
        for path, target in links.items():
            self.add_folder(path.rpartition("/")[0])
            os.symlink(target, path, dir_fd=self.root)
            self._change_owner(path)

    def give_root(self) -> None:
        if self.owner is not None:
            os.fchown(self.root, self.owner, self.owner)

    def _change_owner(self, path: str) -> None:
        if self.owner is not None:
            os.chown(path, self.owner, self.owner, dir_fd=self.root, follow_symlinks=False)
