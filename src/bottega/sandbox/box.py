"""A fresh directory that holds a command's files, and is gone afterwards whatever the command did to it."""

from __future__ import annotations

import os
import secrets
import stat
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bottega.errors import InputError, SandboxError

LONGEST_NAME = 255
PATIENCE = 2.0
"""Seconds that the last dying process has to stop writing while its directory is removed."""


@dataclass(frozen=True, slots=True)
class Box:
    """The directory on the host; only `work`, `temporary` and `shared_memory` are for the command."""

    root: Path

    @property
    def work(self) -> Path:
        return self.root / "work"

    @property
    def temporary(self) -> Path:
        return self.root / "tmp"

    @property
    def shared_memory(self) -> Path:
        return self.root / "shm"

    @property
    def stdin(self) -> Path:
        return self.root / "stdin"

    def give_to(self, account: int) -> None:
        """All but the root, which the account may pass through and not replace by a link to somewhere else."""
        self.root.chmod(0o711)
        for path in self.root.rglob("*"):
            os.chown(path, account, account, follow_symlinks=False)


@contextmanager
def open_box(files: Mapping[str, str], stdin: str) -> Iterator[Box]:
    places = [(_checked(name), text) for name, text in files.items()]
    try:
        box = Box(Path(tempfile.mkdtemp(prefix="bottega-")).resolve())
    except OSError as error:
        raise SandboxError(f"No temporary directory to run in: {error.strerror}") from error
    try:
        _fill(box, places, stdin)
        yield box
    finally:
        _remove(box.root)


def _checked(name: str) -> PurePosixPath:
    place = PurePosixPath(name)
    if not place.parts or place.is_absolute() or ".." in place.parts or "\0" in name:
        raise InputError(f"File name {name!r} leaves the sandbox", hint="Name files relative to the work dir.")
    try:
        longest = max(len(os.fsencode(part)) for part in place.parts)
    except UnicodeEncodeError as error:
        raise InputError(f"File name {name!r} cannot be written to disk") from error
    if longest > LONGEST_NAME or len(name) > 4 * LONGEST_NAME:
        raise InputError(f"File name {name[:80]!r}… is too long")
    return place


def _fill(box: Box, places: Sequence[tuple[PurePosixPath, str]], stdin: str) -> None:
    try:
        for folder in (box.work, box.temporary, box.shared_memory):
            folder.mkdir()
        box.stdin.write_bytes(_encoded(stdin))
        for place, text in places:
            _write(box.work, place, text)
    except OSError as error:
        raise SandboxError(f"Cannot fill the sandbox's directory: {error.strerror}") from error


def _write(work: Path, place: PurePosixPath, text: str) -> None:
    path = work / place
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:  # x: neither follows a link nor overwrites
            file.write(_encoded(text))
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(f"File name {str(place)!r} clashes with another one") from error


def _encoded(text: str) -> bytes:
    """Bytes that were read with `surrogateescape` come back as they were; any other lone surrogate becomes `?`."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace")


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
    """Move each entry to the root before looking at it.

    A command may nest directories deeper than a path can say, and in its own directories it may put a link in the
    place of what was just looked at; the root is out of its reach.
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
    """A directory can be moved by its owner only while it is writable."""
    seen = path.lstat()
    if stat.S_ISDIR(seen.st_mode) and seen.st_uid == os.geteuid():
        path.chmod(0o700)
