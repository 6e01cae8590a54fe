"""Limits without walls: stops a command that runs wild, not one that means harm."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bottega.sandbox.account import PROC, crowd, owners, spare_account
from bottega.sandbox.box import Box, open_box
from bottega.sandbox.launch import LAUNCHER, Place, launch
from bottega.sandbox.protocol import DEFAULT_LIMITS, Limits, Ran
from bottega.sandbox.usage import directory_overrun
from bottega.sandbox.watch import Process, kill_group

ROUNDS, PAUSE = 100, 0.01
"""How long to go on killing what left the group: one second, in case it forks faster than it dies."""


@dataclass(frozen=True, slots=True)
class Rlimits:
    """A temporary directory, a clean environment and the limits; the network and the disk stay open."""

    name: ClassVar[str] = "unsafe-rlimits"

    def run(
        self,
        command: Sequence[str],
        *,
        files: Mapping[str, str],
        stdin: str = "",
        limits: Limits = DEFAULT_LIMITS,
        shown: Sequence[str] = (),
    ) -> Ran:
        del shown  # everything is
        with open_box(files, stdin) as box, box.stdin.open("rb") as opened:
            place = _place(box, opened.fileno())

            def end(process: Process) -> None:
                kill_group(process)
                _kill_runaways(place)

            return launch(
                command, place=place, limits=limits, end=end, overrun=lambda: directory_overrun(box.root, limits)
            )


def _place(box: Box, stdin: int) -> Place:
    account = spare_account() if _is_open_to_all() else None
    if account is not None:
        box.give_to(account)
    return Place(
        wrapper=(),
        launcher=str(LAUNCHER),
        home=str(box.work),
        temporary=str(box.temporary),
        account=account,
        crowd=0 if account is not None else crowd(own_namespace=False),
        stdin=stdin,
        folder=box.work,
    )


def _is_open_to_all() -> bool:
    """Whether another user could get at this Python at all; root's own may lie in a home that is closed to others.

    Where it does, the command stays root, whose processes the kernel does not count: a fork bomb then meets the
    clock only.
    """
    paths = (str(LAUNCHER), sys.executable, f"{sys.prefix}/lib", f"{sys.base_prefix}/lib", f"{tempfile.gettempdir()}/_")
    folders = {folder for path in map(Path, paths) for folder in (*path.parents, *path.resolve().parents)}
    return all(folder.stat().st_mode & 0o001 for folder in folders)


def _kill_runaways(place: Place) -> None:
    """Processes that left the group; without `/proc` they cannot be found."""
    for _ in range(ROUNDS):
        found = list(_runaways(place))
        if not found:
            return
        for pid in found:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(PAUSE)


def _runaways(place: Place) -> Iterator[int]:
    """Those of the account lent to the command, or else those that wear its home in their environment."""
    mark = b"HOME=" + os.fsencode(place.home)
    for pid, owner in owners():
        with suppress(OSError):  # it ended, or it is somebody else's
            page = PROC / str(pid) / ("environ" if place.account is None else "cmdline")
            words = page.read_bytes().split(b"\0")  # both are empty for the dead
            if mark in words or (owner == place.account and any(words)):
                yield pid
