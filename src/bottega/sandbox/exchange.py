"""Fill the work directory before the command starts, and read changes and results from it afterwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from bottega.errors import SandboxError
from bottega.sandbox.filling import Content, Layout
from bottega.sandbox.job import Job
from bottega.sandbox.limits import Limits
from bottega.sandbox.protocol import CommandResult
from bottega.sandbox.tree import Entry, File, Folder, Link, Tree, leaves_tree, list_parents
from bottega.sandbox.usage import MEGABYTE, check_overrun
from bottega.sandbox.walking import DirectoryEntry, TreeTooLarge, is_private, read_tree, walk
from bottega.sandbox.workspace import Workspace

_PAGE = 4096


@dataclass(frozen=True, slots=True)
class View:
    """How a sandbox shows a work directory."""

    owner: int | None = None
    """Owner of the files."""
    objects: tuple[str, ...] = ()
    """Paths of the git object directories as the command sees them, in order."""
    mounted: frozenset[str] = frozenset()
    """Paths of the workspace with a mount on top."""
    links: Mapping[str, str] | None = None
    """For a sandbox that cannot mount: links instead of shared directories. Links of the project are then only laid out
    if they stay inside of it."""


def fill_work(job: Job, root: int, view: View) -> None:
    """Fill the directory of descriptor `root`; raise `SandboxError` where something does not fit."""
    layout = Layout(root, view.owner)
    try:
        if job.workspace is not None:
            layout.give_root()
            _fill_workspace(job, job.workspace, layout, view)
        for path, data in job.files.items():
            layout.add_file(path, Content(data))
        if job.workspace is not None:
            tree = dict(_select_visible(job, job.workspace, view))
            links = {path: entry.target for path, entry in tree.items() if isinstance(entry, Link)}
            layout.add_links({**links, **(view.links or {})})
    except OSError as error:
        raise SandboxError(f"Cannot fill the sandbox's directory: {error.strerror}") from error


def _fill_workspace(job: Job, workspace: Workspace, layout: Layout, view: View) -> None:
    _refuse_what_does_not_fit(workspace.layer.tree, job.limits)
    for path, entry in _select_visible(job, workspace, view):
        if isinstance(entry, Folder):
            layout.add_folder(path)
        elif isinstance(entry, File):
            data = workspace.layer.blobs.load(entry.checksum)
            layout.add_file(path, Content(data, entry.executable, entry.mtime_ns))
    if job.git is not None:
        for folder in (".git/refs/heads", ".git/refs/tags"):
            layout.add_folder(folder)
        for path, content in (*job.git.files, job.git.render_alternates(view.objects)):
            layout.add_file(path, content)


def _refuse_what_does_not_fit(tree: Tree, limits: Limits) -> None:
    size = sum(-(-entry.size // _PAGE) * _PAGE for entry in tree.values() if isinstance(entry, File))
    if reason := check_overrun(size, len(tree), limits):
        raise SandboxError(f"The project does not fit into the sandbox: {reason}", hint="Raise the limits of the run.")


def _select_visible(job: Job, workspace: Workspace, view: View) -> Iterator[tuple[str, Entry]]:
    """The part of the layer that the command sees."""
    tree = workspace.layer.tree
    for path, entry in tree.items():
        if path in job.files or path in view.mounted or any(parent in view.mounted for parent in list_parents(path)):
            continue
        if view.links is not None and isinstance(entry, Link) and leaves_tree(path, tree):
            continue
        yield path, entry


def take_back(job: Job, root: int, view: View, result: CommandResult) -> CommandResult:
    """Apply changes to the layer and add files to the result, once no process of the command runs."""
    if result.overrun:
        return result
    try:
        if job.workspace is not None and job.workspace.keep:
            _keep_changes(job, job.workspace, root, view)
        return _give_back(job, root, view, result) if job.give_back else result
    except TreeTooLarge as error:
        return replace(result, code=None, overrun=str(error))


def _keep_changes(job: Job, workspace: Workspace, root: int, view: View) -> None:
    layer = workspace.layer
    covered = {*view.mounted, *layer.shared}
    found, _ = read_tree(
        root,
        limits=job.limits,
        store=layer.blobs.store,
        skip=lambda path: path in covered or is_private(path),
        unlock=True,
    )
    seen = dict(_select_visible(job, workspace, view))
    unseen = {path: entry for path, entry in layer.tree.items() if path not in seen}
    layer.replace(_merge({path: entry for path, entry in found.items() if path not in job.files}, unseen))


def _merge(found: dict[str, Entry], unseen: Mapping[str, Entry]) -> dict[str, Entry]:
    """Add entries that the command could not see, if their directory still exists."""
    for path, entry in sorted(unseen.items()):
        if path not in found and all(isinstance(found.get(parent), Folder) for parent in list_parents(path)):
            found[path] = entry
    return found


def _read_up_to(found: DirectoryEntry, room: int) -> bytes | None:
    if not found.is_file or found.status.st_size > room:
        return None
    try:
        return found.read(most=room)
    except (OSError, TreeTooLarge):  # without isolation, a process that is still running may have changed it
        return None


def _give_back(job: Job, root: int, view: View, result: CommandResult) -> CommandResult:
    files: dict[str, bytes] = {}
    left_out: list[str] = []
    room = job.limits.given_back_mb * MEGABYTE
    for entry in walk(root, skip=lambda path: path in view.mounted or is_private(path), unlock=True):
        if entry.is_folder or not job.give_back.match(entry.path):
            continue
        content = _read_up_to(entry, room)
        if content is None:
            left_out.append(entry.path)
        else:
            files[entry.path] = content
            room -= len(content)
    return replace(result, files=files, left_out=tuple(left_out))
