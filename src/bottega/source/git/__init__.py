"""Run git. Only this package does, and no program that a repository's configuration names is run."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from bottega.errors import InputError
from bottega.source.files import read_regular_file
from bottega.source.git.isolate import copy_head, isolate, select_harmless
from bottega.source.git.locate import GitDirectory, locate_git
from bottega.source.git.process import MOST_SECONDS, git_environment, run_git

__all__ = ["Git", "is_bare", "open_git"]

_LARGEST_CONFIG = 1_000_000
_EMPTY_SHA1 = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
_EMPTY_SHA256 = "6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321"


@dataclass(frozen=True, slots=True)
class Git:
    """A working tree with its repository. `prefix` is the path of the root below the top of the tree."""

    root: Path
    common: Path
    own: Path
    top: Path
    prefix: str
    is_shallow: bool
    is_sha256: bool
    settings: dict[str, str] = field(repr=False)
    _environ: dict[str, str] = field(repr=False)

    def ask(self, *arguments: str, given: bytes | None = None, seconds: float = MOST_SECONDS) -> bytes | None:
        """Return the output of a git command, or `None` when it fails; `given` is its standard input.

        Raise `InputError` when it takes longer than `seconds`.
        """
        copy_head(Path(self._environ["GIT_DIR"]), self.own)
        reads = (self.own, self.common)
        command = ["-C", str(self.root), *arguments]
        return run_git(command, environ=self._environ, stdin=given, reads=reads, tree=self.top, seconds=seconds)

    def head(self) -> str:
        """The commit that is checked out; "" before the first one."""
        printed = self.ask("rev-parse", "--verify", "--quiet", "HEAD")
        return printed.decode().strip() if printed else ""

    @property
    def empty_tree(self) -> str:
        """The id of the empty tree in the repository's hash algorithm."""
        return _EMPTY_SHA256 if self.is_sha256 else _EMPTY_SHA1

    def excludes(self) -> Path:
        """The user's own ignore file; it may not exist."""
        return self.root / self.settings["core.excludesfile"]

    def above(self) -> list[tuple[Path, str]]:
        """Every directory of the tree above the root, outermost first, with the path from there to the root."""
        parts = self.prefix.split("/")[:-1]
        return [
            (self.root.joinpath(*[".."] * left), "/".join([*parts[-left:], ""])) for left in range(len(parts), 0, -1)
        ]

    def branch(self) -> str:
        printed = self.ask("symbolic-ref", "--quiet", "--short", "HEAD")
        return printed.decode("utf-8", "replace").strip() if printed else ""


def open_git(root: Path) -> Git | None:
    """The repository around a directory, or `None` where there is none or git is not installed.

    Raise `InputError` when a file that git reads is a FIFO or a device, or too large.
    """
    directory = locate_git(root)
    if directory is None:
        return None
    configured = _read_repository_config(directory)
    if configured is None:
        return None
    settings = {
        "core.excludesfile": _get_default_excludes(),
        **_read_user_config(_get_home_key(), directory.top),
        **select_harmless(configured),
    }
    settings["core.excludesfile"] = _regular_or_none(root / Path(settings["core.excludesfile"]).expanduser())
    isolated = isolate(directory, configured)
    prefix = root.resolve().relative_to(directory.top).as_posix()
    return Git(
        root=root,
        common=directory.common.resolve(),
        own=directory.own.resolve(),
        top=directory.top,
        prefix="" if prefix == "." else f"{prefix}/",
        is_shallow=(directory.common / "shallow").exists(),
        is_sha256=configured.get("extensions.objectformat", "").lower() == "sha256",
        settings=settings,
        _environ=_build_environment(isolated, directory.top, settings),
    )


def is_bare(root: Path) -> bool:
    """Whether a directory is a bare repository."""
    return (root / "HEAD").is_file() and (root / "objects").is_dir() and (root / "refs").is_dir()


def _build_environment(isolated: Path, top: Path, settings: dict[str, str]) -> dict[str, str]:
    """Settings are passed in environment variables, where no value needs quoting."""
    environ = git_environment(
        GIT_DIR=str(isolated), GIT_WORK_TREE=str(top), HOME=str(isolated), XDG_CONFIG_HOME=str(isolated)
    )
    pairs = [(key, value) for key, value in settings.items() if not key.startswith("user.")]
    environ["GIT_CONFIG_COUNT"] = str(len(pairs))
    for number, (key, value) in enumerate(pairs):
        environ[f"GIT_CONFIG_KEY_{number}"] = key
        environ[f"GIT_CONFIG_VALUE_{number}"] = value
    return environ


def _read_repository_config(directory: GitDirectory) -> dict[str, str] | None:
    """The repository's configuration, parsed by git without applying it and without its includes."""
    place = directory.common / "config"
    try:
        text = read_regular_file(place.resolve(), limit=_LARGEST_CONFIG)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise InputError(f"{place} {error.strerror or error}", hint="Git needs it to be a regular file.") from None
    command = ["config", "--file", "-", "--no-includes", "-z", "--list"]
    printed = run_git(command, environ=_build_environment_without_repository(), stdin=text, tree=directory.top)
    return None if printed is None else _parse_config(printed)


@lru_cache(maxsize=16)
def _read_user_config(home: tuple[str, str], tree: Path) -> dict[str, str]:
    """The harmless keys of the user's own git configuration."""
    del home  # only a cache key: another home has other files
    printed = run_git(["config", "-z", "--list"], environ=_build_environment_without_repository(), tree=tree)
    return select_harmless(_parse_config(printed or b""))


def _get_home_key() -> tuple[str, str]:
    return os.environ.get("HOME", ""), os.environ.get("XDG_CONFIG_HOME", "")


def _build_environment_without_repository() -> dict[str, str]:
    environ = git_environment(GIT_DIR=os.devnull + "/none")
    return {name: value for name, value in environ.items() if name != "GIT_CONFIG_NOSYSTEM"}


def _parse_config(printed: bytes) -> dict[str, str]:
    """Parse `key LF value NUL` entries; the last value of a key counts, sections and variables are in lower case."""
    rows = (row.partition("\n") for row in os.fsdecode(printed).split("\0") if row)
    return {key: value for key, _, value in rows}


def _regular_or_none(path: Path) -> str:
    """Replace a FIFO or device, on which git would block, by the null device."""
    return str(path) if not path.exists() or path.is_file() else os.devnull


def _get_default_excludes() -> str:
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return str(Path(base) / "git" / "ignore")
