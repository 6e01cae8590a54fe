"""Listen to a process until it ends or its time is up, keeping no more of its output than allowed."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from bottega.sandbox.protocol import Limits, Ran

CHUNK = 65_536
TICK = 0.05
GRACE = 1.0
"""Seconds to read what is left in the pipes after the end; only a process that escaped the kill holds them longer."""

Process = subprocess.Popen[bytes]


@dataclass(slots=True)
class Heard:
    """The beginning of one stream."""

    most: int
    kept: bytearray = field(default_factory=bytearray)
    truncated: bool = False

    def take(self, chunk: bytes) -> None:
        room = self.most - len(self.kept)
        self.kept += chunk[:room]
        self.truncated = self.truncated or len(chunk) > room

    def __str__(self) -> str:
        return self.kept.decode("utf-8", "replace")


def watch(process: Process, *, limits: Limits, end: Callable[[Process], None]) -> Ran:
    """`end` kills the process and all it has started; it is called in every case, also when the process is over."""
    started = time.monotonic()
    deadline = started + limits.seconds
    out, err = Heard(limits.output_bytes), Heard(limits.output_bytes)
    with process, _listening(process, out, err) as streams:
        try:
            _hear(streams, until=deadline, unless=lambda: process.poll() is not None)
            timed_out = _outlives(process, deadline)
        finally:
            end(process)
        _hear(streams, until=time.monotonic() + GRACE, unless=lambda: False)
    return Ran(
        code=None if timed_out else _as_shell(process.returncode),
        stdout=str(out),
        stderr=str(err),
        timed_out=timed_out,
        truncated=out.truncated or err.truncated,
        seconds=time.monotonic() - started,
    )


def kill_group(process: Process) -> None:
    with suppress(ProcessLookupError, PermissionError):  # macOS says the latter of a group of zombies
        os.killpg(process.pid, signal.SIGKILL)


def _listening(process: Process, out: Heard, err: Heard) -> selectors.BaseSelector:
    assert process.stdout is not None
    assert process.stderr is not None
    streams = selectors.DefaultSelector()
    streams.register(process.stdout, selectors.EVENT_READ, out)
    streams.register(process.stderr, selectors.EVENT_READ, err)
    return streams


def _hear(streams: selectors.BaseSelector, *, until: float, unless: Callable[[], bool]) -> None:
    while streams.get_map() and not unless() and (left := until - time.monotonic()) > 0:
        for key, _ in streams.select(min(left, TICK)):
            chunk = os.read(key.fd, CHUNK)
            if chunk:
                key.data.take(chunk)
            else:
                streams.unregister(key.fileobj)


def _outlives(process: Process, deadline: float) -> bool:
    try:
        process.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return True
    return False


def _as_shell(code: int) -> int:
    return code if code >= 0 else 128 - code
