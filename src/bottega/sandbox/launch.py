"""Start a command under its limits, and tell a command that failed from one that never began."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bottega.errors import InputError, SandboxError
from bottega.sandbox import _launch
from bottega.sandbox.box import Box
from bottega.sandbox.protocol import Limits, Ran
from bottega.sandbox.watch import Process, watch

LAUNCHER = Path(_launch.__file__)
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """Where the command wakes up, as it sees it itself."""

    wrapper: tuple[str, ...]
    launcher: str
    home: str
    temporary: str
    account: int | None
    crowd: int
    """Processes that count against the command's user and are not the command's."""

    def environment(self) -> dict[str, str]:
        """All of it: nothing is inherited, keys least of all."""
        return {
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": self.home,
            "TMPDIR": self.temporary,
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def terms(self, limits: Limits, report: int) -> _launch.Terms:
        return _launch.Terms(
            report=report,
            cpu_seconds=limits.cpu_seconds,
            memory=limits.memory_mb * MEGABYTE,
            file=limits.file_mb * MEGABYTE,
            processes=limits.processes + self.crowd,
            account=self.account or 0,
        )


def launch(command: Sequence[str], *, box: Box, place: Place, limits: Limits, end: Callable[[Process], None]) -> Ran:
    _refuse_unsayable(command)
    if place.account is not None:
        box.give_to(place.account)
    heard, report = os.pipe()
    with os.fdopen(heard, "rb") as reports:
        try:
            terms = place.terms(limits, report)
            launcher = [sys.executable, "-I", "-S", place.launcher, terms.word()]
            process = _start([*place.wrapper, *launcher, *command], box, place.environment(), report)
        finally:
            os.close(report)
        ran = watch(process, limits=limits, end=end)
        _insist_that_it_began(command[0], reports.read().decode("utf-8", "replace"), ran)
    return ran


def _refuse_unsayable(command: Sequence[str]) -> None:
    if not command or not command[0]:
        raise InputError("No command to run in the sandbox")
    if any("\0" in word for word in command):
        raise InputError(f"A word of the command {command[0]!r} holds a NUL character")


def _start(words: Sequence[str], box: Box, environment: Mapping[str, str], report: int) -> Process:
    try:
        with box.stdin.open("rb") as stdin:
            return subprocess.Popen(
                words,
                cwd=box.work,
                env=environment,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[report],
                start_new_session=True,
            )
    except (OSError, UnicodeEncodeError) as error:
        raise SandboxError(f"Cannot start {words[0]}: {error}") from error


def _insist_that_it_began(program: str, report: str, ran: Ran) -> None:
    _, began, reason = report.partition(_launch.READY.decode())
    if reason:
        hint = "It must be installed where the sandbox can see it: the system's directories, or this Python's own."
        raise SandboxError(f"Cannot run {program!r} in the sandbox: {reason}", hint=hint)
    if not began and not ran.timed_out:
        raise SandboxError(f"The sandbox did not start: {ran.stderr.strip() or ran}")
