"""Asking git, without letting a repository's own configuration run anything."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

# Whatever a repository's config may name as a program to run is switched off or answered here.
_HARMLESS = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "core.pager=cat"),
    *("-c", "core.quotePath=false"),
    *("-c", "log.showSignature=false"),
    *("-c", "gpg.program=false"),
    *("-c", "diff.external="),
    *("-c", "protocol.allow=never"),
)
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
_REDIRECTING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX")
_PATIENCE_S = 600


@dataclass(frozen=True, slots=True)
class Git:
    """A working tree with its repository. `prefix` is where the root lies below the top of the tree."""

    root: Path
    common: Path
    own: Path
    prefix: str
    is_shallow: bool

    def ask(self, *arguments: str, given: bytes | None = None) -> bytes | None:
        """What the command prints, or `None` when it fails."""
        return _git(self.root, *arguments, given=given)

    def head(self) -> str:
        """The commit that is checked out; "" before the first one."""
        printed = self.ask("rev-parse", "--verify", "--quiet", "HEAD")
        return printed.decode().strip() if printed else ""

    def excludes(self) -> Path:
        """The person's own rules of what to leave out; they may not exist."""
        named = self.ask("config", "--type=path", "--get", "core.excludesFile")
        if named and named.strip():
            return self.root / named.decode("utf-8", "surrogateescape").strip("\n")
        base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
        return Path(base) / "git" / "ignore"

    def above(self) -> list[tuple[Path, str]]:
        """Every directory of the tree above the root, outermost first, with the way from there to the root."""
        parts = self.prefix.split("/")[:-1]
        return [
            (self.root.joinpath(*[".."] * left), "/".join([*parts[-left:], ""])) for left in range(len(parts), 0, -1)
        ]

    def branch(self) -> str:
        printed = self.ask("symbolic-ref", "--quiet", "--short", "HEAD")
        return printed.decode("utf-8", "replace").strip() if printed else ""


def open_git(root: Path) -> Git | None:
    """The repository around a directory, or `None` where there is none, or no git to ask."""
    printed = _git(
        root,
        *("rev-parse", "--is-inside-work-tree", "--git-common-dir", "--absolute-git-dir", "--is-shallow-repository"),
        "--show-prefix",
    )
    if printed is None:
        return None
    words = printed.decode("utf-8", "surrogateescape").split("\n")
    if words[0] != "true":
        return None
    common = Path(words[1]) if Path(words[1]).is_absolute() else (root / words[1]).resolve()
    return Git(root, common, Path(words[2]), words[4], words[3] == "true")


def is_bare(root: Path) -> bool:
    """A repository without files of its own."""
    return (root / "HEAD").is_file() and (root / "objects").is_dir() and (root / "refs").is_dir()


def _git(root: Path, *arguments: str, given: bytes | None = None) -> bytes | None:
    environ = {name: value for name, value in os.environ.items() if name not in _REDIRECTING}
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *_HARMLESS, *arguments],
            input=given,
            stdin=subprocess.DEVNULL if given is None else None,
            capture_output=True,
            env=environ | _QUIET,
            timeout=_PATIENCE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None
