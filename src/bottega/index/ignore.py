"""Which paths are left out: git's rules at every level, and the house's own above them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

_GIT_RULES = ".gitignore"
_OWN_RULES = (".aiignore", ".bottegaignore")  # the last one has the last word
RULE_FILES = frozenset({_GIT_RULES, *_OWN_RULES})
_LARGEST_RULES = 1_000_000


@dataclass(frozen=True, slots=True)
class _Rules:
    base: str
    spec: GitIgnoreSpec

    def verdict(self, path: str) -> bool | None:
        """True to leave out, False to take in, `None` where no rule speaks."""
        return self.spec.check_file(path[len(self.base) :]).include


@dataclass(frozen=True, slots=True)
class Ignored:
    """The rules in force in one directory: nearest first, the house's own apart."""

    git: tuple[_Rules, ...]
    own: tuple[_Rules, ...]

    def below(self, directory: str, names: frozenset[str], root: Path) -> Ignored:
        """The rules one level down, with the files of rules that lie there."""
        found = names & RULE_FILES
        if not found:
            return self
        git = (*_read(root, directory, _GIT_RULES, found), *self.git)
        own = self.own
        for name in _OWN_RULES:
            own = (*_read(root, directory, name, found), *own)
        return Ignored(git, own)

    def leaves_out(self, path: str) -> bool:
        """Whether a path, with a closing slash for a directory, is left out."""
        forced = self.own_verdict(path)
        return _first(self.git, path) is True if forced is None else forced

    def own_verdict(self, path: str) -> bool | None:
        return _first(self.own, path)

    @property
    def may_force(self) -> bool:
        """Whether some rule of the house takes in what git leaves out."""
        return any(pattern.include is False for rules in self.own for pattern in rules.spec.patterns)


def outermost(common: Path | None) -> Ignored:
    """What holds for the whole tree: the repository's `info/exclude` and the person's own excludes."""
    return Ignored(tuple(_Rules("", spec) for file in outer_rules(common) if (spec := _spec(file)) is not None), ())


def outer_rules(common: Path | None) -> list[Path]:
    """Files of rules outside the tree; without a repository nobody's rules but the tree's own hold."""
    return [] if common is None else [common / "info" / "exclude", _personal()]


def _personal() -> Path:
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "git" / "ignore"


def _read(root: Path, directory: str, name: str, found: frozenset[str]) -> tuple[_Rules, ...]:
    spec = _spec(root / directory / name) if name in found else None
    return () if spec is None else (_Rules(directory, spec),)


def _spec(file: Path) -> GitIgnoreSpec | None:
    try:
        if file.is_symlink() or not file.is_file() or file.stat().st_size > _LARGEST_RULES:
            return None
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    kept = []
    for line in lines:
        try:
            GitIgnoreSpec.from_lines([line])
        except (ValueError, re.error):  # one bad pattern, such as a lone "!", leaves the others in force
            continue
        kept.append(line)
    return GitIgnoreSpec.from_lines(kept)


def _first(rules: tuple[_Rules, ...], path: str) -> bool | None:
    for rule in rules:
        said = rule.verdict(path)
        if said is not None:
            return said
    return None
