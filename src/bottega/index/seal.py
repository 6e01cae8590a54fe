"""A mark that only this person's own index bears: one that came with a repository is not believed."""

from __future__ import annotations

import os
import secrets
from hashlib import blake2b
from pathlib import Path

_BYTES = 32


def seal() -> str:
    """The same for every index of this person, and unknown to anybody else. "" where nothing can be kept."""
    file = cache_folder() / "seal"
    try:
        key = file.read_bytes()
        if len(key) != _BYTES:
            key = _made(file)
    except FileNotFoundError:
        try:
            key = _made(file)
        except OSError:
            return ""
    except OSError:
        return ""
    return blake2b(key, digest_size=16, person=b"bottega index").hexdigest()


def cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "bottega"


def _made(file: Path) -> bytes:
    """Of several processes that make it at once one wins, and all read the same."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    beside = file.with_name(f"seal.{os.getpid()}.new")
    beside.write_bytes(secrets.token_bytes(_BYTES))
    beside.chmod(0o600)
    try:
        os.link(beside, file)
    except FileExistsError:
        if file.stat().st_size != _BYTES:
            beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
    return file.read_bytes()
