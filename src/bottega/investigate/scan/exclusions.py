"""Which files and directories a scan leaves out: by the person's options, by ignore files, by who created them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from bottega.index import RULE_FILES, IgnoreRules, load_outer_rules
from bottega.source.git import open_git

NEVER = ".bottega"
# Directories that tools create for themselves: measured, not read.
_TOOL_DIRECTORIES = frozenset(
    """.git .hg .svn .jj __pycache__ node_modules .tox .nox .mypy_cache .pytest_cache .ruff_cache .venv venv .env dist
    build .eggs .cache .gradle .idea .vs bower_components .terraform .next .nuxt""".split()
)
_TOOL_PATTERNS = ("*.egg-info",)
ENVIRONMENT_MARK = "pyvenv.cfg"


@dataclass(frozen=True, slots=True)
class Options:
    """What a scan reads.

    `everything` includes what tools create and what git ignores; `hidden` includes names with a leading dot. `own` are
    files below the target that this program wrote, which are never scanned.
    """

    exclude: tuple[str, ...] = ()
    everything: bool = False
    hidden: bool = True
    own: tuple[str, ...] = ()


class Exclusions:
    """Answers for single paths whether a walk with these options would scan them."""

    def __init__(self, target: Path, options: Options) -> None:
        self._target = target
        self._options = options
        self._rules: dict[str, IgnoreRules] = {}

    def is_excluded(self, path: str) -> bool:
        """Whether a path below the target, or a directory above it, is left out; links are not followed."""
        if path in self._options.own:
            return True
        folder = ""
        names = path.split("/") if path else []
        for at, name in enumerate(names):
            whole = os.path.join(self._target, folder, name)
            is_directory = at < len(names) - 1 or (os.path.isdir(whole) and not os.path.islink(whole))
            rules = self._in_force(folder)
            if name == NEVER or find_exclusion_reason(name, folder, rules, self._options, is_directory=is_directory):
                return True
            if is_directory and not self._options.everything and os.path.lexists(os.path.join(whole, ENVIRONMENT_MARK)):
                return True
            folder = f"{folder}{name}/"
        return False

    def _in_force(self, folder: str) -> IgnoreRules:
        if folder not in self._rules:
            if folder:
                above = folder.rstrip("/").rpartition("/")[0]
                rules = self._in_force(f"{above}/" if above else "")
            else:
                rules = load_outer_rules(open_git(self._target))
            present = {name for name in RULE_FILES if os.path.lexists(os.path.join(self._target, folder, name))}
            self._rules[folder] = rules.enter(folder, frozenset(present), self._target) if present else rules
        return self._rules[folder]


def includes_all_files(rules: IgnoreRules, options: Options) -> bool:
    """Whether no file can be left out, which saves the check of each; most directories have no rules."""
    return not (options.exclude or rules.own or not options.hidden or (rules.git and not options.everything))


def find_exclusion_reason(name: str, folder: str, rules: IgnoreRules, options: Options, *, is_directory: bool) -> str:
    """Why an entry is not scanned, "" when it is; .aiignore and .bottegaignore hold whatever the options say."""
    if any(fnmatchcase(name, pattern) for pattern in options.exclude):
        return "excluded"
    if name[0] == "." and not options.hidden:
        return "hidden"
    path = f"{folder}{name}/" if is_directory else f"{folder}{name}"
    if rules.own and rules.find_own_verdict(path):
        return "left out by the rules for assistants"
    if options.everything:
        return ""
    if is_directory and (name in _TOOL_DIRECTORIES or any(fnmatchcase(name, pattern) for pattern in _TOOL_PATTERNS)):
        return "made by tools"
    return "left out by git" if (rules.git or rules.own) and rules.is_ignored(path) else ""
