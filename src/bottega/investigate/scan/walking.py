"""One walk over a tree: directories and their entries, without opening a file or following a symbolic link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path

from bottega.index import RULE_FILES, IgnoreRules, load_outer_rules
from bottega.investigate.scan.exclusions import (
    ENVIRONMENT_MARK,
    NEVER,
    Options,
    find_exclusion_reason,
    includes_all_files,
)
from bottega.source.git import open_git
from bottega.source.mounts import Mounts

_MAX_LISTED = 200
_NAME = attrgetter("name")


@dataclass(slots=True)
class DirectoryListing:
    """The entries of a directory, sorted by name; `path` is "" for the target, `parent` the parent's number."""

    path: str
    parent: int
    names: list[str] = field(default_factory=list)
    stats: list[os.stat_result] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)
    children: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    problem: str = ""
    is_pseudo: bool = False


@dataclass(slots=True)
class ReadProblems:
    """Paths that could not be read and why: the first are listed, all are counted."""

    listed: list[tuple[str, str]] = field(default_factory=list)
    count: int = 0

    def add(self, path: str, why: str) -> None:
        self.count += 1
        if len(self.listed) < _MAX_LISTED:
            self.listed.append((path, why))


def walk(target: Path, options: Options, problems: ReadProblems) -> Iterator[tuple[int, DirectoryListing]]:
    """Every directory with its number in this order, parents before children."""
    rules = load_outer_rules(open_git(target))
    mounts = Mounts()
    pending: list[tuple[str, int, IgnoreRules]] = [("", -1, rules)]
    number = 0
    while pending:
        path, parent, above = pending.pop()
        listing = DirectoryListing(path, parent)
        here = _fill(listing, target, above, options, mounts)
        if listing.problem:
            problems.add(path or ".", listing.problem)
        yield number, listing
        pending.extend((f"{path}{name}/", number, here) for name in reversed(listing.children))
        number += 1


def _fill(listing: DirectoryListing, target: Path, rules: IgnoreRules, options: Options, mounts: Mounts) -> IgnoreRules:
    """List a directory; returns the ignore rules that hold in it."""
    folder = os.path.join(target, listing.path) if listing.path else str(target)
    try:
        status = os.lstat(folder) if listing.path else os.stat(folder)
        if not stat.S_ISDIR(status.st_mode):
            listing.problem = "it is no longer a directory"
            return rules
        listing.is_pseudo = mounts.is_pseudo(status.st_dev)
        with os.scandir(folder) as scanned:
            entries = sorted(scanned, key=_NAME)
    except OSError as error:
        listing.problem = error.strerror or "cannot be listed"
        return rules
    except ValueError:
        listing.problem = "its name cannot be opened"
        return rules
    names = frozenset(entry.name for entry in entries)
    if names & RULE_FILES:
        rules = rules.enter(listing.path, names, target)
    if listing.path and not options.everything and ENVIRONMENT_MARK in names:
        listing.left_out = [(entry.name, "a Python environment") for entry in entries if entry.name != NEVER]
        return rules
    includes_all = includes_all_files(rules, options)
    for entry in entries:
        _add_entry(entry, listing, rules, options, includes_all=includes_all)
    return rules


def _add_entry(
    entry: os.DirEntry[str], listing: DirectoryListing, rules: IgnoreRules, options: Options, *, includes_all: bool
) -> None:
    name = entry.name
    try:
        is_directory = entry.is_dir(follow_symlinks=False)
        if is_directory:
            if name == NEVER:
                return
        elif options.own and f"{listing.path}{name}" in options.own:
            return
        is_free = includes_all and not is_directory
        why = "" if is_free else find_exclusion_reason(name, listing.path, rules, options, is_directory=is_directory)
        if why:
            listing.left_out.append((name, why))
        elif is_directory:
            listing.children.append(name)
        elif entry.is_symlink():
            listing.links.append((name, os.readlink(entry.path)))
        else:
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                listing.names.append(name)
                listing.stats.append(status)
            else:
                listing.others.append((name, _name_special_kind(status.st_mode)))
    except OSError as error:
        listing.others.append((name, error.strerror or "cannot be read"))


def _name_special_kind(mode: int) -> str:
    for test, kind in (
        (stat.S_ISSOCK, "socket"),
        (stat.S_ISFIFO, "pipe"),
        (stat.S_ISBLK, "block device"),
        (stat.S_ISCHR, "character device"),
    ):
        if test(mode):
            return kind
    return "special file"


def measure(folder: str, pending_limit: int = 10_000_000) -> tuple[int, int, int]:
    """Files, bytes and bytes on disk of what is not scanned; what cannot be listed counts as nothing."""
    files = size = disk = 0
    try:
        status = os.lstat(folder)
    except (OSError, ValueError):
        return 0, 0, 0
    if not stat.S_ISDIR(status.st_mode):
        return 1, status.st_size, getattr(status, "st_blocks", 0) * 512
    pending = [folder]
    while pending and files < pending_limit:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    else:
                        status = entry.stat(follow_symlinks=False)
                        files += 1
                        size += status.st_size
                        disk += getattr(status, "st_blocks", 0) * 512
        except (OSError, ValueError):
            continue
    return files, size, disk
