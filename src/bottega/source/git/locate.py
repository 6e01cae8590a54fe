"""Find the git directory of a working tree without running git, which would read the repository's configuration."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from bottega.source.files import read_regular_file

_LONGEST_POINTER = 8192
_POINTER = b"gitdir: "


@dataclass(frozen=True, slots=True)
class GitDirectory:
    """`top` is the root of the working tree, `own` holds its HEAD and index, `common` the objects and refs."""

    top: Path
    own: Path
    common: Path


def locate_git(start: Path) -> GitDirectory | None:
    """The repository of the nearest `.git` at or above a directory.

    A bare repository never counts, so that a directory inside a clone cannot pose as one; nor does a `.git` above
    that another user owns.
    """
    start = start.resolve()
    for directory in (start, *start.parents):
        marker = directory / ".git"
        if not marker.exists() or (directory != start and not _is_own(marker)):
            continue
        located = _read_marker(directory, marker)
        if located is not None or marker.is_file():  # git stops at a pointer whose target does not exist
            return located
    return None


def _read_marker(top: Path, marker: Path) -> GitDirectory | None:
    own = marker if marker.is_dir() else _follow_pointer(marker, top, _POINTER)
    if own is None or not (own / "HEAD").exists():
        return None
    common = _follow_pointer(own / "commondir", own, b"") or own
    if not (common / "objects").is_dir() or not ((common / "refs").is_dir() or (common / "reftable").is_dir()):
        return None
    return GitDirectory(top, own, common)


def _follow_pointer(pointer: Path, base: Path, lead: bytes) -> Path | None:
    """The directory that a pointer file names, relative to `base`; `None` where there is no such pointer."""
    try:
        content = read_regular_file(pointer, limit=_LONGEST_POINTER)
    except OSError:
        return None
    named = content.removeprefix(lead).rstrip(b"\r\n")
    if not content.startswith(lead) or not named or b"\0" in named:
        return None
    target = Path(os.path.normpath(base / os.fsdecode(named)))
    return target if target.is_dir() else None


def _is_own(marker: Path) -> bool:
    return not hasattr(os, "getuid") or marker.lstat().st_uid == os.getuid()
