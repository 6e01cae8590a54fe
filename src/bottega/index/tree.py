"""The working tree as the index sees it: walked with what is remembered of the last walk."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from bottega.index.git import Git
from bottega.index.ignore import outer_rules
from bottega.index.rows import FileRow
from bottega.index.store import Curated
from bottega.index.walk import Listing, walk

_RULES = "rules"
_TRACKED = "tracked"


class Tree:
    """Rules that have not changed need not be applied again to files that they let in."""

    def __init__(self, root: Path, git: Git | None, curated: Curated) -> None:
        self._root = root
        self._git = git
        self._curated = curated
        self._kept: frozenset[str] = frozenset()

    def walk(self, known: Mapping[str, FileRow]) -> Listing:
        remembered = json.loads(self._curated.meta(_RULES) or "null")
        is_same = remembered is not None and all(
            _stamp(self._root / path) == stamp for path, stamp in {**remembered, **self._outer()}.items()
        )
        self._kept = self._tracked(is_same=is_same)
        return walk(
            self._root,
            common=self._git.common if self._git else None,
            tracked=self._kept,
            known=frozenset(known) - self._kept if is_same else frozenset(),
            rules=frozenset(remembered) if is_same else frozenset(),
        )

    def remember(self, listing: Listing) -> None:
        rules = {path: _stamp(self._root / path) for path in sorted(listing.rules)} | self._outer()
        self._curated.set_meta(_RULES, json.dumps(rules))
        if self._git is not None:
            self._curated.set_meta(_TRACKED, json.dumps([self._index_stamp(), sorted(self._kept)]))

    def _outer(self) -> dict[str, list[int] | int]:
        """Files of rules outside the tree."""
        return {str(path): _stamp(path) for path in outer_rules(self._git.common if self._git else None)}

    def _tracked(self, *, is_same: bool) -> frozenset[str]:
        """What git keeps although a rule leaves it out; asked again only after its index or the rules changed."""
        if self._git is None:
            return frozenset()
        remembered = json.loads(self._curated.meta(_TRACKED) or "[0, []]")
        if is_same and remembered[0] and remembered[0] == self._index_stamp():
            return frozenset(remembered[1])
        printed = self._git.ask("ls-files", "-z", "--cached", "--ignored", "--exclude-standard") or b""
        return frozenset(path for path in printed.decode("utf-8", "surrogateescape").split("\0") if path)

    def _index_stamp(self) -> list[int] | int:
        assert self._git is not None
        return _stamp(self._git.own / "index")


def _stamp(path: Path) -> list[int] | int:
    """0 for what is not there."""
    try:
        status = path.lstat()
    except OSError:
        return 0
    return [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
