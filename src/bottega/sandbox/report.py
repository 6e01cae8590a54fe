"""The caller's end of the socket to the launcher."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress

from bottega.cancellation import current_cancellation
from bottega.sandbox import _launch
from bottega.sandbox.limits import Limits
from bottega.sandbox.usage import check_file_systems

_MESSAGE = 4096
_TICK = 0.05
_GRACE = 2.0
"""Seconds to wait for the kernel to end a namespace whose first process was killed."""


class Report:
    """Messages of the launcher before it executes the command, which has no access: the socket closes on exec."""

    def __init__(self, heard: socket.socket) -> None:
        self._heard = heard
        self._heard.setblocking(False)
        self._text = b""
        self._closed = False
        self._descriptors: list[int] = []

    @property
    def work(self) -> int | None:
        """Descriptor of the work directory, once the launcher has sent it."""
        return self._descriptors[0] if self._descriptors else None

    @property
    def reason(self) -> str | None:
        """Why the command could not be started, "" if it was; `None` until the launcher has connected."""
        _, ready, reason = self._text.partition(_launch.READY)
        return reason.decode("utf-8", "replace") if ready else None

    def await_ready(self, process: subprocess.Popen[bytes], *, seconds: float) -> bool:
        """Wait for the launcher; return False if it ends or the time is up before."""
        give_up = time.monotonic() + seconds
        while self.work is None and not self._closed and process.poll() is None and time.monotonic() < give_up:
            current_cancellation().check()
            select.select([self._heard], [], [], _TICK)
            self.take()
        return self.work is not None

    def send_go(self, environment: Mapping[str, str]) -> None:
        self._heard.setblocking(True)
        with suppress(BrokenPipeError, ConnectionResetError):  # it was killed; the watch reports how it ended
            self._heard.sendall(_launch.GO + json.dumps(dict(environment)).encode())
            self._heard.shutdown(socket.SHUT_WR)
        self._heard.setblocking(False)

    def take(self) -> None:
        """Read what has arrived so far."""
        with suppress(BlockingIOError, ConnectionResetError):
            while not self._closed:
                data, descriptors, _, _ = socket.recv_fds(self._heard, _MESSAGE, 3)
                self._descriptors += descriptors
                self._text += data
                self._closed = not data

    def overrun(self, limits: Limits) -> str:
        """The exceeded limit of the command's own file systems, if any."""
        return check_file_systems(self._descriptors[:2], limits) if len(self._descriptors) == 3 else ""

    def await_end(self) -> None:
        """Wait until every process of the namespace has ended: its first process ends last."""
        if len(self._descriptors) == 3:
            waiting = select.poll()
            waiting.register(self._descriptors[2], select.POLLIN)
            waiting.poll(_GRACE * 1000)

    def close(self) -> None:
        self._heard.close()
        for descriptor in self._descriptors:
            os.close(descriptor)
