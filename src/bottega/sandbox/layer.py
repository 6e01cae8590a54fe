"""A layer: a copy of a project that commands in the sandbox change while the project itself stays unchanged.

The project is copied once, into a directory of its own. Every run lays the copy out in the sandbox and saves what has
changed; the next run continues from there. `diff` compares the layer with the copied project, `apply` applies the
changes to the project, `discard` deletes them.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from bottega.errors import InputError, SandboxError
from bottega.sandbox.applying import apply_changes
from bottega.sandbox.blobs import Blobs
from bottega.sandbox.changes import Change, compare_trees
from bottega.sandbox.files import check_name
from bottega.sandbox.limits import DEFAULT_LIMITS, Limits
from bottega.sandbox.patch import LayerDiff, write_patch
from bottega.sandbox.patterns import PathPatterns
from bottega.sandbox.tree import Entry, File, Folder, Tree, decode_tree, encode_tree, list_parents
from bottega.sandbox.walking import PRIVATE, TreeTooLarge, is_private, read_tree

RECORD = "layer.json"


@dataclass(slots=True)
class Layer:
    """`base` is the project as it was copied, `tree` the state after the commands."""

    project: Path
    folder: Path
    shared: tuple[str, ...]
    """Directories of the project that are not copied: commands read them in place."""
    left_out: tuple[str, ...]
    """Paths of the project that cannot be copied: sockets, pipes, devices and unreadable files."""
    base: Tree
    tree: Tree
    _running: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def __enter__(self) -> Layer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    @property
    def blobs(self) -> Blobs:
        return Blobs(self.folder / "blobs")

    def read(self, path: str) -> bytes | None:
        """The content of a file in the layer, `None` where there is none."""
        entry = self.tree.get(path)
        return self.blobs.load(entry.checksum) if isinstance(entry, File) else None

    def write(self, files: Mapping[str, bytes | None]) -> None:
        """Write files into the layer, as a command would; `None` deletes one."""
        tree = dict(self.tree)
        for name, content in files.items():
            path = self._check_writable(name, tree)
            old = tree.pop(path, None)
            if content is not None:
                _add_parents(path, tree)
                executable = isinstance(old, File) and old.executable
                tree[path] = File(self.blobs.store(content), len(content), executable)
        self.replace(tree)

    def replace(self, tree: Tree) -> None:
        """Make `tree`, whose contents are stored already, the state of the layer."""
        self.tree = dict(sorted(tree.items()))
        self._save()

    def reset(self) -> None:
        """Go back to the project as it was copied."""
        self.replace(self.base)

    def diff(self, paths: Sequence[str] | None = None, *, most: int = 2_000_000) -> LayerDiff:
        """The changes as a diff; files beyond `most` characters in all are named but not shown."""
        return write_patch(self._list_changes(paths), load=self.blobs.load, most=most)

    def apply(self, to: Path | None = None, paths: Sequence[str] | None = None) -> tuple[str, ...]:
        """Apply the changes, all or those of `paths`, to the project and return their paths.

        Nothing is written, and `SandboxError` raised, when one of them changed in the project since it was copied, is a
        link that leads out of it, or lies in `.git` or `.bottega`.
        """
        changes = self._list_changes(paths)
        apply_changes(changes, to=to or self.project, tree=self.tree, load=self.blobs.load)
        return tuple(change.path for change in changes)

    def discard(self) -> None:
        """Remove the layer from the disk; the project is not changed."""
        if self.folder.exists():
            shutil.rmtree(self.folder)

    @contextmanager
    def running(self) -> Iterator[None]:
        """Prevent two runs from saving changes to the layer at the same time."""
        if not self._running.acquire(blocking=False):
            raise SandboxError("Another command is changing this layer", hint="Run one after the other, or keep=False.")
        try:
            yield
        finally:
            self._running.release()

    def _list_changes(self, paths: Sequence[str] | None) -> list[Change]:
        changes = compare_trees(self.base, self.tree)
        if paths is None:
            return changes
        known = {change.path for change in changes}
        if unknown := [path for path in paths if path not in known]:
            raise InputError(f"{unknown[0]!r} has not changed in the layer")
        return [change for change in changes if change.path in set(paths)]

    def _check_writable(self, name: str, tree: Tree) -> str:
        path = check_name(name).as_posix()
        if is_private(path) or any(path == shared or path.startswith(f"{shared}/") for shared in self.shared):
            raise InputError(f"{name!r} cannot be written in a layer")
        parents = (parent.as_posix() for parent in check_name(name).parents)
        if isinstance(tree.get(path), Folder) or any(not isinstance(tree.get(p, Folder()), Folder) for p in parents):
            raise InputError(f"File name {name!r} clashes with another one")
        return path

    def _save(self) -> None:
        record = {
            "project": str(self.project),
            "shared": self.shared,
            "left_out": self.left_out,
            "base": encode_tree(self.base),
            "tree": encode_tree(self.tree),
        }
        beside = self.folder / f"{RECORD}.new"
        beside.write_text(json.dumps(record), encoding="utf-8")
        beside.replace(self.folder / RECORD)


def open_layer(
    project: Path,
    *,
    into: Path,
    shared: Sequence[str] = (),
    exclude: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
) -> Layer:
    """Copy a project into a layer in the directory `into`, or open the layer that is there already.

    `shared` are directories to read in place, such as installed dependencies; `exclude` are patterns of paths that
    commands are not to see. `.git` and `.bottega` are never copied, and links never followed. Leaving a `with` block
    discards the layer. Raise `SandboxError` for a project larger than `limits` allow.
    """
    project = project.resolve()
    into = into.resolve()
    if (into / RECORD).is_file():
        return _reopen(project, into)
    if into.is_relative_to(project) and into.relative_to(project).parts[:1] not in [(name,) for name in PRIVATE]:
        raise InputError(f"A layer cannot lie in its own project, outside of .bottega: {into}")
    try:
        (into / "blobs").mkdir(mode=0o700, parents=True)
        return _copy(project, into, tuple(check_name(name).as_posix() for name in shared), exclude, limits)
    except BaseException as error:
        shutil.rmtree(into, ignore_errors=True)
        if isinstance(error, OSError):
            raise SandboxError(f"Cannot copy {project} into a layer: {error.strerror}") from error
        raise


def _copy(project: Path, into: Path, shared: tuple[str, ...], exclude: Sequence[str], limits: Limits) -> Layer:
    excluded = PathPatterns.parse(exclude)
    handle = os.open(project, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        tree, left_out = read_tree(
            handle,
            limits=limits,
            store=Blobs(into / "blobs").store,
            skip=lambda path: path in shared or is_private(path) or excluded.match(path),
        )
    except TreeTooLarge as error:
        hint = "Name directories to read in place (`shared`) or to leave out (`exclude`), or raise the limits."
        raise SandboxError(f"{project} is too large for a layer: {error}", hint=hint) from error
    finally:
        os.close(handle)
    layer = Layer(project, into, shared, left_out, base=tree, tree=tree)
    layer.reset()
    return layer


def _reopen(project: Path, into: Path) -> Layer:
    try:
        record = json.loads((into / RECORD).read_text(encoding="utf-8"))
        base, tree = decode_tree(record["base"]), decode_tree(record["tree"])
        shared, left_out, copied = tuple(record["shared"]), tuple(record["left_out"]), record["project"]
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise SandboxError(f"The layer in {into} cannot be read: {error}") from error
    if copied != str(project):
        raise SandboxError(f"The layer in {into} belongs to {copied}")
    return Layer(project, into, shared, left_out, base=base, tree=tree)


def _add_parents(path: str, tree: dict[str, Entry]) -> None:
    for parent in list_parents(path):
        tree.setdefault(parent, Folder())
