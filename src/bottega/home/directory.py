"""The directory with the records of a repository, and the seal that proves that this machine made it.

`.bottega/` holds what was done, what models said and what a person decided: a repository that brings one could decide
what a review finds. `seal.json` in it is therefore signed for its path and inode with a key that never leaves the
machine. A directory without a valid seal is moved aside unread.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from bottega.errors import StorageError
from bottega.home.seal import sign
from bottega.source.cache import cache_folder
from bottega.source.files import read_regular_file
from bottega.source.git import open_git
from bottega.source.git.locate import locate_git

NAME = ".bottega"
ASIDE = "aside"
_SEAL, _UNTRACKED = "seal.json", "untracked.json"
_LARGEST = 65_536
_HARMLESS = {".gitignore"}

Remark = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Seal:
    """A signed statement about a directory; `identity` is random, and stores sign their content with it."""

    identity: str
    path: str
    inode: int
    signature: str = ""

    def sign(self) -> str:
        return sign("home", self.identity, self.path, str(self.inode))

    def signed_json(self) -> dict[str, Any]:
        return {"identity": self.identity, "path": self.path, "inode": self.inode, "signature": self.sign()}


def find_home(root: Path, remark: Remark = lambda _: None) -> Path:
    """The directory for the records of a repository; it need not exist yet.

    One that did not come from this machine is moved aside. One that git tracks is left alone, since whoever writes to
    the repository writes to it, and records are kept in the user's cache instead.
    """
    folder = root / NAME
    if not folder.is_dir() or folder.is_symlink():
        return folder
    if _is_tracked(root, folder):
        return _use_cache(root, f"git tracks files under {NAME}/, which are not read", remark)
    if not _list_foreign_entries(folder) or is_sealed(
        folder
    ):  # another process seals it before it puts anything inside
        return folder
    if not os.access(folder, os.W_OK | os.X_OK) or not os.access(root, os.W_OK | os.X_OK):
        return _use_cache(root, f"{NAME}/ did not come from this machine and is not read", remark)
    place = _set_aside(folder)
    remark(
        f"{NAME}/ did not come from this machine: it is set aside unread in {place.relative_to(root)}"
        " (`bottega trust --records` takes it back)"
    )
    return folder


def seal_home(folder: Path) -> None:
    """Seal a directory that is still empty; raise `StorageError` when it holds files of another origin."""
    foreign = _list_foreign_entries(folder)  # looked at first: another process seals it before it puts anything inside
    if is_sealed(folder):
        return
    if foreign:
        raise StorageError(
            f"{folder} did not come from this machine: it holds {foreign[0]}", hint="Move it away, then try again."
        )
    write_seal(folder)


def write_seal(folder: Path) -> None:
    """Seal a directory as it is; of several processes that do so at once, all end up with the seal of one."""
    plain = Seal(secrets.token_hex(16), str(folder.absolute()), folder.stat().st_ino)
    beside = _write_beside(folder / _SEAL, plain.signed_json())
    try:
        os.link(beside, folder / _SEAL)
    except FileExistsError:
        if _read_seal(folder) is None:
            beside.replace(folder / _SEAL)
    finally:
        beside.unlink(missing_ok=True)


def is_sealed(folder: Path) -> bool:
    """Whether this machine made a directory; one that was moved with its inode is sealed again for its new path."""
    seal = _read_seal(folder)
    if seal is None:
        return False
    path, inode = str(folder.absolute()), folder.stat().st_ino
    if (seal.path, seal.inode) == (path, inode):
        return True
    if path != seal.path and inode != seal.inode:
        return False
    moved = Seal(seal.identity, path, inode)
    with contextlib.suppress(OSError):  # the old seal stays valid for the inode
        _write_json(folder / _SEAL, moved.signed_json())
    return True


def seal_of(folder: Path) -> str:
    """The key with which stores in a sealed directory sign; it differs from directory to directory."""
    seal = _read_seal(folder)
    if seal is None:
        raise StorageError(f"{folder} has no seal of this machine", hint="Move it away, then try again.")
    return sign("store", seal.identity)


def list_aside_folders(folder: Path) -> list[Path]:
    """Directories that were moved aside, oldest first."""
    try:
        return sorted(entry for entry in (folder / ASIDE).iterdir() if entry.is_dir() and not entry.is_symlink())
    except OSError:
        return []


def take_back(folder: Path, aside: Path) -> None:
    """Swap records that were moved aside with the present ones."""
    replaced = folder / ASIDE / f"{_format_now()}-replaced"
    replaced.mkdir(mode=0o700)
    for entry in list(folder.iterdir()):
        if entry.name not in {ASIDE, _SEAL, _UNTRACKED}:
            entry.rename(replaced / entry.name)
    for entry in list(aside.iterdir()):
        if entry.name not in {_SEAL, _UNTRACKED, ASIDE}:
            entry.rename(folder / entry.name)


def _read_seal(folder: Path) -> Seal | None:
    """The seal of a directory, if this machine made it."""
    try:
        content = json.loads(read_regular_file(folder / _SEAL, limit=_LARGEST))
        seal = Seal(str(content["identity"]), str(content["path"]), int(content["inode"]), str(content["signature"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None
    return seal if secrets.compare_digest(seal.signature.encode(), seal.sign().encode()) else None


def _list_foreign_entries(folder: Path) -> list[str]:
    """Names in a directory without a seal that bottega would not have made; none in an empty one."""
    names = (entry.name for entry in os.scandir(folder))
    return sorted(name for name in names if name not in _HARMLESS and not name.startswith(_SEAL))


def _set_aside(folder: Path) -> Path:
    beside = folder.with_name(f"{NAME}-{ASIDE}-{os.getpid()}")
    folder.rename(beside)
    folder.mkdir(mode=0o700)
    write_seal(folder)
    (folder / ".gitignore").write_text("*\n", encoding="utf-8")
    place = folder / ASIDE / _format_now()
    place.parent.mkdir(mode=0o700)
    beside.rename(place)
    return place


def _use_cache(root: Path, reason: str, remark: Remark) -> Path:
    folder = cache_folder() / "records" / sha256(os.fsencode(root.absolute())).hexdigest()[:24] / NAME
    remark(f"{reason}; records of this repository are kept in {folder}")
    return folder


def _is_tracked(root: Path, folder: Path) -> bool:
    """Whether git tracks anything in the directory; git is run only when its index has changed."""
    found = locate_git(root)
    if found is None:
        return False
    stamp = _read_stamp(found.own / "index")
    if _read_untracked(folder) == stamp and is_sealed(folder):
        return False
    git = open_git(root)
    if git is not None and git.ask("ls-files", "-z", "--", NAME):
        return True
    if is_sealed(folder):
        with contextlib.suppress(OSError):  # git is run again next time
            _write_json(folder / _UNTRACKED, {"index": stamp, "signature": sign("untracked", seal_of(folder), stamp)})
    return False


def _read_untracked(folder: Path) -> str:
    """The stamp of git's index when nothing was tracked here; "" when unknown."""
    try:
        content = json.loads(read_regular_file(folder / _UNTRACKED, limit=_LARGEST))
        stamp = str(content["index"])
        return stamp if content["signature"] == sign("untracked", seal_of(folder), stamp) else ""
    except (OSError, ValueError, TypeError, KeyError, RecursionError, StorageError):
        return ""


def _read_stamp(path: Path) -> str:
    try:
        status = path.stat()
    except OSError:
        return "none"
    return f"{status.st_size}-{status.st_mtime_ns}-{status.st_ctime_ns}-{status.st_ino}"


def _write_json(file: Path, value: dict[str, Any]) -> None:
    _write_beside(file, value).replace(file)


def _write_beside(file: Path, value: dict[str, Any]) -> Path:
    beside = file.with_name(f"{file.name}.{os.getpid()}.new")
    beside.unlink(missing_ok=True)
    beside.write_text(json.dumps(value) + "\n", encoding="utf-8")
    return beside


def _format_now() -> str:
    return datetime.now(UTC).strftime("%Y%m%dT%H%M%S%fZ")
