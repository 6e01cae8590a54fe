"""Secret values near a repository: in its `.env` files and in variables with names such as `API_KEY`."""

from __future__ import annotations

import os
import re
import stat
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

from bottega.source.git import open_git
from bottega.source.secrets import (
    EnvValues,
    entropy,
    env_assignments,
    is_env_file,
    is_placeholder,
    is_reference,
    is_words,
    names_another_thing,
)

_LARGEST_FILE = 1_000_000
_MOST_FOLDERS = 20_000
_MOST_FILES = 500
_MOST_VALUES = 5000
_LONGEST_VALUE = 10_000
_SHORTEST_WORD = 4
_SHORTEST_KEY = 12
_LEAST_ENTROPY = 3.0
_KEY_CHARACTERS = re.compile(r"[A-Za-z0-9+/=_~!@#%^&*-]+")
_SKIPPED = frozenset(
    """.git .hg .svn .bottega node_modules bower_components .venv venv .tox .nox .mypy_cache .ruff_cache .pytest_cache
    __pycache__ site-packages target .gradle .idea .cache .next .nuxt .terraform""".split()
)
# Common words that are set as passwords: masking them would mask ordinary text.
_COMMON = frozenset(
    """admin auto basic bearer changeme debug default development disabled dummy enabled example false guest info key
    local localhost main master mongo mysql name none null ollama optional password placeholder postgres private
    production public redis required root sample secret staging string test testing token true user value""".split()
)
_SECRET_NAME = re.compile(
    r"(?i)secret|token(?!iz)|passw|passphrase|(?:^|_)(?:pass|pwd|pat)(?:_|$)|credential"
    r"|(?:api|access|private)_?key|_key$|private|auth(?!or(?!iz))"
)
_PASSWORD_NAME = re.compile(r"(?i)passw|passphrase|(?:^|_)(?:pass|pwd|pin)(?:_|$)|secret")


def secret_variables(environ: Mapping[str, str]) -> Iterator[str]:
    for name, value in environ.items():
        if _SECRET_NAME.search(name) and _looks_secret(name, value):
            yield value


def read_env_values(root: Path) -> EnvValues:
    """Values that the `.env` files of a tree assign, at any depth, with a limit on folders, files and values."""
    anywhere: dict[str, None] = {}
    words: dict[str, None] = {}
    paths = list(find_env_files(root))
    private = _private_files(root, paths)
    for path in paths:
        for name, value in _assignments(path):
            if _looks_secret(name, value) and (path in private or _looks_random(value)):
                anywhere[value] = None
            elif path in private and _is_secret_word(name, value):
                words[value] = None
        if len(anywhere) + len(words) > _MOST_VALUES:
            break
    return EnvValues(tuple(anywhere), tuple(words))


def _private_files(root: Path, paths: list[Path]) -> set[Path]:
    """Those that git ignores: what a repository tracks is no secret, and must not decide what is masked.

    A change that adds a `.env` file with `A_PASSWORD=eval` would otherwise hide every `eval` from its reviewers.
    """
    git = open_git(root) if paths else None
    if git is None:
        return set(paths)
    names = [os.fsencode(path.relative_to(root)) for path in paths]
    printed = git.ask("check-ignore", "-z", "--stdin", given=b"\0".join(names) + b"\0")
    return {root / os.fsdecode(name) for name in (printed or b"").split(b"\0") if name}


def _looks_random(value: str) -> bool:
    """Whether a value looks like a key rather than like code."""
    return (
        len(value) >= _SHORTEST_KEY
        and _KEY_CHARACTERS.fullmatch(value) is not None
        and not is_words(value)
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and entropy(value) >= _LEAST_ENTROPY
    )


def find_env_files(root: Path) -> Iterator[Path]:
    """The `.env` files of a tree, nearest to the root first; folders of dependencies and caches are skipped."""
    folders = deque([str(root)])
    seen = found = 0
    while folders and seen < _MOST_FOLDERS and found < _MOST_FILES:
        seen += 1
        inner, names = _entries(folders.popleft())
        folders.extend(sorted(inner))
        for path in sorted(names):
            found += 1
            yield Path(path)


def _entries(folder: str) -> tuple[list[str], list[str]]:
    """The folders to search inside a folder, and its `.env` files."""
    inner: list[str] = []
    names: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if ".env" in entry.name and is_env_file(entry.name):
                    names.append(entry.path)
                if entry.is_dir(follow_symlinks=False) and entry.name not in _SKIPPED:
                    inner.append(entry.path)
    except OSError:
        pass  # what this user cannot read does not reach the journal either
    return inner, names


def _looks_secret(name: str, value: str) -> bool:
    is_path = value.startswith(("/", "~", "."))
    if is_reference(value) or value.isalpha() or value.replace(".", "").isdigit() or (is_path and is_words(value)):
        return False
    if _SECRET_NAME.search(name) and not names_another_thing(name):
        return True
    return not is_path and not is_words(value)


def _is_secret_word(name: str, value: str) -> bool:
    """Whether a word or number is a secret because of the variable's name, and rare enough to be masked."""
    if not _SECRET_NAME.search(name) or names_another_thing(name):
        return False
    if value.isdigit() and not _PASSWORD_NAME.search(name):
        return False
    is_path = value.startswith(("/", "~", ".")) or "://" in value
    is_common = value.lower() in _COMMON or is_reference(value) or is_placeholder(value)
    return len(value) >= _SHORTEST_WORD and not is_path and not is_common


def _assignments(path: Path) -> Iterator[tuple[str, str]]:
    text = _read_text(path)
    for assignment in env_assignments(text):
        value = text[assignment.start : assignment.end]
        if len(value) <= _LONGEST_VALUE:
            yield assignment.name, value


def _read_text(path: Path) -> str:
    """The text of a regular file; pipes and devices are not read, and opening one does not block."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return ""
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except (OSError, ValueError):
        return ""  # what this user cannot read does not reach the journal either
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size >= _LARGEST_FILE:
            return ""
        return file.read(_LARGEST_FILE).decode("utf-8-sig", "replace")
