"""One walk over a tree: directories and what lies in them, without opening a file or following a link."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from operator import attrgetter
from pathlib import Path

from bottega.index.ignore import RULE_FILES, Ignored, outermost
from bottega.source.git import open_git

NEVER = ".bottega"
# What tools make or keep for themselves: measured, not read.
TOOLS = frozenset(
    """.git .hg .svn .jj __pycache__ node_modules .tox .nox .mypy_cache .pytest_cache .ruff_cache .venv venv .env dist
    build .eggs .cache .gradle .idea .vs bower_components .terraform .next .nuxt""".split()
)
_TOOL_PATTERNS = ("*.egg-info",)
_ENVIRONMENT = "pyvenv.cfg"
_PSEUDO = frozenset(
    """proc sysfs cgroup cgroup2 debugfs tracefs securityfs pstore bpf configfs efivarfs mqueue hugetlbfs devpts
    devtmpfs fusectl binfmt_misc autofs rpc_pipefs nsfs selinuxfs""".split()
)
_MOST_REMARKS = 200
_NAME = attrgetter("name")


@dataclass(frozen=True, slots=True)
class Options:
    """`everything` looks into what tools made and what git leaves out; `hidden` takes names with a leading dot.

    `own` are files below the target that this program wrote: they are no part of what is looked at.
    """

    exclude: tuple[str, ...] = ()
    everything: bool = False
    hidden: bool = True
    own: tuple[str, ...] = ()


@dataclass(slots=True)
class Place:
    """A directory: its path below the target ("" is the target), and what lies directly in it, sorted by name."""

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
class Remarks:
    """What could not be looked at; the first ones by name, all of them by number."""

    told: list[tuple[str, str]] = field(default_factory=list)
    count: int = 0

    def add(self, path: str, why: str) -> None:
        self.count += 1
        if len(self.told) < _MOST_REMARKS:
            self.told.append((path, why))


def walk(target: Path, options: Options, remarks: Remarks) -> Iterator[tuple[int, Place]]:
    """Every directory with its number, parents before children; the number of a parent is its place in this order."""
    rules = outermost(open_git(target))
    mounts = Mounts()
    pending: list[tuple[str, int, Ignored]] = [("", -1, rules)]
    number = 0
    while pending:
        path, parent, above = pending.pop()
        place = Place(path, parent)
        here = _listed(target, place, above, options, mounts)
        if place.problem:
            remarks.add(path or ".", place.problem)
        yield number, place
        pending.extend((f"{path}{name}/", number, here) for name in reversed(place.children))
        number += 1


def _listed(target: Path, place: Place, rules: Ignored, options: Options, mounts: Mounts) -> Ignored:
    folder = os.path.join(target, place.path) if place.path else str(target)
    try:
        status = os.lstat(folder) if place.path else os.stat(folder)
        if not stat.S_ISDIR(status.st_mode):
            place.problem = "it is no longer a directory"
            return rules
        place.is_pseudo = mounts.is_pseudo(status.st_dev)
        with os.scandir(folder) as found:
            entries = sorted(found, key=_NAME)
    except OSError as error:
        place.problem = error.strerror or "cannot be listed"
        return rules
    except ValueError:
        place.problem = "its name cannot be opened"
        return rules
    names = frozenset(entry.name for entry in entries)
    if names & RULE_FILES:
        rules = rules.below(place.path, names, target)
    if place.path and not options.everything and _ENVIRONMENT in names:
        place.left_out = [(entry.name, "a Python environment") for entry in entries if entry.name != NEVER]
        return rules
    takes_all = _takes_all(rules, options)
    for entry in entries:
        _sort_in(entry, place, rules, options, takes_all=takes_all)
    return rules


class Bounds:
    """Which paths a walk with these options would not look into, one path at a time."""

    def __init__(self, target: Path, options: Options) -> None:
        self._target = target
        self._options = options
        self._rules: dict[str, Ignored] = {}

    def leave_out(self, path: str) -> bool:
        """Whether a path below the target, or something above it, is left out; links are not followed."""
        if path in self._options.own:
            return True
        folder = ""
        names = path.split("/") if path else []
        for at, name in enumerate(names):
            whole = os.path.join(self._target, folder, name)
            is_directory = at < len(names) - 1 or (os.path.isdir(whole) and not os.path.islink(whole))
            rules = self._in_force(folder)
            if name == NEVER or _left_out(name, Place(folder, -1), rules, self._options, is_directory=is_directory):
                return True
            if is_directory and not self._options.everything and os.path.lexists(os.path.join(whole, _ENVIRONMENT)):
                return True
            folder = f"{folder}{name}/"
        return False

    def _in_force(self, folder: str) -> Ignored:
        if folder not in self._rules:
            if folder:
                above = folder.rstrip("/").rpartition("/")[0]
                rules = self._in_force(f"{above}/" if above else "")
            else:
                rules = outermost(open_git(self._target))
            present = {name for name in RULE_FILES if os.path.lexists(os.path.join(self._target, folder, name))}
            self._rules[folder] = rules.below(folder, frozenset(present), self._target) if present else rules
        return self._rules[folder]


def _takes_all(rules: Ignored, options: Options) -> bool:
    """Whether no file can be left out, so that none needs to be asked about; most directories have no rules."""
    return not (options.exclude or rules.own or not options.hidden or (rules.git and not options.everything))


def _sort_in(entry: os.DirEntry[str], place: Place, rules: Ignored, options: Options, *, takes_all: bool) -> None:
    name = entry.name
    try:
        is_directory = entry.is_dir(follow_symlinks=False)
        if is_directory:
            if name == NEVER:
                return
        elif options.own and f"{place.path}{name}" in options.own:
            return
        is_free = takes_all and not is_directory
        why = "" if is_free else _left_out(name, place, rules, options, is_directory=is_directory)
        if why:
            place.left_out.append((name, why))
        elif is_directory:
            place.children.append(name)
        elif entry.is_symlink():
            place.links.append((name, os.readlink(entry.path)))
        else:
            status = entry.stat(follow_symlinks=False)
            if stat.S_ISREG(status.st_mode):
                place.names.append(name)
                place.stats.append(status)
            else:
                place.others.append((name, _kind(status.st_mode)))
    except OSError as error:
        place.others.append((name, error.strerror or "cannot be read"))


def _left_out(name: str, place: Place, rules: Ignored, options: Options, *, is_directory: bool) -> str:
    """Why something is not looked into; a person's own rules hold whatever the options say."""
    if any(fnmatchcase(name, pattern) for pattern in options.exclude):
        return "excluded"
    if name[0] == "." and not options.hidden:
        return "hidden"
    path = f"{place.path}{name}/" if is_directory else f"{place.path}{name}"
    if rules.own and rules.own_verdict(path):
        return "left out by the rules for assistants"
    if options.everything:
        return ""
    if is_directory and (name in TOOLS or any(fnmatchcase(name, pattern) for pattern in _TOOL_PATTERNS)):
        return "made by tools"
    return "left out by git" if (rules.git or rules.own) and rules.leaves_out(path) else ""


