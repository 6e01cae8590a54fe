"""Run the git program by its absolute path, with a clean environment, limited in time and output."""

from __future__ import annotations

import os
import selectors
import stat
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from bottega.cancellation import current_cancellation
from bottega.errors import InputError
from bottega.source.programs import find_program

MOST_SECONDS = 600.0
_FIRST_LOOK_S = 1.0
_LARGEST_OUTPUT = 256_000_000
_AT_ONCE = 1 << 20
_MOST_ENTRIES = 200_000
_READ_BY_GIT = frozenset({".gitattributes", ".gitignore", ".gitmodules", ".mailmap", ".git", "HEAD", "config"})


@lru_cache(maxsize=8)
def _find_git(search_path: str, tree: Path | None) -> str | None:
    return find_program("git", search_path=search_path, outside=tree)


def git_environment(**more: str) -> dict[str, str]:
    """The caller's environment without its `GIT_*` variables, and with those that make git safe."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return environ | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": os.devnull,
        "GIT_PAGER": "cat",
        "GIT_EDITOR": "false",
        "GIT_ALLOC_LIMIT": "2g",
        "LC_ALL": "C",
        **more,
    }


def run_git(
    arguments: Sequence[str],
    *,
    environ: Mapping[str, str],
    stdin: bytes | None = None,
    reads: Sequence[Path] = (),
    tree: Path | None = None,
    seconds: float = MOST_SECONDS,
) -> bytes | None:
    """Return the output of git, or `None` when it fails or is not installed.

    `reads` are directories that git reads, `tree` the working tree, of which it reads some files: when git does not
    answer, they are searched for a FIFO or device on which it may block. No program below `tree` is run. Raise
    `InputError` when git exceeds the time or output limit.
    """
    program = _find_git(os.environ.get("PATH", os.defpath), tree)
    if program is None:
        return None
    try:
        process = subprocess.Popen(
            [program, *arguments],
            stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environ),
        )
    except OSError:
        return None
    try:
        if stdin is not None:
            threading.Thread(target=_feed, args=(process, stdin), daemon=True).start()
        printed = b"".join(_read_chunks(process, reads, tree, seconds))
        return printed if process.wait() == 0 else None
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def _feed(process: subprocess.Popen[bytes], stdin: bytes) -> None:
    assert process.stdin is not None
    try:
        process.stdin.write(stdin)
        process.stdin.close()
    except OSError:  # git has ended before it read everything; its exit code says how
        pass


def _read_chunks(
    process: subprocess.Popen[bytes], reads: Sequence[Path], tree: Path | None, seconds: float
) -> Iterator[bytes]:
    assert process.stdout is not None
    started = time.monotonic()
    look_after, total = _FIRST_LOOK_S, 0
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            current_cancellation().check()
            if not selector.select(timeout=0.2):
                waited = time.monotonic() - started
                if waited > seconds:
                    raise InputError(f"git did not answer within {seconds:g} s", hint="Is the disk reachable?")
                if waited > look_after:
                    _refuse_special_files(reads, tree)
                    look_after = waited * 3
                continue
            chunk = os.read(process.stdout.fileno(), _AT_ONCE)
            if not chunk:
                return
            total += len(chunk)
            if total > _LARGEST_OUTPUT:
                raise InputError(
                    f"git printed more than {_LARGEST_OUTPUT:,} bytes",
                    hint="Restrict the request to a part of the repository.",
                )
            yield chunk


def _refuse_special_files(reads: Sequence[Path], tree: Path | None) -> None:
    searches = [(folder, None) for folder in reads] + ([(tree, _READ_BY_GIT)] if tree else [])
    for folder, names in searches:
        special = _find_special_file(folder, names)
        if special is not None:
            raise InputError(f"git waits for {special}, which is not a regular file", hint="Remove it, then try again.")


def _find_special_file(folder: Path, names: frozenset[str] | None) -> Path | None:
    """The first FIFO, socket or device below a directory, of these names or of any; the search is bounded."""
    pending, seen = [folder], 0
    while pending and seen < _MOST_ENTRIES:
        try:
            entries = list(os.scandir(pending.pop()))
        except OSError:
            continue
        seen += len(entries)
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                pending.append(Path(entry.path))
            elif (names is None or entry.name in names) and _is_special(entry):
                return Path(entry.path)
    return None


def _is_special(entry: os.DirEntry[str]) -> bool:
    if entry.is_file(follow_symlinks=False):
        return False
    try:
        mode = entry.stat().st_mode
    except OSError:  # a broken link
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))
