"""Isolation by kernel namespaces: under `bwrap`, a command has no network and sees system programs and its files."""

from __future__ import annotations

import fcntl
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar

from bottega.errors import SandboxError
from bottega.sandbox.account import SYS_ADMIN, count_processes, find_spare_account
from bottega.sandbox.exchange import View
from bottega.sandbox.job import Job, JobRunner
from bottega.sandbox.launch import CommandEnvironment, launch
from bottega.sandbox.mounts import (
    HOME,
    SEEN_LAUNCHER,
    TEMPORARY,
    WORK,
    build_arguments,
    find_covered_paths,
    find_work_place,
    list_object_places,
)
from bottega.sandbox.protocol import CommandResult, Promises
from bottega.sandbox.seccomp import build_filter
from bottega.sandbox.watch import kill_group

TRIAL = """
import ctypes, os, sys
os.listdir("/sandbox/work")
sys.exit(ctypes.CDLL(None).unshare(0x10000000) == 0 and "a user namespace can be made inside")
"""


@dataclass(frozen=True, slots=True)
class Bubblewrap(JobRunner):
    """Everything that is not mounted is absent: homes, `/run`, `/var`, sockets, terminals, data of other users."""

    program: str
    name: ClassVar[str] = "bubblewrap"
    promises: ClassVar[Promises] = Promises(
        isolates_files=True,
        isolates_network=True,
        isolates_processes=True,
        bounds_disk=True,
        bounds_memory=True,
        bounds_processes=True,
        keeps_path=True,
    )

    def run_job(self, job: Job) -> CommandResult:
        account = find_spare_account(SYS_ADMIN)
        with _seal(job.stdin) as given, _open_filter() as seccomp:
            filtered = ("--seccomp", str(seccomp)) if seccomp >= 0 else ("--disable-userns",)
            own = (*_list_namespaces(account, network=job.network), *filtered, *build_arguments(self.program, job))
            environment = CommandEnvironment(
                wrapper=(self.program, *own, "--chdir", find_work_place(job), "--"),
                launcher=SEEN_LAUNCHER,
                home=WORK if job.workspace is None else HOME,
                temporary=TEMPORARY,
                account=account,
                other_processes=0 if account is not None else count_processes(own_namespace=True),
                stdin=given,
                view=View(owner=account, objects=list_object_places(job), mounted=find_covered_paths(job)),
                walled=True,
                inherited=(seccomp,),
            )
            # Killing bwrap ends the first process of the namespace, and with it all others.
            return launch(job, environment=environment, end=kill_group)

    def find_trouble(self) -> str | None:
        """Why bubblewrap cannot be used, `None` if it works: some kernels and most containers forbid namespaces."""
        try:
            ran = self.run([sys.executable, "-c", TRIAL], files={})
        except SandboxError as error:
            return str(error)
        return None if ran.ok else f"a trial of {self.program} failed ({ran}) {ran.stderr.strip()}"


@contextmanager
def _seal(data: bytes) -> Iterator[int]:
    """A descriptor of a sealed, read-only memory file with these bytes."""
    try:
        handle = os.memfd_create("bottega", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    except OSError as error:
        raise SandboxError(f"No memory for the sandbox's files: {error.strerror}") from error
    with os.fdopen(handle, "r+b") as file:
        file.write(data)
        file.flush()
        file.seek(0)
        fcntl.fcntl(handle, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
        yield handle


@contextmanager
def _open_filter() -> Iterator[int]:
    program = build_filter()
    if program is None:
        yield -1
        return
    with _seal(program) as handle:
        yield handle


def _list_namespaces(account: int | None, *, network: bool) -> Iterator[str]:
    """A user namespace, unless root uses another user id: inside one, an id that root maps can read root's files."""
    if account is None:
        yield "--unshare-all"
        yield from ("--share-net",) if network else ()
    else:
        yield from ("--unshare-ipc", "--unshare-pid", "--unshare-uts", "--unshare-cgroup-try")
        yield from () if network else ("--unshare-net",)
    yield from ("--die-with-parent", "--new-session", "--cap-drop", "ALL")
    if account is not None:  # the launcher loses both capabilities when it switches the user
        yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
