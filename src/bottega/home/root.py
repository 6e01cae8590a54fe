"""Find the repository that a command works in."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bottega.errors import InputError
from bottega.home.directory import NAME, is_sealed

_PROJECT_FILES = (
    *(
        "pyproject.toml",
        "setup.py",
        "package.json",
        "Cargo.toml",
        "go.mod",
        "pom.xml",
        "build.gradle",
        "build.gradle.kts",
    ),
    *("composer.json", "Gemfile", "mix.exs", "Package.swift", "CMakeLists.txt", "stack.yaml", "build.zig"),
)


def find_root(start: Path) -> Path:
    """The nearest directory at or above `start` with `.git`, `bottega.toml` or records; `start` when there is none.

    A project below a directory that has records and nothing else is its own root. Markers of another user do not
    count: one in a shared directory would take in everything below. Records from another machine do not count either:
    a clone could bring them to make a subdirectory its own root.
    """
    try:
        start = start.resolve(strict=True)
    except (OSError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "it leads in a circle"
        raise InputError(f"{start} cannot be opened: {reason}", hint="Name a directory with --repo.") from None
    if not start.is_dir():
        raise InputError(f"{start} is not a directory", hint="Name a directory with --repo.")
    project: Path | None = None
    for directory in (start, *start.parents):
        if any(_is_own(directory / name) for name in (".git", "bottega.toml")):
            return directory
        if _has_records(directory):
            return project or directory
        if project is None and any((directory / name).is_file() for name in _PROJECT_FILES):
            project = directory
    return start


def is_known_by_records(root: Path) -> bool:
    """Whether nothing but records makes a directory a root."""
    return not any(_is_own(root / name) for name in (".git", "bottega.toml")) and _has_records(root)


def _has_records(directory: Path) -> bool:
    """Whether a directory holds records of this machine; never for `/`, the home and the temporary directory."""
    if directory in {Path(directory.anchor), Path.home(), Path(tempfile.gettempdir()).resolve()}:
        return False
    folder = directory / NAME
    return _is_own(folder) and folder.is_dir() and not folder.is_symlink() and is_sealed(folder)


def _is_own(marker: Path) -> bool:
    try:
        status = marker.lstat()
    except OSError:
        return False
    return not hasattr(os, "getuid") or status.st_uid == os.getuid()
