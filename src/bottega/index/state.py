"""The state of the repository at the last refresh."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b

from bottega.index.database import IndexDatabase
from bottega.index.history import LARGEST_SHALLOW
from bottega.source.files import read_regular_file
from bottega.source.git import Git

_MOST_REMARKS = 200


@dataclass(frozen=True, slots=True)
class RepositoryState:
    """Commit, branch and a fingerprint of the history; all "" without git."""

    commit: str
    branch: str
    past: str

    @classmethod
    def now(cls, git: Git | None) -> RepositoryState:
        return cls("", "", "") if git is None else cls(git.head(), git.branch(), _fingerprint_history(git))

    def differs(self, database: IndexDatabase) -> bool:
        return self.has_other_history(database) or database.get_meta("branch") != self.branch

    def has_other_history(self, database: IndexDatabase) -> bool:
        """Whether the history may differ from the indexed one."""
        return (database.get_meta("commit"), database.get_meta("past")) != (self.commit, self.past)


def record_state(
    database: IndexDatabase, state: RepositoryState, git: Git | None, remarks: list[tuple[str, str]]
) -> None:
    database.set_meta("commit", state.commit)
    database.set_meta("branch", state.branch)
    database.set_meta("past", state.past)
    database.set_meta("refreshed", datetime.now(UTC).isoformat(timespec="seconds"))
    database.set_meta("dirty", json.dumps(_list_dirty(database, git, state)))
    database.set_meta("remarks", json.dumps(remarks[:_MOST_REMARKS]))


def _fingerprint_history(git: Git) -> str:
    """A fingerprint of the history, which changes when a shallow clone is deepened."""
    if not git.is_shallow:
        return "whole"
    try:
        return blake2b(read_regular_file(git.common / "shallow", limit=LARGEST_SHALLOW), digest_size=8).hexdigest()
    except OSError:
        return "whole"


def _list_dirty(database: IndexDatabase, git: Git | None, state: RepositoryState) -> list[str]:
    """Files that differ from the commit, by their git object ids."""
    if git is None or not state.commit:
        return []
    printed = git.ask("ls-tree", "-r", "-z", state.commit) or b""
    tree = {}
    for line in printed.decode("utf-8", "surrogateescape").split("\0"):
        head, _, path = line.partition("\t")
        fields = head.split(" ")
        if len(fields) == 3 and fields[1] == "blob" and fields[0] != "120000":
            tree[path] = fields[2]
    files = dict(database.connection.execute("SELECT path, blob FROM files WHERE source = 'project'"))
    changed = {path for path, blob in files.items() if path not in tree or _is_different(blob, tree[path])}
    removed = {path for path in tree if path not in files and not (git.root / path).exists()}
    return sorted(changed | (removed - _list_skipped(git) if removed else removed))


def _list_skipped(git: Git) -> set[str]:
    """Files that git leaves out of the working tree on purpose, as in a sparse checkout."""
    printed = git.ask("ls-files", "-t", "-z") or b""
    rows = printed.decode("utf-8", "surrogateescape").split("\0")
    return {row[2:] for row in rows if row.startswith("S ")}


def _is_different(blob: str, other: str) -> bool:
    """Whether two object ids differ; those of unread files or of another hash algorithm are not compared."""
    return bool(blob) and len(blob) == len(other) and blob != other
