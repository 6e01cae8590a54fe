"""Apply limits to this process, then execute the command in it.

Run by path with nothing but the standard library: a `preexec_fn` would run between fork and exec, where another thread
may hold any lock.
"""

from __future__ import annotations

import array
import ctypes
import json
import os
import resource
import signal
import socket
import sys
from typing import NamedTuple

READY, GO = b"ready", b"go"
OPEN_FILES = 256
SCRATCH = "/sandbox"
"""The command's own file system, where it has one."""
_DIE_WITH_PARENT = 1
"""PR_SET_PDEATHSIG."""


class Terms(NamedTuple):
    """The limits and settings of the launcher, passed as one argument on its command line."""

    report: int
    """Socket to the caller: send `READY` with descriptors, receive `GO` with the environment, and send an error if the
    command cannot be executed."""
    walled: int
    """1 with namespaces: the descriptors of the file system and of the namespace's first process are sent too."""
    cpu_seconds: int
    memory: int
    file: int
    processes: int
    account: int
    """User id to switch to; 0 keeps the user."""

    def to_word(self) -> str:
        return ",".join(map(str, self))

    @classmethod
    def from_word(cls, word: str) -> Terms:
        return cls(*map(int, word.split(",")))


def main(word: str, command: list[str]) -> None:
    terms = Terms.from_word(word)
    report = socket.socket(fileno=terms.report)
    report.set_inheritable(False)
    if terms.account:
        _become(terms.account)
    _limit_all(terms)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # Python ignores these signals, and exec would inherit that
        signal.signal(ignored, signal.SIG_DFL)
    _send_descriptors(report, walled=bool(terms.walled))
    environment = _await_go(report)
    try:
        os.execvpe(command[0], command, environment)  # noqa: S606 a shell is what we avoid
    except OSError as error:
        report.send(os.strerror(error.errno or 0).encode())
        sys.exit(127)


def _send_descriptors(report: socket.socket, *, walled: bool) -> None:
    """Send the work directory, which the caller fills, and with namespaces what the caller measures and waits for."""
    handles = [os.open(".", os.O_RDONLY | os.O_DIRECTORY)]
    if walled:
        handles += [os.open(SCRATCH, os.O_RDONLY | os.O_DIRECTORY), os.pidfd_open(1)]
    report.sendmsg([READY], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", handles))])
    for handle in handles:
        os.close(handle)


def _await_go(report: socket.socket) -> dict[str, str]:
    message = b""
    while part := report.recv(1 << 16):
        message += part
    if not message.startswith(GO):  # the caller gave up
        sys.exit(127)
    environment: dict[str, str] = json.loads(message.removeprefix(GO))
    return environment


def _become(account: int) -> None:
    os.setgroups([])
    os.setresgid(account, account, account)
    os.setresuid(account, account, account)


def _limit_all(terms: Terms) -> None:
    # A limit of 1 byte, unlike 0, also keeps the kernel from starting the system's crash handler.
    _limit(resource.RLIMIT_CORE, 1)
    _limit(resource.RLIMIT_FSIZE, terms.file)
    _limit(resource.RLIMIT_NPROC, terms.processes)
    _limit(resource.RLIMIT_NOFILE, OPEN_FILES)
    _limit(resource.RLIMIT_CPU, terms.cpu_seconds, terms.cpu_seconds + 1)  # SIGXCPU one second before SIGKILL
    if sys.platform == "linux":
        # Address space alone is a poor measure: at 1 GiB Python starts 14 threads, whose reserved but untouched
        # arenas fill it. DATA counts what can be written; AS is left to catch shared mappings, which DATA does not.
        _limit(resource.RLIMIT_AS, 4 * terms.memory)
        _limit(resource.RLIMIT_DATA, terms.memory)
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)


def _limit(kind: int, soft: int, hard: int | None = None) -> None:
    """Lower a limit; one that is already lower stays."""
    ceiling = resource.getrlimit(kind)[1]
    hard = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(kind, (soft, hard))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
