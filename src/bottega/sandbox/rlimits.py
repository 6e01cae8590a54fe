"""Limits without isolation: protects against runaway commands, not against malicious ones."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bottega.sandbox.account import PROC, count_processes, find_spare_account, list_owners
from bottega.sandbox.box import Box, open_box
from bottega.sandbox.exchange import View
from bottega.sandbox.job import Job, JobRunner
from bottega.sandbox.launch import LAUNCHER, CommandEnvironment, launch
from bottega.sandbox.protocol import CommandResult, Promises
from bottega.sandbox.usage import DiskMeter
from bottega.sandbox.watch import Process, kill_group

ROUNDS, PAUSE = 100, 0.01
"""How long to repeat killing processes that left the group: one second, since they may fork faster."""


@dataclass(frozen=True, slots=True)
class Rlimits(JobRunner):
    """A temporary directory, a clean environment and the limits; the network and the disk stay open.

    Everything is visible and nothing is mounted: a workspace is copied to the temporary directory, its shared
    directories become links, and links that lead out of the project are omitted.
    """

    name: ClassVar[str] = "unsafe-rlimits"
    promises: ClassVar[Promises] = Promises(
        isolates_files=False,
        isolates_network=False,
        isolates_processes=False,
        bounds_disk=False,
        bounds_memory=sys.platform == "linux",
        bounds_processes=False,
        keeps_path=False,
    )

    def run_job(self, job: Job) -> CommandResult:
        with open_box(job.stdin) as box, box.stdin.open("rb") as opened:
            environment = _prepare_environment(job, box, opened.fileno())

            def end(process: Process) -> None:
                kill_group(process)
                _kill_runaways(environment)

            return launch(job, environment=environment, end=end, overrun=DiskMeter(box.root, job.limits))


def _prepare_environment(job: Job, box: Box, stdin: int) -> CommandEnvironment:
    account = find_spare_account() if _is_open_to_all() else None
    if account is not None:
        box.give_to(account)
    layer = job.workspace.layer if job.workspace is not None else None
    links = {name: str(layer.project / name) for name in layer.shared} if layer is not None else None
    return CommandEnvironment(
        wrapper=(),
        launcher=str(LAUNCHER),
        home=str(box.work if layer is None else box.home),
        temporary=str(box.temporary),
        account=account,
        other_processes=0 if account is not None else count_processes(own_namespace=False),
        stdin=stdin,
        view=View(owner=account, objects=tuple(map(str, job.git.objects)) if job.git else (), links=links),
        folder=box.work,
    )


def _is_open_to_all() -> bool:
    """Whether another user can access this Python; root's may be in a home directory that is closed to others.

    If not, the command runs as root, whose processes the kernel does not limit: only the timeout stops a fork bomb.
    """
    paths = (str(LAUNCHER), sys.executable, f"{sys.prefix}/lib", f"{sys.base_prefix}/lib", f"{tempfile.gettempdir()}/_")
    folders = {folder for path in map(Path, paths) for folder in (*path.parents, *path.resolve().parents)}
    return all(folder.stat().st_mode & 0o001 for folder in folders)


def _kill_runaways(environment: CommandEnvironment) -> None:
    """Kill processes that left the group; without `/proc` they cannot be found."""
    for _ in range(ROUNDS):
        found = list(_find_runaways(environment))
        if not found:
            return
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(PAUSE)


def _find_runaways(environment: CommandEnvironment) -> Iterator[int]:
    """Processes of the command's account, or those whose HOME is the sandbox's."""
    mark = b"HOME=" + os.fsencode(environment.home)
    for pid, owner in list_owners():
        with suppress(OSError):  # it has ended, or belongs to another user
            page = PROC / str(pid) / ("environ" if environment.account is None else "cmdline")
            words = page.read_bytes().split(b"\0")  # both files are empty for zombies
            if mark in words or (owner == environment.account and any(words)):
                yield pid
