"""Files in the sealed directory: private directories, files replaced as a whole, no links."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from bottega.errors import StorageError
from bottega.home.directory import NAME, seal_home
from bottega.home.locks import try_lock

_TEMPORARY = ".new-"


def make_private_directory(path: Path) -> None:
    """Make `.bottega/` or a directory below it: owned by this user, closed to others, ignored by git.

    Raise `StorageError` for a symbolic link, which could point anywhere, and for a directory of another user, who
    could read it.
    """
    for directory in reversed((path, *path.parents)):
        if NAME in directory.parts:
            _make_own(directory)
    if path.name == NAME:
        refuse_links(path / name for name in (".gitignore", "raw.sqlite", "raw.sqlite-wal", "raw.sqlite-shm"))
        _ignore_everything(path / ".gitignore")


def replace_file(target: Path, content: str) -> None:
    """Write a file as a whole: a reader sees the old content or the new one.

    The temporary file stays locked until it is renamed, so that `remove_abandoned_files` leaves it alone.
    """
    file, temporary = _open_temporary(target)
    with file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def remove_abandoned_files(folder: Path) -> None:
    """Remove the temporary files of killed processes in a folder and below it."""
    for place, _, names in os.walk(folder):
        for name in names:
            if name.startswith(_TEMPORARY):
                with contextlib.suppress(OSError):  # it was removed meanwhile, or belongs to another user
                    _remove_if_abandoned(Path(place, name))


def _open_temporary(target: Path) -> tuple[IO[str], Path]:
    while True:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=_TEMPORARY)
        file = os.fdopen(handle, "w", encoding="utf-8", errors="replace")
        if try_lock(file.fileno()) and Path(name).exists():  # another process may remove it before it is locked
            return file, Path(name)
        file.close()


def _remove_if_abandoned(path: Path) -> None:
    handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        if try_lock(handle):
            path.unlink()
    finally:
        os.close(handle)


def refuse_links(paths: Iterable[Path]) -> None:
    for path in paths:
        if path.is_symlink():
            raise StorageError(f"{path} is a symbolic link", hint="Remove it: what lies under .bottega must be real.")


def _make_own(directory: Path) -> None:
    refuse_links([directory])
    if not directory.exists():
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)  # another process may make it first
    if not directory.is_dir():
        raise StorageError(f"{directory} is not a directory", hint="Move it aside; bottega keeps its records there.")
    status = directory.stat()
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        raise StorageError(f"{directory} belongs to another user", hint="Work in a directory of your own.")
    if status.st_mode & 0o077:
        directory.chmod(0o700)
    if directory.name == NAME:
        seal_home(directory)


def _ignore_everything(path: Path) -> None:
    if not path.is_file() or path.read_text(encoding="utf-8", errors="replace") != "*\n":
        path.write_text("*\n", encoding="utf-8")
