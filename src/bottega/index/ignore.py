"""Which paths are ignored: by git's rules at every level, and by the rules for assistants, which override git's."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from bottega.source.files import read_regular_file
from bottega.source.git import Git
from bottega.source.gitignore import IgnorePatterns, parse_patterns

_GIT_FILE = ".gitignore"
_OWN_FILES = (".aiignore", ".bottegaignore")  # patterns of the last one override those of the others
RULE_FILES = frozenset({_GIT_FILE, *_OWN_FILES})
_MAX_FILE_SIZE = 1_000_000


@dataclass(frozen=True, slots=True)
class _Rules:
    """Patterns of one file. `base` is its directory below the root; `lead` is the root's path below its directory."""

    patterns: IgnorePatterns
    base: str = ""
    lead: str = ""
    truncated_file: str = ""
    """The path of the file, if it holds more patterns than are used."""

    def relative(self, path: str) -> str:
        return self.lead + path[len(self.base) :]


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """The rules in force in one directory, the nearest file first: git's, and those for assistants."""

    git: tuple[_Rules, ...]
    own: tuple[_Rules, ...]

    def enter(self, directory: str, names: frozenset[str], root: Path) -> IgnoreRules:
        """The rules in force in `directory`, whose entries are `names`."""
        present = names & RULE_FILES
        if not present:
            return self
        git = (*_read_rules(root, directory, _GIT_FILE, present), *self.git)
        own = self.own
        for name in _OWN_FILES:
            own = (*_read_rules(root, directory, name, present), *own)
        return IgnoreRules(git, own)

    def is_ignored(self, path: str) -> bool:
        """Whether a path is ignored. A directory ends in a slash; those above the path must have been asked about."""
        own_verdict = self.find_own_verdict(path)
        if own_verdict is not None:
            return own_verdict
        for rules in self.git:
            verdict = rules.patterns.match(rules.relative(path))
            if verdict is not None:
                return verdict
        return False

    def find_own_verdict(self, path: str) -> bool | None:
        """Whether the rules for assistants exclude a path (True) or include it (False); `None` if none matches."""
        for rules in self.own:
            verdict = rules.patterns.match_with_parents(rules.relative(path))
            if verdict is not None:
                return verdict
        return None

    @property
    def truncated_files(self) -> list[str]:
        """Files that hold more patterns than are used."""
        return [rules.truncated_file for rules in (*self.git, *self.own) if rules.truncated_file]

    @property
    def may_include(self) -> bool:
        """Whether a rule for assistants may include what git ignores."""
        return any(rules.patterns.has_inclusion for rules in self.own)


def load_outer_rules(git: Git | None) -> IgnoreRules:
    """The rules from outside the tree: the user's excludes file, `info/exclude`, and ignore files above the root.

    Git rules that exclude the root itself are dropped, because a user who names a directory wants its content.
    """
    if git is None:
        return IgnoreRules((), ())
    git_rules: tuple[_Rules, ...] = ()
    own_rules: tuple[_Rules, ...] = ()
    for file, lead, is_in_worktree in _find_outer_files(git):
        patterns = _read_patterns(file, follow_links=not is_in_worktree)
        if patterns is None:
            continue
        if is_in_worktree and file.name in _OWN_FILES:
            own_rules = (_Rules(patterns, lead=lead), *own_rules)
        elif not (lead and patterns.excludes_directory(lead)):
            git_rules = (_Rules(patterns, lead=lead), *git_rules)
    return IgnoreRules(git_rules, own_rules)


def list_outer_files(git: Git | None) -> list[Path]:
    """Ignore files outside the tree. There are none without a repository."""
    return [] if git is None else [outer.file for outer in _find_outer_files(git)]


class _OuterFile(NamedTuple):
    """An ignore file outside the tree; `lead` is the root's path below the directory its patterns are relative to."""

    file: Path
    lead: str
    is_in_worktree: bool


def _find_outer_files(git: Git) -> list[_OuterFile]:
    """From the lowest precedence to the highest."""
    configured = (git.excludes(), git.common / "info" / "exclude")
    above = [(folder / name, lead) for folder, lead in git.above() for name in (_GIT_FILE, *_OWN_FILES)]
    return [
        *(_OuterFile(file, git.prefix, is_in_worktree=False) for file in configured),
        *(_OuterFile(file, lead, is_in_worktree=True) for file, lead in above),
    ]


def _read_rules(root: Path, directory: str, name: str, present: frozenset[str]) -> tuple[_Rules, ...]:
    patterns = _read_patterns(root / directory / name) if name in present else None
    if patterns is None:
        return ()
    return (_Rules(patterns, directory, truncated_file=directory + name if patterns.is_truncated else ""),)


def _read_patterns(file: Path, *, follow_links: bool = False) -> IgnorePatterns | None:
    try:
        return parse_patterns(read_regular_file(file.resolve() if follow_links else file, limit=_MAX_FILE_SIZE))
    except (OSError, RuntimeError):  # `resolve` raises RuntimeError for a loop of symbolic links
        return None
