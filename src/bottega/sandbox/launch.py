"""Run a command under its limits, and distinguish a failed command from one that did not start."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bottega.errors import SandboxError
from bottega.sandbox import _launch
from bottega.sandbox.exchange import View, fill_work, take_back
from bottega.sandbox.job import Job
from bottega.sandbox.limits import Limits
from bottega.sandbox.protocol import CommandResult
from bottega.sandbox.report import Report
from bottega.sandbox.usage import MEGABYTE, MemoryMeter
from bottega.sandbox.watch import Process, watch

LAUNCHER = Path(_launch.__file__)


@dataclass(frozen=True, slots=True)
class CommandEnvironment:
    """Directory and environment as the command sees them."""

    wrapper: tuple[str, ...]
    launcher: str
    home: str
    temporary: str
    account: int | None
    other_processes: int
    """Processes of the same user that do not belong to the command."""
    stdin: int
    view: View = field(default_factory=View)
    walled: bool = False
    """Whether the command has its own file systems and process namespace."""
    inherited: tuple[int, ...] = ()
    """Descriptors for the wrapper."""
    folder: Path | None = None
    """Directory to start the wrapper in."""

    def build_variables(self) -> dict[str, str]:
        """The base environment of every command; nothing is inherited, so no API keys leak."""
        return {
            "PATH": f"{Path(sys.executable).parent}:/usr/local/bin:/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": self.home,
            "TMPDIR": self.temporary,
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def build_terms(self, limits: Limits, report: int) -> _launch.Terms:
        return _launch.Terms(
            report=report,
            walled=int(self.walled),
            cpu_seconds=limits.cpu_seconds,
            memory=limits.memory_mb * MEGABYTE,
            file=limits.file_mb * MEGABYTE,
            processes=limits.processes + self.other_processes,
            account=self.account or 0,
        )


def launch(
    job: Job,
    *,
    environment: CommandEnvironment,
    end: Callable[[Process], None],
    overrun: Callable[[], str] = lambda: "",
) -> CommandResult:
    """Run the command to its end; `overrun` names an exceeded limit that only the caller can measure."""
    heard, told = socket.socketpair()
    report = Report(heard)

    def end_all(process: Process) -> None:
        end(process)
        report.await_end()

    try:
        with told:
            terms = environment.build_terms(job.limits, told.fileno())
            launcher = [sys.executable, "-I", "-S", environment.launcher, terms.to_word()]
            process = _start([*environment.wrapper, *launcher, *job.command], environment, told.fileno())
        _release_launcher(job, environment, process, report, end_all)
        memory = MemoryMeter(process.pid, job.limits)
        measures = (lambda: report.overrun(job.limits), memory, overrun)
        result = watch(process, limits=job.limits, end=end_all, overrun=lambda: _find_overrun(measures))
        report.take()
        _require_started(job.command[0], report, result)
        return result if report.work is None else take_back(job, report.work, environment.view, result)
    finally:
        report.close()


def _release_launcher(
    job: Job, environment: CommandEnvironment, process: Process, report: Report, end: Callable[[Process], None]
) -> None:
    """Fill the work directory while the launcher waits, then send it the environment of the command."""
    try:
        if report.await_ready(process, seconds=job.limits.seconds):
            assert report.work is not None
            fill_work(job, report.work, environment.view)
            report.send_go({**environment.build_variables(), **job.environment})
    except BaseException:
        with process:
            end(process)
        raise


def _find_overrun(measures: Sequence[Callable[[], str]]) -> str:
    return next((reason for measure in measures if (reason := measure())), "")


def _start(words: Sequence[str], environment: CommandEnvironment, report: int) -> Process:
    try:
        return subprocess.Popen(
            words,
            cwd=environment.folder,
            env=environment.build_variables(),
            stdin=environment.stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=[report, *(fd for fd in environment.inherited if fd >= 0)],
            start_new_session=True,
        )
    except (OSError, UnicodeEncodeError) as error:
        raise SandboxError(f"Cannot start {words[0]}: {error}") from error


def _require_started(program: str, report: Report, result: CommandResult) -> None:
    if report.reason:
        hint = "It must be installed where the sandbox can see it: the system's directories, or this Python's own."
        raise SandboxError(f"Cannot run {program!r} in the sandbox: {report.reason}", hint=hint)
    if report.reason is None and not result.timed_out:
        raise SandboxError(f"The sandbox did not start: {result.stderr.strip() or result}")
