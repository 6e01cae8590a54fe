"""A temporary directory on the host for a command without a file system of its own; always removed afterwards.

A held lock beside the directory means that its process is running. Directories of killed processes are removed by the
next one.
"""

from __future__ import annotations

import fcntl
import os
import secrets
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from bottega.errors import SandboxError

PREFIX, LOCK = "bottega-box-", ".lock"
PATIENCE = 2.0
"""Seconds to retry the removal of a directory while a dying process still writes to it."""


@dataclass(frozen=True, slots=True)
class Box:
    """The directory on the host; only `work`, `home` and `temporary` are for the command."""

    root: Path

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def home(self) -> Path:
        return self.root / "home"

    @property
    def temporary(self) -> Path:
        return self.root / "tmp"

    @property
    def stdin(self) -> Path:
        return self.root / "stdin"

    def give_to(self, account: int) -> None:
        """Change the owner of all but the root, so that the account cannot replace the directories by links."""
        self.root.chmod(0o711)
        for path in (self.work, self.home, self.temporary):
            os.chown(path, account, account, follow_symlinks=False)


@contextmanager
def open_box(stdin: bytes) -> Iterator[Box]:
    """Create an empty box; the standard input of the command is a file beside its directories."""
    remove_abandoned_boxes()
    root = Path(tempfile.gettempdir()).resolve() / f"{PREFIX}{secrets.token_hex(8)}"
    try:
        lock = os.open(f"{root}{LOCK}", os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise SandboxError(f"No temporary directory to run in: {error.strerror}") from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        box = Box(root)
        _fill(box, stdin)
        yield box
    finally:
        _remove(root)
        Path(f"{root}{LOCK}").unlink(missing_ok=True)
        os.close(lock)


def remove_abandoned_boxes() -> None:
    """Remove the directories of killed processes, whose locks are free."""
    for lock in Path(tempfile.gettempdir()).glob(f"{PREFIX}*{LOCK}"):
        with suppress(OSError):  # it is another user's, or removed already
            handle = os.open(lock, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                root = lock.with_name(lock.name.removesuffix(LOCK))
                if _is_own(os.fstat(handle)) and root.is_dir() and not root.is_symlink() and _is_own(root.lstat()):
                    _remove(root)
                lock.unlink()
            finally:
                os.close(handle)


def _is_own(status: os.stat_result) -> bool:
    return status.st_uid == os.geteuid()


def _fill(box: Box, stdin: bytes) -> None:
    try:
        box.root.mkdir(mode=0o700)
        for folder in (box.work, box.home, box.temporary):
            folder.mkdir()
        box.stdin.write_bytes(stdin)
    except OSError as error:
        raise SandboxError(f"Cannot fill the sandbox's directory: {error.strerror}") from error


def _remove(root: Path) -> None:
    give_up = time.monotonic() + PATIENCE
    while root.exists():
        try:
            _empty(root)
            root.rmdir()
        except OSError as error:
            if time.monotonic() > give_up:
                raise SandboxError(f"Cannot remove {root}: {error.strerror}") from error
            time.sleep(0.02)


def _empty(root: Path) -> None:
    """Move each entry to the root before removing it.

    A command may nest directories deeper than a path can name, and in its own directories it may replace an entry by a
    link between check and removal; it cannot write to the root.
    """
    _unlock(root)
    pending = [root]
    while pending:
        folder = pending.pop()
        for entry in list(folder.iterdir()):
            _unlock(entry)
            moved = entry.rename(root / secrets.token_hex(8))
            if moved.is_dir() and not moved.is_symlink():
                pending.append(moved)
            else:
                moved.unlink()
        if folder != root:
            folder.rmdir()


def _unlock(path: Path) -> None:
    """Make a directory writable: otherwise its owner cannot move it."""
    seen = path.lstat()
    if stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.geteuid():
        path.chmod(0o700)
