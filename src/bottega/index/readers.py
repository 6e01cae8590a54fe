"""Worker processes that read files side by side; what crashes or hangs one of them is read as plain text."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from bottega.errors import StorageError
from bottega.index.processes import command, end
from bottega.index.worker import LENGTH, OVERTIME
from bottega.source.secrets import NO_VALUES, EnvValues

# Orders that lie ready for a worker, so that it never waits for the next one.
_AHEAD = 16
PATIENCE_S = 30.0
_MOST_WORKERS = 8
_PIPE = 1 << 20
_MOST_DEATHS_IN_A_ROW = 5
# A file that ends so many processes, the last of them without its grammar, is not read.
_MOST_TRIES = 4
_DYING_S = 5.0
CRASHED = "ends its process"


@dataclass(frozen=True, slots=True)
class Order:
    """A file to read; `reason` is why its grammar is left alone."""

    path: str
    language: str
    role: str
    as_text: bool = False
    tries: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a worker read. `error` says why it could not, `reason` why the file is kept as text."""

    order: Order
    facts: dict[str, Any]
    data: bytes

    @property
    def error(self) -> str:
        return str(self.facts.get("error", ""))

    @property
    def reason(self) -> str:
        return self.order.reason or str(self.facts.get("reason", ""))


def read_files(
    root: Path,
    orders: Iterable[Order],
    *,
    workers: int = 0,
    patience_s: float = PATIENCE_S,
    values: EnvValues = NO_VALUES,
) -> Iterator[Answer]:
    """Answer every order exactly once, in any order, on all cores. No file takes longer than the patience lasts.

    Secrets are masked before a text is analysed, `values` among them.
    """
    waiting = deque(orders)
    count = min(workers or os.cpu_count() or 1, _MOST_WORKERS, -(-len(waiting) // _AHEAD))
    crew = [_Worker(root, patience_s, values) for _ in range(count)]
    try:
        yield from _served(crew, waiting)
    finally:
        for worker in crew:
            worker.stop()


def _served(crew: list[_Worker], waiting: deque[Order]) -> Iterator[Answer]:
    deaths = 0
    while waiting or any(worker.pending for worker in crew):
        for worker in crew:
            worker.give(waiting)
        for worker in _ready(crew):
            for answer in worker.take():
                deaths = 0
                yield answer
            if worker.is_lost:
                deaths += 1
                if deaths > _MOST_DEATHS_IN_A_ROW:
                    raise StorageError("the processes that read files keep dying", hint="Check the free memory.")
                left = worker.revive()
                if left and left[0].tries >= _MOST_TRIES:
                    yield Answer(left[0], {"error": left[0].reason}, b"")
                    del left[0]
                waiting.extendleft(reversed(left))


def _ready(crew: list[_Worker]) -> list[_Worker]:
    with selectors.DefaultSelector() as selector:
        for worker in crew:
            if worker.pending:
                selector.register(worker.output, selectors.EVENT_READ, worker)
        return [key.data for key, _ in selector.select(1.0)] or [worker for worker in crew if worker.is_late]


class _Worker:
    def __init__(self, root: Path, patience_s: float, values: EnvValues) -> None:
        self._root = root
        self._values = values
        self._patience_s = patience_s
        self.pending: deque[Order] = deque()
        self.is_lost = False
        self._start()

    @property
    def output(self) -> int:
        assert self._process.stdout is not None
        return self._process.stdout.fileno()

    @property
    def is_late(self) -> bool:
        return bool(self.pending) and time.monotonic() - self._heard > self._patience_s

    def give(self, waiting: deque[Order]) -> None:
        assert self._process.stdin is not None
        if not self.pending:
            self._heard = time.monotonic()
        lines = []
        while waiting and len(self.pending) < _AHEAD:
            order = waiting.popleft()
            self.pending.append(order)
            lines.append(
                json.dumps(
                    {"path": order.path, "language": order.language, "role": order.role, "as_text": order.as_text}
                )
            )
        if lines:
            with contextlib.suppress(BrokenPipeError):  # noticed when its answers end
                self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
                self._process.stdin.flush()

    def take(self) -> Iterator[Answer]:
        """What has arrived; a worker that ended or says nothing for too long is marked as lost."""
        data = b"" if self.is_late else os.read(self.output, _PIPE)
        if not data:
            self.is_lost = True
            return
        self._heard = time.monotonic()
        self._received += data
        while True:
            if len(self._received) < LENGTH.size:
                return
            line, body = LENGTH.unpack_from(self._received)
            whole = LENGTH.size + line + body
            if len(self._received) < whole:
                return
            facts = json.loads(self._received[LENGTH.size : LENGTH.size + line])
            content = bytes(self._received[LENGTH.size + line : whole])
            del self._received[:whole]
            yield Answer(self.pending.popleft(), facts, content)

    def revive(self) -> list[Order]:
        """A fresh process; what the old one left undone comes back.

        The first is what it ended with: it is read without its grammar after a hang or a second death.
        """
        reason, is_certain = self._cause()
        self.stop()
        left = list(self.pending)
        self.pending.clear()
        self._start()
        if not left:
            return []
        first = left[0]
        tries = first.tries + 1
        if is_certain or tries > 1:
            tries = max(tries, _MOST_TRIES if first.as_text and is_certain else 0)
            first = replace(first, as_text=True, reason=reason)
        return [replace(first, tries=tries), *left[1:]]

    def _cause(self) -> tuple[str, bool]:
        """Why the process ended, and whether it was its file for certain."""
        if self.is_late:
            return "takes too long", True
        try:
            code = self._process.wait(_DYING_S)
        except subprocess.TimeoutExpired:
            return CRASHED, False
        if OVERTIME is not None and code == -OVERTIME:
            return "takes too long", True
        return CRASHED, False

    def stop(self) -> None:
        end(self._process)

    def _start(self) -> None:
        self._process = subprocess.Popen(
            command("bottega.index.worker", str(self._root)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._root,
        )
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # noticed when its answers end
            line = json.dumps({"values": self._values.anywhere, "words": self._values.words})
            self._process.stdin.write(f"{line}\n".encode())
        if sys.platform == "linux":
            import fcntl

            with contextlib.suppress(OSError):  # the system may grant less
                fcntl.fcntl(self.output, fcntl.F_SETPIPE_SZ, _PIPE)
        self._received = bytearray()
        self._heard = time.monotonic()
        self.is_lost = False
