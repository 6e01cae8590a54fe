"""List every file of a tree with its stamp."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from bottega.cancellation import current_cancellation
from bottega.index.ignore import RULE_FILES, IgnoreRules, load_outer_rules
from bottega.source.git import Git

_NEVER = frozenset({".git", ".hg", ".svn", ".bottega", ".jj", "__pycache__", ".mypy_cache", ".pytest_cache", ".tox"})
_ENVIRONMENT = "pyvenv.cfg"
_DEEPEST = 200


class FileStamp(NamedTuple):
    """Size, times and inode: they change whenever the content may have changed."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(slots=True)
class Listing:
    """The files by path below the root, and what could not be read."""

    files: dict[str, FileStamp] = field(default_factory=dict)
    remarks: list[tuple[str, str]] = field(default_factory=list)
    rules: set[str] = field(default_factory=set)


def walk(
    root: Path,
    *,
    git: Git | None = None,
    tracked: frozenset[str] = frozenset(),
    known: frozenset[str] = frozenset(),
    rules: frozenset[str] = frozenset(),
) -> Listing:
    """List regular files that are not ignored. Links are never followed.

    `tracked` are files that git tracks although a rule ignores them. `known` are files that the last walk included;
    the rules of the ignore files in `rules`, which have not changed since, are not applied to them again.
    """
    return _Walk(root, tracked, known, rules).list_all(load_outer_rules(git))


class _Folder(NamedTuple):
    """A directory to list; `is_known` while every ignore file above it is unchanged."""

    path: str
    rules: IgnoreRules
    is_left_out: bool
    is_known: bool
    depth: int


class _Walk:
    def __init__(self, root: Path, tracked: frozenset[str], known: frozenset[str], rules: frozenset[str]) -> None:
        self._root = root
        self._tracked = tracked
        self._folders = _list_folders(tracked)
        self._known = known
        self._known_folders = _list_folders(known)
        self._rules = rules
        self.listing = Listing()

    def list_all(self, rules: IgnoreRules) -> Listing:
        pending = [_Folder("", rules, is_left_out=False, is_known=True, depth=0)]
        while pending:
            current_cancellation().check()
            folder = pending.pop()
            directory = folder.path
            try:
                with os.scandir(self._root / directory if directory else self._root) as found:
                    entries = list(found)
            except OSError as error:
                self.listing.remarks.append((directory or ".", error.strerror or "cannot be read"))
                continue
            names = frozenset(entry.name for entry in entries)
            if directory and _ENVIRONMENT in names:
                continue
            here = self._load_rules(folder, names)
            for entry in entries:
                inner = self._visit(entry, here)
                if inner is not None and here.depth < _DEEPEST:
                    pending.append(inner)
        return self.listing

    def _load_rules(self, folder: _Folder, names: frozenset[str]) -> _Folder:
        files = {folder.path + name for name in names & RULE_FILES}
        if not files:
            return folder
        self.listing.rules |= files
        rules = folder.rules.enter(folder.path, names, self._root)
        self.listing.remarks += [
            (path, "holds too many patterns; only the first are used")
            for path in rules.truncated_files
            if path in files
        ]
        return folder._replace(rules=rules, is_known=folder.is_known and files <= self._rules)

    def _visit(self, entry: os.DirEntry[str], folder: _Folder) -> _Folder | None:
        """Add a file, or return the directory to enter."""
        path = folder.path + entry.name
        try:
            path.encode()
            if entry.is_dir(follow_symlinks=False):
                return self._enter(entry.name, f"{path}/", folder)
            if entry.name in _NEVER:
                return None
            if (folder.is_known and path in self._known) or self._is_included(path, folder):
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(status.st_mode):
                    stamp = FileStamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
                    self.listing.files[path] = stamp
        except UnicodeEncodeError:
            self.listing.remarks.append((path.encode("utf-8", "replace").decode(), "its name is not text"))
        except OSError as error:
            self.listing.remarks.append((path, error.strerror or "cannot be read"))
        return None

    def _enter(self, name: str, path: str, folder: _Folder) -> _Folder | None:
        if name in _NEVER:
            return None
        if folder.is_known and not folder.rules.may_include and path in self._known_folders:
            return folder._replace(path=path, depth=folder.depth + 1)
        forced = folder.rules.find_own_verdict(path)
        left_out = forced is not False and (folder.is_left_out or folder.rules.is_ignored(path))
        if left_out and not folder.rules.may_include and path not in self._folders:
            return None
        return folder._replace(path=path, is_left_out=left_out, depth=folder.depth + 1)

    def _is_included(self, path: str, folder: _Folder) -> bool:
        forced = folder.rules.find_own_verdict(path)
        if forced is not None:
            return not forced
        if folder.is_left_out or folder.rules.is_ignored(path):
            return path in self._tracked
        return True


def _list_folders(paths: frozenset[str]) -> set[str]:
    """Every folder above these paths, with a closing slash."""
    found: set[str] = set()
    for path in paths:
        folder = path.rpartition("/")[0]
        while folder and f"{folder}/" not in found:
            found.add(f"{folder}/")
            folder = folder.rpartition("/")[0]
    return found