def _kind(mode: int) -> str:
    for test, words in (
        (stat.S_ISSOCK, "socket"),
        (stat.S_ISFIFO, "pipe"),
        (stat.S_ISBLK, "block device"),
        (stat.S_ISCHR, "character device"),
    ):
        if test(mode):
            return words
    return "special file"


class Mounts:
    """Which devices hold no files but a system's view of itself: they are listed and never read."""

    def __init__(self) -> None:
        self._known: dict[int, bool] = {}
        self._table: dict[int, str] | None = None

    def is_pseudo(self, device: int) -> bool:
        if device not in self._known:
            self._known[device] = self._kinds().get(device, "") in _PSEUDO
        return self._known[device]

    def _kinds(self) -> dict[int, str]:
        if self._table is None:
            self._table = {}
            try:
                lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="replace").splitlines()
            except OSError:
                lines = []
            for line in lines:
                fields = line.split(" ")
                major, _, minor = fields[2].partition(":")
                kind = fields[fields.index("-") + 1] if "-" in fields else ""
                self._table[os.makedev(int(major), int(minor))] = kind
        return self._table


def measure(folder: str, pending_limit: int = 10_000_000) -> tuple[int, int, int]:
    """Files, bytes and bytes on disk of what is not looked into; what cannot be listed counts nothing."""
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
            with os.scandir(pending.pop()) as found:
                for entry in found:
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
