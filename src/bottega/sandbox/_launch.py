"""Limit this very process, then become the command.

Run by path with nothing but the standard library: a `preexec_fn` would do the same work between fork and exec, where
another thread may hold any lock.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
from typing import NamedTuple

READY = b"ready"


class Terms(NamedTuple):
    """What the command has to accept, as one word on the launcher's command line."""

    report: int
    """Descriptor that hears `READY`, and then why the command could not be started; nothing more if it could."""
    cpu_seconds: int
    memory: int
    file: int
    processes: int
    account: int
    """User to become; 0 stays."""

    def word(self) -> str:
        return ",".join(map(str, self))

    @classmethod
    def from_word(cls, word: str) -> Terms:
        return cls(*map(int, word.split(",")))


def main(word: str, command: list[str]) -> None:
    terms = Terms.from_word(word)
    os.set_inheritable(terms.report, False)
    if terms.account:
        _become(terms.account)
    _accept(terms)
    for ignored in (signal.SIGPIPE, signal.SIGXFSZ):  # by Python, and an exec would pass that on
        signal.signal(ignored, signal.SIG_DFL)
    os.write(terms.report, READY)
    try:
        os.execvp(command[0], command)  # noqa: S606 a shell is what we avoid
    except OSError as error:
        os.write(terms.report, os.strerror(error.errno or 0).encode())
        sys.exit(127)


def _become(account: int) -> None:
    os.setgroups([])
    os.setresgid(account, account, account)
    os.setresuid(account, account, account)


def _accept(terms: Terms) -> None:
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_FSIZE, terms.file)
    _limit(resource.RLIMIT_NPROC, terms.processes)
    _limit(resource.RLIMIT_CPU, terms.cpu_seconds, terms.cpu_seconds + 1)  # a second between the hint and the kill
    if sys.platform == "linux":
        # Address space alone is a poor measure: at 1 GiB Python starts 14 threads, whose reserved but untouched
        # arenas fill it. DATA counts what can be written; AS is left to catch shared mappings, which DATA does not.
        _limit(resource.RLIMIT_AS, 4 * terms.memory)
        _limit(resource.RLIMIT_DATA, terms.memory)


def _limit(kind: int, soft: int, hard: int | None = None) -> None:
    """Lower a limit; one that is already lower stays."""
    ceiling = resource.getrlimit(kind)[1]
    hard = soft if hard is None else hard
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(kind, (soft, hard))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
