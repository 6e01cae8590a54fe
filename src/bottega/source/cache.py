"""The user's cache directory."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """`$XDG_CACHE_HOME/bottega`, or the same under `~/.cache`. The directory is not created."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():  # the XDG specification has relative values ignored
        base = Path.home() / ".cache"
    return base / "bottega"
