"""Files of equal content, found by size and digest."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bottega.investigate.scan.findings import Duplicates, ScannedDirectory
from bottega.investigate.scan.worker import DIGEST, WHOLE

_MAX_GROUPS = 50
_MAX_PATHS = 5


class DuplicateFiles(NamedTuple):
    """The groups that waste most; `copies` and `wasted` are of all groups."""

    groups: tuple[Duplicates, ...]
    copies: int
    wasted: int


class _Group(NamedTuple):
    size: int
    files: list[int]


def find_duplicates(target: Path, folders: Sequence[ScannedDirectory]) -> DuplicateFiles:
    """Groups of equal files. Digests of long files are of samples, so those files are compared in full."""
    paths = _FilePaths(folders)
    groups: list[Duplicates] = []
    copies = wasted = 0
    same = _group_by_digest(folders)
    short = [group for group in same if group.size <= WHOLE]
    for group in short:
        copies += len(group.files) - 1
        wasted += group.size * (len(group.files) - 1)
    short.sort(key=lambda group: -group.size * (len(group.files) - 1))
    for group in short[:_MAX_GROUPS]:
        members = sorted(map(paths.path_of, group.files))
        groups.append(Duplicates(group.size, len(members), tuple(members[:_MAX_PATHS])))
    for group in same:
        if group.size > WHOLE:
            for members in _compare_in_full(target, sorted(map(paths.path_of, group.files))):
                groups.append(Duplicates(group.size, len(members), tuple(members[:_MAX_PATHS])))
                copies += len(members) - 1
                wasted += groups[-1].wasted
    groups.sort(key=lambda group: (-group.wasted, group.paths))
    return DuplicateFiles(tuple(groups[:_MAX_GROUPS]), copies, wasted)


def _group_by_digest(folders: Sequence[ScannedDirectory]) -> list[_Group]:
    """Two or more files of one digest, as numbers over all folders; empty and unread files have no digest."""
    sizes = np.concatenate([np.asarray(folder.sizes, np.uint64) for folder in folders])
    digests = np.frombuffer(b"".join(folder.digests for folder in folders), f"V{DIGEST}")
    known = np.flatnonzero((sizes > 0) & (digests != np.zeros(1, f"V{DIGEST}")[0]))
    if not len(known):
        return []
    keys = digests[known].view("<u8").reshape(-1, 2)
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    is_same = np.all(keys[order][1:] == keys[order][:-1], axis=1)
    starts = np.flatnonzero(np.concatenate(([True], ~is_same)))
    counts = np.diff(np.append(starts, len(order)))
    return [
        _Group(int(sizes[known[order[start]]]), known[order[start : start + count]].tolist())
        for start, count in zip(starts[counts > 1].tolist(), counts[counts > 1].tolist(), strict=True)
    ]


class _FilePaths:
    """Paths by the number of a file, counted over all folders."""

    def __init__(self, folders: Sequence[ScannedDirectory]) -> None:
        self._folders = folders
        self._starts = np.cumsum([0, *(len(folder.names) for folder in folders)])

    def path_of(self, number: int) -> str:
        at = int(np.searchsorted(self._starts, number, "right")) - 1
        folder = self._folders[at]
        return folder.path + folder.names[number - int(self._starts[at])]


def _compare_in_full(target: Path, paths: Sequence[str]) -> list[list[str]]:
    groups: dict[bytes, list[str]] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            groups.setdefault(_digest_file(target / path), []).append(path)
    return [group for group in groups.values() if len(group) > 1]


def _digest_file(path: Path) -> bytes:
    digest = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.digest()
