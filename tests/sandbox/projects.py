"""Small projects on disk, and a record of what they hold."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FILES = {
    "shop/__init__.py": "",
    "shop/price.py": "def total(prices):\n    return sum(prices)\n",
    "tests/test_price.py": "from shop.price import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    "README": "A shop.\n",
    "run.sh": "#!/bin/sh\necho running\n",
}


def write_project(folder: Path, files: dict[str, str] | None = None) -> Path:
    for name, text in (files or FILES).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    if files is None:
        (folder / "run.sh").chmod(0o755)
    return folder


def record(folder: Path, *, times: bool = True) -> dict[str, object]:
    """Everything below a directory that a write would change."""
    seen: dict[str, object] = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        kind = stat.S_IFMT(status.st_mode)
        content: object = path.read_bytes() if kind == stat.S_IFREG else None
        content = str(path.readlink()) if kind == stat.S_IFLNK else content
        seen[str(path.relative_to(folder))] = (status.st_mode, times and status.st_mtime_ns, status.st_uid, content)
    return seen


@contextmanager
def unchanged(folder: Path, *, times: bool = True) -> Iterator[None]:
    """Fail where the block leaves the directory different from how it found it."""
    before = record(folder, times=times)
    yield
    assert record(folder, times=times) == before


def git(folder: Path, *words: str) -> str:
    identity = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
    ran = subprocess.run(["git", *identity, *words], cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout
