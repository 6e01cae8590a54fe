"""Start a command under its limits, and tell a command that failed from one that never began."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bottega.errors import InputError, SandboxError
from bottega.sandbox import _launch
from bottega.sandbox.protocol import Limits, Ran
from bottega.sandbox.usage import MEGABYTE, MemoryMeter, file_system_overrun
from bottega.sandbox.watch import Process, watch

LAUNCHER = Path(_launch.__file__)
_MESSAGE = 4096


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
    stdin: int
    files: int = -1
    """Descriptor of the files that the launcher lays out, -1 when they are there already."""
    inherited: tuple[int, ...] = ()
    """Descriptors for the wrapper."""
    folder: Path | None = None
    """Directory to start the wrapper in."""

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
            files=self.files,
            cpu_seconds=limits.cpu_seconds,
            memory=limits.memory_mb * MEGABYTE,
            file=limits.file_mb * MEGABYTE,
            processes=limits.processes + self.crowd,
            account=self.account or 0,
        )


class Report:
    """What the launcher says before it becomes the command, which cannot add to it: the socket closes on exec."""

    def __init__(self, heard: socket.socket) -> None:
        self._heard = heard
        self._heard.setblocking(False)
        self.text = b""
        self.folder: int | None = None

    def take(self) -> None:
        """Read what has arrived so far."""
        with suppress(BlockingIOError, ConnectionResetError):
            while True:
                data, descriptors, _, _ = socket.recv_fds(self._heard, _MESSAGE, 1)
                for descriptor in descriptors:
                    self._keep(descriptor)
                if not data:
                    return
                self.text += data

    def overrun(self, limits: Limits) -> str:
        """How full the command's own file system is, once it has one."""
        if self.folder is None:
            self.take()
        return "" if self.folder is None else file_system_overrun(self.folder, limits)

    def close(self) -> None:
        self._heard.close()
        if self.folder is not None:
            os.close(self.folder)

    def _keep(self, descriptor: int) -> None:
        if self.folder is None:
            self.folder = descriptor
        else:
            os.close(descriptor)


def launch(
    command: Sequence[str],
    *,
    place: Place,
    limits: Limits,
    end: Callable[[Process], None],
    overrun: Callable[[], str] = lambda: "",
) -> Ran:
    """Run the command to its end; `overrun` names a limit that only the caller can measure."""
    _refuse_unsayable(command)
    heard, told = socket.socketpair()
    report = Report(heard)
    try:
        with told:
            terms = place.terms(limits, told.fileno())
            launcher = [sys.executable, "-I", "-S", place.launcher, terms.word()]
            process = _start([*place.wrapper, *launcher, *command], place, told.fileno())
        memory = MemoryMeter(process.pid, limits)
        ran = watch(process, limits=limits, end=end, overrun=lambda: report.overrun(limits) or memory() or overrun())
        report.take()
        _insist_that_it_began(command[0], report.text.decode("utf-8", "replace"), ran)
    finally:
        report.close()
    return ran


def _refuse_unsayable(command: Sequence[str]) -> None:
    if not command or not command[0]:
        raise InputError("No command to run in the sandbox")
    if any("\0" in word for word in command):
        raise InputError(f"A word of the command {command[0]!r} holds a NUL character")


def _start(words: Sequence[str], place: Place, report: int) -> Process:
    try:
        return subprocess.Popen(
            words,
            cwd=place.folder,
            env=place.environment(),
            stdin=place.stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[report, *(fd for fd in (place.files, *place.inherited) if fd >= 0)],
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
