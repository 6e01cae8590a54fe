"""Find installed programs, never one inside a repository."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path


def find_program(
    name: str, *, own: Sequence[Path] = (), search_path: str | None = None, outside: Path | None = None
) -> str | None:
    """A program in `own` folders, then on the search path; `None` where it is not installed.

    Relative entries of the search path are skipped, since they depend on the current directory, and so is everything
    below `outside`.
    """
    listed = os.environ.get("PATH", os.defpath) if search_path is None else search_path
    for folder in (*own, *(Path(entry) for entry in listed.split(os.pathsep) if entry)):
        program = shutil.which(name, path=str(folder)) if folder.is_absolute() else None
        if program and not (
            folder not in own and outside and Path(program).resolve().is_relative_to(outside.resolve())
        ):
            return program
    return None
