"""Read the output of a process, within limits, until it ends or its time is up."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from bottega.cancellation import current_cancellation
from bottega.sandbox.limits import Limits
from bottega.sandbox.protocol import CommandResult

CHUNK = 65_536
TICK = 0.05
GRACE = 1.0
"""Seconds to drain the pipes after the end; only a process that escaped the kill keeps them open longer."""

Process = subprocess.Popen[bytes]


@dataclass(slots=True)
class StreamHead:
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


def watch(
    process: Process, *, limits: Limits, end: Callable[[Process], None], overrun: Callable[[], str] = lambda: ""
) -> CommandResult:
    """Raise `Cancelled` when the current run is cancelled, once the process is killed.

    `end` kills the process and its descendants; it is always called, also when the process has ended.

    `overrun` is polled for limits that the kernel does not enforce; when it names one, the run ends.
    """
    started = time.monotonic()
    deadline = started + limits.seconds
    out, err = StreamHead(limits.output_bytes), StreamHead(limits.output_bytes)
    with process, _open_selector(process, out, err) as streams:
        stopped_for = ""
        try:
            while process.poll() is None and time.monotonic() < deadline and not stopped_for:
                _read_for_a_tick(process, streams, deadline)
                current_cancellation().check()
                stopped_for = overrun()
            timed_out = process.poll() is None and not stopped_for
        finally:
            end(process)
        _read_the_rest(streams, until=time.monotonic() + GRACE)
    return CommandResult(
        code=None if timed_out or stopped_for else _to_shell_code(process.returncode),
        stdout=str(out),
        stderr=str(err),
        timed_out=timed_out,
        truncated=out.truncated or err.truncated,
        seconds=time.monotonic() - started,
        overrun=stopped_for,
    )


def kill_group(process: Process) -> None:
    with suppress(ProcessLookupError, PermissionError):  # macOS raises the latter for a group of zombies
        os.killpg(process.pid, signal.SIGKILL)


def _open_selector(process: Process, out: StreamHead, err: StreamHead) -> selectors.BaseSelector:
    assert process.stdout is not None
    assert process.stderr is not None
    streams = selectors.DefaultSelector()
    streams.register(process.stdout, selectors.EVENT_READ, out)
    streams.register(process.stderr, selectors.EVENT_READ, err)
    return streams


def _read_for_a_tick(process: Process, streams: selectors.BaseSelector, deadline: float) -> None:
    wait = max(0.0, min(TICK, deadline - time.monotonic()))
    if streams.get_map():
        _read_once(streams, wait)
        return
    with suppress(subprocess.TimeoutExpired):  # both streams are closed: wait for the end only
        process.wait(wait)


def _read_the_rest(streams: selectors.BaseSelector, *, until: float) -> None:
    while streams.get_map() and (left := until - time.monotonic()) > 0:
        _read_once(streams, min(left, TICK))


def _read_once(streams: selectors.BaseSelector, wait: float) -> None:
    for key, _ in streams.select(wait):
        chunk = os.read(key.fd, CHUNK)
        if chunk:
            key.data.take(chunk)
        else:
            streams.unregister(key.fileobj)


def _to_shell_code(code: int) -> int:
    return code if code >= 0 else 128 - code
