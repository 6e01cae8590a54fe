"""Fork a process for each `bottega` command of a test, from one process that has imported everything.

Starting Python and importing the package takes most of a short command's time. A forked command is a process with its
own environment, directory, streams and exit code; only the imported modules are shared.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import io
import os
import selectors
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import NoReturn


def main() -> None:
    """Serve requests on the inherited socket until standard input closes."""
    listener = socket.socket(fileno=int(sys.argv[1]))
    import_module("tests.imported")
    gc.collect()
    gc.freeze()
    request = _Server(listener).wait_for_request_in_child()
    if request is not None:
        _end(request.run())


@dataclass(frozen=True)
class _Request:
    directory: bytes
    arguments: Sequence[bytes]
    variables: Sequence[bytes]
    descriptors: Sequence[int]

    def run(self) -> int:
        """Become the command: all state of a fresh interpreter but for the modules imported already."""
        for target, descriptor in enumerate(self.descriptors):
            os.dup2(descriptor, target)
            os.close(descriptor)
        os.chdir(self.directory)
        os.environb.clear()
        os.environb.update(dict(variable.split(b"=", 1) for variable in self.variables))
        sys.stdin = io.TextIOWrapper(open(0, "rb", closefd=False), "utf-8", "surrogateescape")  # noqa: SIM115
        sys.stdout = _open_output(1, "surrogateescape")
        sys.stderr = _open_output(2, "backslashreplace")
        sys.argv = ["bottega", *map(os.fsdecode, self.arguments)]
        tempfile.tempdir = None

        from bottega.cli import main as run_command

        try:
            run_command()
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else 1
        except BaseException:  # noqa: BLE001 - shown as the interpreter shows it
            sys.excepthook(*sys.exc_info())
        return 1


def _end(code: int) -> NoReturn:
    """End as an interpreter does, without tearing down the modules, which takes longer than a command."""
    threading._shutdown()  # type: ignore[attr-defined]  # the interpreter calls it to wait for threads
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _open_output(descriptor: int, errors: str) -> io.TextIOWrapper:
    raw = open(descriptor, "wb", closefd=False)  # noqa: SIM115 - a stream for the life of the process
    return io.TextIOWrapper(raw, "utf-8", errors, line_buffering=descriptor == 2 or os.isatty(descriptor))


class _Server:
    def __init__(self, listener: socket.socket) -> None:
        self._listener = listener
        self._selector = selectors.DefaultSelector()
        self._selector.register(listener, selectors.EVENT_READ)
        self._selector.register(0, selectors.EVENT_READ)
        self._children: dict[int, tuple[int, socket.socket]] = {}

    def wait_for_request_in_child(self) -> _Request | None:
        """Fork for every request; return it in the child, and None in the server when standard input closes."""
        while True:
            for key, _ in self._selector.select():
                if key.fileobj == 0:
                    return None
                if isinstance(key.data, int):
                    self._kill_orphan(key.data)
                elif key.fileobj is not self._listener:
                    self._report_exit(key.fd)
                elif (request := self._fork_for_request()) is not None:
                    return request

    def _fork_for_request(self) -> _Request | None:
        connection, _ = self._listener.accept()
        request = _receive(connection)
        pid = os.fork()
        if pid == 0:
            connection.close()
            self._close()
            return request
        for descriptor in request.descriptors:
            os.close(descriptor)
        exited = os.pidfd_open(pid)
        self._children[exited] = (pid, connection)
        self._selector.register(exited, selectors.EVENT_READ)
        self._selector.register(connection, selectors.EVENT_READ, data=exited)
        return None

    def _kill_orphan(self, exited: int) -> None:
        """End a command whose client is gone, as one that a test has killed."""
        if exited in self._children:
            pid, connection = self._children[exited]
            self._selector.unregister(connection)
            os.kill(pid, signal.SIGKILL)

    def _report_exit(self, exited: int) -> None:
        pid, connection = self._children.pop(exited)
        self._selector.unregister(exited)
        os.close(exited)
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with connection, contextlib.suppress(OSError, KeyError):  # the client may be gone
            self._selector.unregister(connection)
            connection.sendall(b"%d" % code)

    def _close(self) -> None:
        for exited, (_, connection) in self._children.items():
            os.close(exited)
            connection.close()
        self._selector.close()
        self._listener.close()


def _receive(connection: socket.socket) -> _Request:
    message, descriptors, _, _ = socket.recv_fds(connection, 1 << 16, 3)
    size = 4 + int.from_bytes(message[:4], "big")
    while len(message) < size:
        message += connection.recv(size - len(message))
    directory, count, *parts = message[4:].split(b"\0")
    return _Request(directory, parts[: int(count)], parts[int(count) :], descriptors)


if __name__ == "__main__":
    main()
