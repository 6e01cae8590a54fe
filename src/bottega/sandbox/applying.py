"""Apply changes to a project: all of them or none, and nothing outside of it."""

from __future__ import annotations

import os
import posixpath
import secrets
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from bottega.errors import SandboxError
from bottega.sandbox.changes import Change
from bottega.sandbox.tree import Entry, File, Folder, Link, Tree, leaves_tree
from bottega.sandbox.walking import is_private, walk

_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_SAFELY = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC

_OTHER = Link("")
"""A device, a pipe, or an entry behind a link: equal to no entry of a layer."""

Load = Callable[[str], bytes]


def apply_changes(changes: Sequence[Change], *, to: Path, tree: Tree, load: Load) -> None:
    """`tree` is the whole layer, against which links are followed. Raise `SandboxError` before anything is written."""
    for change in changes:
        _refuse_unsafe(change, tree)
    try:
        root = os.open(to, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError as error:
        raise SandboxError(f"Cannot open {to}: {error.strerror}") from error
    try:
        deleted = {change.path for change in changes if change.after is None}
        pending = [change for change in changes if not _is_done(change, root, tree, deleted)]
        for change in (change for change in pending if change.after is None):
            _delete(change.path, root, tree)
        for change in (change for change in pending if change.after is not None):
            _write(change, root, load)
    except OSError as error:
        raise SandboxError(f"Cannot write to {to}: {error}") from error
    finally:
        os.close(root)


def _refuse_unsafe(change: Change, tree: Tree) -> None:
    if is_private(change.path) or ".." in change.path.split("/") or change.path.startswith("/"):
        raise SandboxError(f"Changes to {change.path!r} are not applied")
    if isinstance(change.after, Link):
        target = posixpath.normpath(posixpath.join(posixpath.dirname(change.path), change.after.target))
        if leaves_tree(change.path, tree) or is_private(target):
            raise SandboxError(f"{change.path!r} is a link that leaves the project, to {change.after.target!r}")


def _is_done(change: Change, root: int, tree: Tree, deleted: set[str]) -> bool:
    """Whether the project has the new content already; raise `SandboxError` if it has neither the new nor the old."""
    try:
        with _open_parent(change.path, root) as folder:
            found = None if folder is None else _read_entry(change.path, folder, deleted)
    except NotADirectoryError:
        found = None if any(change.path.startswith(f"{path}/") for path in deleted) else _OTHER
    after = tree.get(change.path) if change.after is None else change.after
    if found == after:
        return True
    if found != change.before:
        hint = "Apply the other paths alone, or open a new layer on the project as it is."
        raise SandboxError(f"{change.path!r} has changed in the project since it was copied", hint=hint)
    return False


def _read_entry(path: str, folder: int, deleted: set[str]) -> Entry | None:
    """Read an entry; a directory whose content will all be deleted counts as missing."""
    name = path.rpartition("/")[2]
    try:
        mode = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
        if stat.S_ISLNK(mode):
            return Link(os.readlink(name, dir_fd=folder))
        if stat.S_ISDIR(mode):
            return None if _will_be_empty(path, folder, deleted) else Folder()
        if not stat.S_ISREG(mode):
            return _OTHER
        with os.fdopen(os.open(name, _SAFELY, dir_fd=folder), "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return None
    return File(sha256(content).hexdigest(), len(content), bool(mode & stat.S_IXUSR))


def _will_be_empty(path: str, folder: int, deleted: set[str]) -> bool:
    handle = os.open(path.rpartition("/")[2], _DIRECTORY, dir_fd=folder)
    try:
        inside = walk(handle, skip=lambda _: False, below=f"{path}/")
        return all(entry.is_folder or entry.path in deleted for entry in inside)
    finally:
        os.close(handle)


@contextmanager
def _open_parent(path: str, root: int, *, make: bool = False) -> Iterator[int | None]:
    """The directory that holds `path`, opened name by name so that no link is followed; `None` where it is missing."""
    handle = os.dup(root)
    try:
        for name in path.split("/")[:-1]:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(name, dir_fd=handle)
            inner = os.open(name, _DIRECTORY, dir_fd=handle)
            os.close(handle)
            handle = inner
    except FileNotFoundError:
        os.close(handle)
        handle = -1
    except BaseException:
        os.close(handle)
        raise
    try:
        yield None if handle < 0 else handle
    finally:
        if handle >= 0:
            os.close(handle)


def _delete(path: str, root: int, tree: Tree) -> None:
    """Remove a file or link, and the directories above it that the layer no longer has, once they are empty."""
    with _open_parent(path, root) as folder:
        if folder is not None:
            with suppress(FileNotFoundError):
                os.unlink(path.rpartition("/")[2], dir_fd=folder)
    parent = path.rpartition("/")[0]
    while parent and not isinstance(tree.get(parent), Folder):
        with _open_parent(parent, root) as folder, suppress(OSError):  # it has entries that are not in the layer
            if folder is not None:
                os.rmdir(parent.rpartition("/")[2], dir_fd=folder)
        parent = parent.rpartition("/")[0]


def _write(change: Change, root: int, load: Load) -> None:
    """Replace a file or link by a new one; other hard links of the old file keep their content."""
    name = change.path.rpartition("/")[2]
    beside = f".bottega-{secrets.token_hex(8)}"
    with _open_parent(change.path, root, make=True) as folder:
        if folder is None:
            raise FileNotFoundError(f"the directory of {change.path!r} vanished")
        if isinstance(change.after, Link):
            os.symlink(change.after.target, beside, dir_fd=folder)
        elif change.after is not None:
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600, dir_fd=folder)
            with os.fdopen(handle, "wb") as file:
                file.write(load(change.after.checksum))
                os.fchmod(handle, _choose_mode(name, folder, change.after))
        os.replace(beside, name, src_dir_fd=folder, dst_dir_fd=folder)


def _choose_mode(name: str, folder: int, file: File) -> int:
    """The current permissions of the file with the executable bit of the layer, or those of a new file."""
    try:
        old = os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except FileNotFoundError:
        old = 0
    if not stat.S_ISREG(old):
        return 0o755 if file.executable else 0o644
    readable = old & 0o666
    return readable | (readable & 0o444) >> 2 if file.executable else readable
