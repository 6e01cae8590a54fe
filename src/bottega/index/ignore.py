"""Which paths are left out: git's rules at every level, and the house's own above them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from pathspec import GitIgnoreSpec

from bottega.source.files import read_regular_file
from bottega.source.git import Git

_GIT_RULES = ".gitignore"
_OWN_RULES = (".aiignore", ".bottegaignore")  # the last one has the last word
RULE_FILES = frozenset({_GIT_RULES, *_OWN_RULES})
_LARGEST_RULES = 1_000_000
# Every path is held against every pattern in force, so their number is bounded. Public repositories stay far below.
_MOST_PATTERNS = 3_000
_LONGEST_PATTERN, _MOST_DOUBLE_STARS = 1_000, 6
_MARK = b"\xef\xbb\xbf"
_STAR = "[^/]*"
_GROUP = re.compile(r"\(\?P<\w+>")
_BETWEEN_STARS = re.compile(r"\[\^/\]\*((?:\\.|[^\\\[\](){}*+?.^$|]|\[\^?\]?[^\]]*\](?![*+?]))+)(?=\[\^/\]\*)")


@dataclass(frozen=True, slots=True)
class _Rules:
    """`base` is the directory they lie in; for those above the root, `lead` is the way from there to the root."""

    base: str
    spec: GitIgnoreSpec
    lead: str
    quick: re.Pattern[str] | None
    cut: str = ""
    """The path of the file of rules, where it holds more patterns than are used."""

    def verdict(self, path: str) -> bool | None:
        """True to leave out, False to take in, `None` where no rule speaks."""
        path = _bytewise(self.lead + path[len(self.base) :])
        if self.quick is not None and self.quick.match(path) is None:
            return None
        return self.spec.check_file(path).include


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
    def cut(self) -> list[str]:
        """Files of rules that hold more patterns than are used."""
        return [rules.cut for rules in (*self.git, *self.own) if rules.cut]

    @property
    def may_force(self) -> bool:
        """Whether some rule of the house takes in what git leaves out."""
        return any(pattern.include is False for rules in self.own for pattern in rules.spec.patterns)


def outermost(git: Git | None) -> Ignored:
    """What holds for the whole tree: the person's own excludes, the repository's, and rules above the root.

    Rules of git that leave out the root itself do not hold: whoever names that directory wants to see into it.
    """
    if git is None:
        return Ignored((), ())
    kept: tuple[_Rules, ...] = ()
    own: tuple[_Rules, ...] = ()
    for file, lead, is_in_tree in _outside(git):
        read = _spec(file, through_links=not is_in_tree)
        if read is None:
            continue
        spec, _ = read
        if is_in_tree and file.name in _OWN_RULES:
            own = (_rules(spec, lead=lead), *own)
        elif not (lead and spec.check_file(_bytewise(lead)).include):
            kept = (_rules(spec, lead=lead), *kept)
    return Ignored(kept, own)


def outer_rules(git: Git | None) -> list[Path]:
    """Files of rules outside the tree; without a repository nobody's rules but the tree's own hold."""
    return [] if git is None else [file for file, _, _ in _outside(git)]


def _outside(git: Git) -> list[tuple[Path, str, bool]]:
    """Each with the way from where its rules begin to the root, and whether it lies in the tree.

    The last one has the last word.
    """
    found = [(git.excludes(), git.prefix, False), (git.common / "info" / "exclude", git.prefix, False)]
    names = (_GIT_RULES, *_OWN_RULES)
    return found + [(folder / name, lead, True) for folder, lead in git.above() for name in names]


def _read(root: Path, directory: str, name: str, found: frozenset[str]) -> tuple[_Rules, ...]:
    read = _spec(root / directory / name) if name in found else None
    if read is None:
        return ()
    spec, is_cut = read
    return (replace(_rules(spec, base=directory), cut=directory + name if is_cut else ""),)


def _spec(file: Path, *, through_links: bool = False) -> tuple[GitIgnoreSpec, bool] | None:
    """The rules of a file, and whether some of them are left aside because there are too many."""
    try:
        data = read_regular_file(file.resolve() if through_links else file, limit=_LARGEST_RULES)
    except (OSError, RuntimeError):  # a ring of links
        return None
    lines = data.removeprefix(_MARK).decode("latin-1").replace("\r\n", "\n").split("\n")
    kept: list[str] = []
    for line in lines:
        if len(kept) > _MOST_PATTERNS:
            break
        if line.strip() and not line.startswith("#") and _is_pattern(line):
            kept.append(line)
    spec = _without_backtracking(GitIgnoreSpec.from_lines(kept[:_MOST_PATTERNS]))
    return spec, len(kept) > _MOST_PATTERNS


def _is_pattern(line: str) -> bool:
    """One bad pattern, such as a lone "!", leaves the others in force; no path is as long as the longest."""
    if len(line) > _LONGEST_PATTERN or line.count("**") > _MOST_DOUBLE_STARS:
        return False
    try:
        GitIgnoreSpec.from_lines([line])
    except (ValueError, re.error):
        return False
    return True


def _without_backtracking(spec: GitIgnoreSpec) -> GitIgnoreSpec:
    """The same rules in time that grows with the length of a name: many stars would try every way to share it out.

    What stands between two stars may be taken where it is first found, since the star behind it takes any rest.
    """
    for pattern in spec.patterns:
        if pattern.regex is not None and pattern.regex.pattern.count(_STAR) > 1:
            pattern.regex = re.compile(_BETWEEN_STARS.sub(r"(?>[^/]*?\1)", pattern.regex.pattern))
    return GitIgnoreSpec(spec.patterns)


def _rules(spec: GitIgnoreSpec, *, base: str = "", lead: str = "") -> _Rules:
    return _Rules(base, spec, lead, _together(spec))


def _together(spec: GitIgnoreSpec) -> re.Pattern[str] | None:
    """All patterns as one, which says of most paths at once that no rule speaks of them."""
    found = [pattern.regex.pattern for pattern in spec.patterns if pattern.include is not None and pattern.regex]
    if not found or not all(one.startswith("^") for one in found):
        return None
    try:
        return re.compile("|".join(f"(?:{_GROUP.sub('(?:', one)})" for one in found))
    except (re.error, RecursionError, OverflowError):
        return None


def _bytewise(path: str) -> str:
    """One sign for each byte, because `?` means one byte to git."""
    return path if path.isascii() else path.encode("utf-8", "surrogateescape").decode("latin-1")


def _first(rules: tuple[_Rules, ...], path: str) -> bool | None:
    for rule in rules:
        said = rule.verdict(path)
        if said is not None:
            return said
    return None
