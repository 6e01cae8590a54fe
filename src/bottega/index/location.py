"""Where the index of a repository is stored."""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bottega.errors import StorageError
from bottega.home import find_home, make_private_directory, refuse_links, seal_home, seal_of
from bottega.source.cache import cache_folder
from bottega.source.git import Git

_BLOBS = ("blobs.sqlite", "blobs.lock")
_OWN = ("curated.sqlite", "curated.new", "curated.sqlite-journal", *_BLOBS, "index.lock", "segments")


@dataclass(frozen=True, slots=True)
class IndexLocation:
    """`folder` holds the index, `blobs` the analyses that all worktrees of a repository share."""

    folder: Path
    blobs: Path
    is_elsewhere: bool

    @property
    def segments(self) -> Path:
        return self.folder / "segments"

    @property
    def seal(self) -> str:
        """The signature that an index of this machine and directory contains."""
        return seal_of(self.folder)

    @property
    def blobs_seal(self) -> str:
        return seal_of(self.blobs.parent)


def find_location(root: Path, git: Git | None) -> IndexLocation:
    """`.bottega` in the root, or the user's cache where that cannot be written."""
    folder = find_home(root)
    is_elsewhere = not _is_writable(folder)
    if is_elsewhere:
        folder = cache_folder() / "index" / sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:24]
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        seal_home(folder)
    else:
        make_private_directory(folder)
    refuse_links(folder / name for name in _OWN)
    (folder / "segments").mkdir(mode=0o700, exist_ok=True)
    return IndexLocation(folder, _locate_cache(folder, root, git, is_elsewhere=is_elsewhere), is_elsewhere)


def existing_location(folder: Path) -> IndexLocation | None:
    """The location of an existing index, for processes that must not create one; `None` where there is none."""
    if folder.is_symlink() or not folder.is_dir():
        return None
    refuse_links(folder / name for name in _OWN)
    return IndexLocation(folder, folder / "blobs.sqlite", is_elsewhere=False)


def _locate_cache(folder: Path, root: Path, git: Git | None, *, is_elsewhere: bool) -> Path:
    """A linked worktree shares the cache of the main one."""
    own = folder / "blobs.sqlite"
    if git is None or is_elsewhere or git.common == git.own or git.common.name != ".git":
        return own
    main = git.common.parent
    if main == root:
        return own
    shared = find_home(main)
    if not _is_writable(shared):
        return own
    try:
        make_private_directory(shared)
        refuse_links(shared / name for name in _BLOBS)
    except StorageError:
        return own
    return shared / "blobs.sqlite"


def _is_writable(folder: Path) -> bool:
    place = next(place for place in (folder, *folder.parents) if place.exists())
    return os.access(place, os.W_OK | os.X_OK)
