"""One worker process of a pool, with its tasks and buffers."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

from bottega.source.processes import end, module_command
from bottega.source.serving import LENGTH, frame

T = TypeVar("T")

_PIPE = 1 << 20
_DYING_S = 5.0


@dataclass(frozen=True, slots=True)
class WorkerSpec:
    """How to start a worker; `greeting` is the first message that it receives."""

    module: str
    arguments: tuple[str, ...] = ()
    greeting: bytes | None = None
    cwd: Path | None = None
    environ: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class WorkerAnswer(Generic[T]):
    """A task with its answer."""

    task: T
    answer: bytes


@dataclass(frozen=True, slots=True)
class WorkerLost(Generic[T]):
    """A worker exited, or sent nothing for longer than `patience_s`; it was working on the first of its tasks.

    `exit_code` is `None` if it had to be killed.
    """

    tasks: tuple[T, ...]
    is_late: bool
    exit_code: int | None


class WorkerProcess(Generic[T]):
    """One process, with its unanswered tasks and its buffers for sending and receiving."""

    def __init__(self, spec: WorkerSpec, patience_s: float) -> None:
        self._patience_s = patience_s
        self._process = subprocess.Popen(
            module_command(spec.module, *spec.arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=spec.cwd,
            env={**os.environ, **spec.environ},
            bufsize=0,
        )
        self.pending: deque[T] = deque()
        self.is_lost = False
        self._received = bytearray()
        self._unsent = bytearray()
        self._heard = time.monotonic()
        os.set_blocking(self.input, False)
        _widen(self.input, self.output)
        if spec.greeting is not None:
            self._unsent += frame(spec.greeting)

    @property
    def input(self) -> int:
        assert self._process.stdin is not None
        return self._process.stdin.fileno()

    @property
    def output(self) -> int:
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    @property
    def has_unsent(self) -> bool:
        return bool(self._unsent)

    @property
    def is_late(self) -> bool:
        return bool(self._patience_s and self.pending) and time.monotonic() - self._heard > self._patience_s

    def enqueue(self, task: T, message: bytes) -> None:
        if not self.pending:
            self._heard = time.monotonic()
        self.pending.append(task)
        self._unsent += frame(message)

    def send(self) -> None:
        """Write as much as the pipe takes without blocking: the worker may be blocked on writing its answer."""
        try:
            while self._unsent:
                written = os.write(self.input, bytes(self._unsent[:_PIPE]))
                del self._unsent[:written]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unsent.clear()  # detected at the end of its output

    def receive(self) -> list[WorkerAnswer[T]]:
        """Complete answers that have arrived; a worker whose output has ended is lost."""
        data = b"" if self.is_late else os.read(self.output, _PIPE)
        if not data:
            self.is_lost = True
            return []
        self._heard = time.monotonic()
        self._received += data
        answers = []
        start = 0
        while len(self._received) >= start + LENGTH.size:
            (size,) = LENGTH.unpack_from(self._received, start)
            stop = start + LENGTH.size + size
            if len(self._received) < stop:
                break
            answers.append(WorkerAnswer(self.pending.popleft(), bytes(self._received[start + LENGTH.size : stop])))
            start = stop
        del self._received[:start]
        return answers

    def collect_loss(self) -> WorkerLost[T]:
        is_late = self.is_late
        exit_code: int | None = None
        if not is_late:
            with contextlib.suppress(subprocess.TimeoutExpired):
                exit_code = self._process.wait(_DYING_S)
        self.kill()
        return WorkerLost(tuple(self.pending), is_late, exit_code)

    def kill(self) -> None:
        end(self._process)


def _widen(*pipes: int) -> None:
    """Enlarge the pipe buffers to hold whole messages, so that neither side blocks."""
    if sys.platform == "linux":
        import fcntl

        for pipe in pipes:
            with contextlib.suppress(OSError):  # the system may allow less
                fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _PIPE)
