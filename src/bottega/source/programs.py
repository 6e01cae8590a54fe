"""Find programs that are installed, never one that a repository brings."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path


def find_program(
    name: str, *, own: Sequence[Path] = (), search_path: str | None = None, outside: Path | None = None
) -> str | None:
    """A program in `own` folders, then on the search path; `None` where it is not installed.

    Relative entries of the search path are skipped: they lead into whatever directory a command runs in. Nothing below
    `outside` counts either.
    """
    listed = os.environ.get("PATH", os.defpath) if search_path is None else search_path
    for folder in (*own, *(Path(entry) for entry in listed.split(os.pathsep) if entry)):
        found = shutil.which(name, path=str(folder)) if folder.is_absolute() else None
        if found and not (folder not in own and outside and Path(found).resolve().is_relative_to(outside.resolve())):
            return found
    return None
