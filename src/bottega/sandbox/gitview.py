"""A private git repository for a layer: refs and index of the project, its objects by reference, our configuration.

Commands can commit, stash and check out in it. What they write stays in the sandbox; git never writes to the objects of
an alternate. Remotes, credentials, hooks and the person's identity are not part of it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bottega.sandbox.filling import Content
from bottega.sandbox.walking import TreeTooLarge, walk
from bottega.source.files import read_regular_file
from bottega.source.git.locate import GitDirectory, locate_git

_OWN = ("HEAD", "index")
_COMMON = ("packed-refs", "shallow", "info/exclude")
_LARGEST = 64 << 20
_DEEPEST_ALTERNATE = 5
_SHA256 = re.compile(rb"(?im)^\s*objectformat\s*=\s*sha256\s*$")
_CONFIG = """[core]
\trepositoryformatversion = {version}
\tbare = false
[user]
\tname = sandbox
\temail = sandbox@localhost
[gc]
\tauto = 0
"""


@dataclass(frozen=True, slots=True)
class GitView:
    """Files below `.git`, and the object directories that they refer to."""

    files: tuple[tuple[str, Content], ...]
    objects: tuple[Path, ...]

    def render_alternates(self, seen_as: Sequence[str]) -> tuple[str, Content]:
        """The alternates file with the object directories as the command sees them."""
        return ".git/objects/info/alternates", Content("".join(f"{path}\n" for path in seen_as).encode())


def view_git(project: Path) -> GitView | None:
    """`None` where the project is not the top of a working tree, or its refs are not kept in files."""
    found = locate_git(project)
    if found is None or found.top != project or not (found.common / "refs").is_dir():
        return None
    try:
        head = read_regular_file(found.own / "HEAD", limit=_LARGEST)
    except OSError:
        return None
    named = {
        ".git/HEAD": head,
        **_read_refs(found),
        **_read_named(found.own, _OWN),
        **_read_named(found.common, _COMMON),
    }
    named[".git/config"] = _render_config(found).encode()
    return GitView(
        tuple((path, Content(data)) for path, data in named.items()), _list_object_folders(found.common / "objects")
    )


def _read_named(folder: Path, names: Sequence[str]) -> dict[str, bytes]:
    contents = {}
    for name in names:
        try:
            contents[f".git/{name}"] = read_regular_file(folder / name, limit=_LARGEST)
        except OSError:
            continue
    return contents


def _read_refs(found: GitDirectory) -> dict[str, bytes]:
    handle = os.open(found.common / "refs", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        files = (entry for entry in walk(handle, skip=lambda _: False) if entry.is_file)
        return {f".git/refs/{entry.path}": entry.read(most=_LARGEST) for entry in files}
    except TreeTooLarge:
        return {}
    finally:
        os.close(handle)


def _render_config(found: GitDirectory) -> str:
    try:
        own = read_regular_file(found.common / "config", limit=_LARGEST)
    except OSError:
        own = b""
    is_sha256 = _SHA256.search(own) is not None
    extensions = "[extensions]\n\tobjectFormat = sha256\n" if is_sha256 else ""
    return _CONFIG.format(version=1 if is_sha256 else 0) + extensions


def _list_object_folders(folder: Path, depth: int = 0) -> tuple[Path, ...]:
    """An object directory and, recursively, its alternates."""
    if not folder.is_dir() or depth > _DEEPEST_ALTERNATE:
        return ()
    try:
        listed = read_regular_file(folder / "info" / "alternates", limit=_LARGEST)
    except OSError:
        listed = b""
    further = [folder / os.fsdecode(line) for line in listed.splitlines() if line and not line.startswith(b"#")]
    return (folder.resolve(), *(inner for path in further for inner in _list_object_folders(path, depth + 1)))
