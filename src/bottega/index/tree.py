"""Walk the working tree with the results of the last walk."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from bottega.index.database import IndexDatabase
from bottega.index.ignore import list_outer_files
from bottega.index.walk import Listing, walk
from bottega.source.git import Git

_RULES = "rules"
_TRACKED = "tracked"


class WorkingTree:
    """Remembers the ignore files, so that unchanged rules are not applied again to known files."""

    def __init__(self, root: Path, git: Git | None, database: IndexDatabase) -> None:
        self._root = root
        self._git = git
        self._database = database
        self._kept: frozenset[str] = frozenset()

    def walk(self, known: Iterable[str]) -> Listing:
        remembered = json.loads(self._database.get_meta(_RULES) or "null")
        is_same = remembered is not None and all(
            _stamp(self._root / path) == stamp for path, stamp in {**remembered, **self._stamp_outer_files()}.items()
        )
        if is_same:
            listing = self._walk(known, frozenset(remembered))
            if listing.rules <= remembered.keys():
                return listing
        return self._walk({}, None)  # ignore files were added, removed or changed

    def _walk(self, known: Iterable[str], rules: frozenset[str] | None) -> Listing:
        """`rules` names the unchanged ignore files; `None` applies all rules again."""
        index, before = json.loads(self._database.get_meta(_TRACKED) or "[0, []]")
        is_same = rules is not None and index and index == self._stamp_git_index()
        self._kept = frozenset(before) if is_same else self._list_tracked()
        return walk(
            self._root,
            git=self._git,
            tracked=self._kept,
            known=frozenset(known) - self._kept - frozenset(before),
            rules=rules or frozenset(),
        )

    def remember(self, listing: Listing) -> None:
        rules = {path: _stamp(self._root / path) for path in sorted(listing.rules)} | self._stamp_outer_files()
        self._database.set_meta(_RULES, json.dumps(rules))
        if self._git is not None:
            self._database.set_meta(_TRACKED, json.dumps([self._stamp_git_index(), sorted(self._kept)]))

    def _stamp_outer_files(self) -> dict[str, list[int] | int]:
        """Stamps of the ignore files outside the tree."""
        return {str(path): _stamp(path) for path in list_outer_files(self._git)}

    def _list_tracked(self) -> frozenset[str]:
        """Files that git tracks although a rule ignores them."""
        if self._git is None:
            return frozenset()
        printed = self._git.ask("ls-files", "-z", "--cached", "--ignored", "--exclude-standard") or b""
        return frozenset(path for path in printed.decode("utf-8", "surrogateescape").split("\0") if path)

    def _stamp_git_index(self) -> list[int] | int:
        return _stamp(self._git.own / "index") if self._git is not None else 0


def _stamp(path: Path) -> list[int] | int:
    """The stamp of a file; 0 where there is none."""
    try:
        status = path.lstat()
    except OSError:
        return 0
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
