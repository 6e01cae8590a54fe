"""Commits and the files that they touched, synchronised with HEAD."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from bottega.cancellation import current_cancellation
from bottega.source.files import read_regular_file
from bottega.source.git import Git
from bottega.source.secrets import mask_secrets

MOST_COMMITS = 6000
LARGEST_SHALLOW = 10_000_000
# Commits that touch more files than this are not evidence of a relation between them.
_MOST_TOGETHER = 30
_LEAST_TOGETHER = 2
_FORMAT = "%H%x00%an%x00%aI%x00%B"
_STATUS = re.compile(r"[ACDMRT]\d*")
_LONGEST_MESSAGE = 6000
_MOST_FILES = 2000


class Commit(NamedTuple):
    hash: str
    author: str
    written: str
    message: str
    paths: tuple[str, ...]
    renames: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class CommitHistory:
    """Hashes of the newest commits of HEAD without merges, and the content of those that are not stored yet."""

    hashes: tuple[str, ...]
    new: tuple[Commit, ...]


def read_history(
    git: Git | None, known: frozenset[str], *, most: int = MOST_COMMITS, mask: Callable[[str], str] = mask_secrets
) -> CommitHistory:
    """Read commits from git without writing. Secrets in messages are masked."""
    if git is None:
        return CommitHistory((), ())
    wanted = _list_newest(git, most)
    new = read_commits(git, [commit for commit in wanted if commit not in known])
    return CommitHistory(tuple(wanted), tuple(commit._replace(message=mask(commit.message)) for commit in new))


def load_known_commits(connection: sqlite3.Connection) -> frozenset[str]:
    return frozenset(commit for (commit,) in connection.execute("SELECT hash FROM commits"))


def sync_history(connection: sqlite3.Connection, past: CommitHistory) -> bool:
    """Make the tables equal to this history; return whether anything changed."""
    known = dict(connection.execute("SELECT hash, id FROM commits"))
    order = tuple(row[0] for row in connection.execute("SELECT hash FROM commits ORDER BY position"))
    if past.hashes == order:
        return False
    gone = [known[commit] for commit in known.keys() - set(past.hashes)]
    connection.executemany("DELETE FROM commits WHERE id = ?", ((number,) for number in gone))
    connection.executemany("DELETE FROM file_commits WHERE commit_id = ?", ((number,) for number in gone))
    for commit in past.new:
        current_cancellation().check()
        _insert(connection, commit)
    connection.executemany(
        "UPDATE commits SET position = ? WHERE hash = ?", ((place, commit) for place, commit in enumerate(past.hashes))
    )
    _follow_renames(connection)
    _count_together(connection)
    return True


def read_commits(git: Git, hashes: Sequence[str]) -> Iterator[Commit]:
    """Messages and touched files; a commit that git cannot read is left out."""
    if not hashes:
        return
    given = "".join(f"{commit}\n" for commit in hashes).encode()
    messages = git.ask("log", "--no-walk=unsorted", "--stdin", "-z", "--no-color", f"--format={_FORMAT}", given=given)
    names = git.ask(
        *("diff-tree", "--stdin", "-z", "-r", "--root", "-M", "--name-status", "--relative", "--no-ext-diff"),
        given=given,
    )
    touched = _parse_touched(_split_fields(names))
    fields = _split_fields(messages)  # no message holds a NUL
    for commit, author, written, message in zip(fields[::4], fields[1::4], fields[2::4], fields[3::4], strict=False):
        current_cancellation().check()
        paths, renames = touched.get(commit, ((), ()))
        yield Commit(commit, author, written, message.strip()[:_LONGEST_MESSAGE], paths, renames)


def _list_newest(git: Git, most: int) -> list[str]:
    """Hashes, newest first. The oldest commit of a shallow clone is left out: every file looks new there."""
    if not git.head():
        return []
    printed = git.ask("rev-list", "--no-merges", f"--max-count={most}", "HEAD", "--", ".")
    hashes = (printed or b"").decode().split()
    if not git.is_shallow:
        return hashes
    try:
        data = read_regular_file(git.common / "shallow", limit=LARGEST_SHALLOW)
        edge = set(data.decode("ascii", "replace").split())
    except OSError:
        edge = set()
    return [commit for commit in hashes if commit not in edge]


def _split_fields(printed: bytes | None) -> list[str]:
    return (printed or b"").decode("utf-8", "replace").split("\0")


def _parse_touched(fields: Sequence[str]) -> dict[str, tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]:
    """Paths and renames by commit. Git prints each hash, then a status with one path, or two for a rename or copy."""
    paths: list[str] = []
    renames: list[tuple[str, str]] = []
    found = {}
    rest = iter(fields)
    for field in rest:
        if not _STATUS.fullmatch(field):
            paths, renames = [], []
            found[field] = (paths, renames)
            continue
        name = next(rest, "")
        if field[0] in "RC":
            before, name = name, next(rest, "")
            if field[0] == "R":
                renames.append((before, name))
        paths.append(name)
    return {commit: (tuple(names[:_MOST_FILES]), tuple(moves)) for commit, (names, moves) in found.items()}


def _insert(connection: sqlite3.Connection, commit: Commit) -> None:
    cursor = connection.execute(
        "INSERT INTO commits (hash, position, author, written, message, files_changed) VALUES (?, 0, ?, ?, ?, ?)",
        (commit.hash, commit.author, commit.written, commit.message, len(commit.paths)),
    )
    before = {new: old for old, new in commit.renames}
    connection.executemany(
        "INSERT OR IGNORE INTO file_commits (commit_id, path, current, renamed_from) VALUES (?, ?, ?, ?)",
        ((cursor.lastrowid, path, path, before.get(path, "")) for path in commit.paths),
    )


def _follow_renames(connection: sqlite3.Connection) -> None:
    """Replace every touched path by its current name."""
    rows = connection.execute(
        "SELECT f.commit_id, f.path, f.current, f.renamed_from FROM file_commits f JOIN commits c ON c.id = f.commit_id"
        " ORDER BY c.position, f.path"
    )
    now: dict[str, str] = {}
    changed: list[tuple[str, int, str]] = []
    pending: list[tuple[str, str]] = []
    last = None
    for commit, path, current, renamed_from in rows:
        if commit != last:
            now.update(pending)
            pending, last = [], commit
        name = now.get(path, path)
        if name != current:
            changed.append((name, commit, path))
        if renamed_from:
            pending.append((renamed_from, name))
    connection.executemany("UPDATE file_commits SET current = ? WHERE commit_id = ? AND path = ?", changed)


def _count_together(connection: sqlite3.Connection) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    newest: dict[tuple[str, str], str] = {}
    for commit, paths in _group_by_commit(connection):
        current_cancellation().check()
        if len(paths) <= _MOST_TOGETHER:
            for pair in combinations(sorted(set(paths)), 2):
                counts[pair] += 1
                newest.setdefault(pair, commit)
    connection.execute("DELETE FROM co_changes")
    connection.executemany(
        "INSERT INTO co_changes (path_a, path_b, count, last_commit) VALUES (?, ?, ?, ?)",
        ((*pair, count, newest[pair]) for pair, count in sorted(counts.items()) if count >= _LEAST_TOGETHER),
    )


def _group_by_commit(connection: sqlite3.Connection) -> Iterable[tuple[str, list[str]]]:
    """Current paths by commit, newest first."""
    last = ""
    paths: list[str] = []
    for commit, path in connection.execute(
        "SELECT c.hash, f.current FROM commits c JOIN file_commits f ON f.commit_id = c.id ORDER BY c.position"
    ):
        if commit != last:
            if last:
                yield last, paths
            last, paths = commit, []
        paths.append(path)
    if last:
        yield last, paths
