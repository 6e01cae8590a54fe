"""Which files a path or a pattern means."""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase

from bottega.errors import InputError


def is_at(path: str, wanted: str) -> bool:
    """Whether a path is below a folder, is the file, or matches a pattern."""
    wanted = wanted.removeprefix("./").rstrip("/")
    return path == wanted or path.startswith(f"{wanted}/") or fnmatchcase(path, wanted)


def check_path(wanted: str, paths: Iterable[str]) -> None:
    """Raise `InputError` for a path that matches no file."""
    if wanted and not any(is_at(path, wanted) for path in paths):
        raise InputError(f"no indexed file is at {wanted!r}", hint="Paths are relative to the root of the repository.")
