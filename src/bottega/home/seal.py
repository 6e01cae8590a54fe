"""A key that only this user of this machine has, and signatures made with it."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from bottega.errors import StorageError

_BYTES = 32


def sign(*parts: str) -> str:
    """Sign texts with the key of this machine; the signature reveals nothing about the key."""
    digest = blake2b(key=_load_machine_key(), digest_size=16, person=b"bottega seal")
    for part in parts:
        data = os.fsencode(part)
        digest.update(len(data).to_bytes(8, "big") + data)
    return digest.hexdigest()


def _load_machine_key() -> bytes:
    """Read the key, or make it; raise `StorageError` when no directory can be written."""
    for folder in _list_folders():
        try:
            return _read_or_make(folder)
        except OSError:
            continue
    raise StorageError("no directory of your own can be written", hint="Set XDG_STATE_HOME to one that can.")


def _list_folders() -> Iterator[Path]:
    """The user's state directory, then a private temporary one for users without a home."""
    named = Path(os.environ.get("XDG_STATE_HOME", ""))
    with contextlib.suppress(RuntimeError):  # the user has no home directory
        yield (named if named.is_absolute() else Path.home() / ".local" / "state") / "bottega"
    user = os.getuid() if hasattr(os, "getuid") else 0
    yield Path(tempfile.gettempdir()) / f"bottega-{user}"


def _read_or_make(folder: Path) -> bytes:
    file = folder / "key"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    _refuse_foreign(folder)
    try:
        key = file.read_bytes()
    except FileNotFoundError:
        key = b""
    return key if len(key) == _BYTES else _make(file)


def _refuse_foreign(folder: Path) -> None:
    status = folder.lstat()
    is_own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
    if not is_own or not stat.S_ISDIR(status.st_mode) or status.st_mode & 0o022:
        raise PermissionError(f"{folder} is not a private directory of this user")


def _make(file: Path) -> bytes:
    """Make the key; of several processes that do so at once, all end up with the key of one."""
    beside = file.with_name(f"key.{os.getpid()}.new")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as new:
        new.write(secrets.token_bytes(_BYTES))
    try:
        os.link(beside, file)
    except FileExistsError:
        if file.stat().st_size != _BYTES:
            beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)
    return file.read_bytes()
