"""The repository that the examples of the index are carried out in."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "docs" / "examples" / "bakery"
_WHEN = "2026-03-01T12:00:00+00:00"
AUTHOR = {
    **{f"GIT_{role}_NAME": "Ada" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_EMAIL": "ada@example.org" for role in ("AUTHOR", "COMMITTER")},
    **{f"GIT_{role}_DATE": _WHEN for role in ("AUTHOR", "COMMITTER")},
}


def build(folder: Path) -> Path:
    """A copy under git; names and dates are fixed, so that the commit is too."""
    place = folder / "bakery"
    shutil.copytree(SOURCE, place, ignore=shutil.ignore_patterns(".bottega", "__pycache__"))
    environ = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder / "home"),
        "GIT_CONFIG_NOSYSTEM": "1",
        **AUTHOR,
    }
    message = "Refuse to preheat above what the door stands"
    for command in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", message]):
        subprocess.run(["git", *command], cwd=place, env=environ, check=True)
    return place
