"""Small repositories: written, committed, indexed and asked."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bottega.index import open_store
from bottega.index.refresh_result import RefreshResult
from bottega.index.verify import verify_index
from tests.command import FRESH, command_for

# A stamp younger than this is looked at again by the next refresh.
SETTLED_S = 0.12


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str


def write(root: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def git(root: Path, *arguments: str, given: bytes | None = None) -> str:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    allowed = ("-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main", "-c", "core.quotePath=false")
    done = subprocess.run(
        ["git", *identity, *allowed, *arguments], cwd=root, input=given, capture_output=True, check=True
    )
    return done.stdout.decode("utf-8", "surrogateescape")


def commit(root: Path, message: str, files: Mapping[str, str | bytes] | None = None) -> str:
    """Everything there is, with some files written before; the hash."""
    write(root, files or {})
    git(root, "add", "-A")
    git(root, "commit", "-q", "--allow-empty", "-F", "-", given=message.encode())
    return git(root, "rev-parse", "HEAD").strip()


def repository(root: Path, files: Mapping[str, str | bytes]) -> Path:
    """A repository with one commit."""
    root.mkdir(exist_ok=True)
    git(root, "init", "-q")
    commit(root, "Begin", files)
    return root


def refreshed(root: Path, *, workers: int = 1, patience_s: float = 30.0) -> RefreshResult:
    done = open_store(root).refresh(workers=workers, patience_s=patience_s)
    assert done is not None
    return done


def settled(root: Path) -> RefreshResult:
    """Indexed when all stamps are old enough to be believed."""
    time.sleep(SETTLED_S)
    return refreshed(root)


def differences(root: Path) -> str:
    """What a rebuild would say differently of the index as it stands, "" where nothing."""
    result = verify_index(open_store(root), workers=1)
    return "\n".join(map(str, result.differences))


def ask(root: Path, query: str, *values: Any) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(root / ".bottega" / "curated.sqlite")
    try:
        return connection.execute(query, values).fetchall()
    finally:
        connection.close()


def listed(root: Path) -> list[str]:
    return [path for (path,) in ask(root, "SELECT path FROM files ORDER BY path")]


def roles(root: Path) -> dict[str, str]:
    return dict(ask(root, "SELECT path, role FROM files"))


def symbols(root: Path, path: str) -> list[str]:
    query = "SELECT s.qualified FROM symbols s JOIN files f ON f.id = s.file_id WHERE f.path = ? ORDER BY s.ordinal"
    return [name for (name,) in ask(root, query, path)]


def command(*arguments: str) -> list[str]:
    return [*FRESH, *arguments]


QUIET = {"BOTTEGA_INDEX_VECTORS": "manual"}


def environ(root: Path, **more: str) -> dict[str, str]:
    """An empty home, and the cache that this process has."""
    kept = {name: os.environ[name] for name in ("PATH", "XDG_CACHE_HOME", "XDG_STATE_HOME")}
    return kept | {"HOME": str(root.parent / "home"), "LANG": "C.UTF-8", "OLLAMA_HOST": "127.0.0.1:9"} | QUIET | more


def bottega(root: Path, *arguments: str, prefix: tuple[str, ...] = (), **more: str) -> Ended:
    """The command in a process of its own, in the repository."""
    done = subprocess.run(
        [*prefix, *(command() if prefix else command_for(more)), *arguments],
        cwd=root,
        env=environ(root, **more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=100,
        check=False,
    )
    return Ended(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
