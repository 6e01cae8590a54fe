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
    """0 for the current time."""


@dataclass(slots=True)
class Layout:
    """Writes to an empty directory that no other process can access yet; nothing is replaced."""

    root: int
    owner: int | None
    """Owner of everything, `None` for the user of this process."""
    _made: set[str] = field(default_factory=set)

    def add_folder(self, path: str) -> None:
        if path in self._made or not path:
            return
        self.add_folder(path.rpartition("/")[0])
        with suppress(FileExistsError):  # it contains the mount point of a shared directory
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
        """Add links after all files, so that no path leads through a link."""
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
