"""Walls from the kernel: a command behind `bwrap` has no network and sees the system's programs and its own files."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from bottega.errors import SandboxError
from bottega.sandbox.account import SYS_ADMIN, crowd, spare_account
from bottega.sandbox.box import Box, open_box
from bottega.sandbox.launch import LAUNCHER, Place, launch
from bottega.sandbox.protocol import DEFAULT_LIMITS, Limits, Ran
from bottega.sandbox.watch import kill_group

SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store")
ETC = (
    "alternatives",
    "crypto-policies",
    "group",
    "hosts",
    "ld.so.cache",
    "localtime",
    "nsswitch.conf",
    "passwd",
    "ssl/certs",
    "ssl/openssl.cnf",
)
PYTHON = ("bin", "lib", "lib64", "include", "pyvenv.cfg")
"""The parts of an installation to show: all of it could be somebody's home, with keys lying beside `bin`."""
HOME = "/sandbox/work"
SEEN_LAUNCHER = "/sandbox/launch.py"
TEMPORARY = "/tmp"  # noqa: S108 the command's own, behind a mount


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Everything that is not listed here is absent: homes, `/run`, `/var`, sockets, other people's data."""

    program: str
    name: ClassVar[str] = "bubblewrap"

    def run(
        self,
        command: Sequence[str],
        *,
        files: Mapping[str, str],
        stdin: str = "",
        limits: Limits = DEFAULT_LIMITS,
        shown: Sequence[str] = (),
    ) -> Ran:
        with open_box(files, stdin) as box:
            account = spare_account(SYS_ADMIN)
            place = Place(
                wrapper=(self.program, *_namespaces(account), *_mounts(box, shown), "--chdir", HOME, "--"),
                launcher=SEEN_LAUNCHER,
                home=HOME,
                temporary=TEMPORARY,
                account=account,
                crowd=0 if account is not None else crowd(own_namespace=True),
            )
            # With bwrap goes the first process of the namespace, and with that one all the others.
            return launch(command, box=box, place=place, limits=limits, end=kill_group)

    def trouble(self) -> str | None:
        """Why it cannot be used here: some kernels and most containers forbid what it needs. `None` when it works."""
        try:
            ran = self.run([sys.executable, "-c", ""], files={})
        except SandboxError as error:
            return str(error)
        return None if ran.ok else f"a trial of {self.program} failed ({ran}) {ran.stderr.strip()}"


def _namespaces(account: int | None) -> Iterator[str]:
    """A user namespace, unless root can lend an account: what root maps into one can still read root's files."""
    if account is None:
        yield "--unshare-all"
    else:
        yield from ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
    yield from ("--die-with-parent", "--new-session", "--cap-drop", "ALL")
    if account is not None:  # the launcher loses both when it becomes the account
        yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")


def _mounts(box: Box, shown: Sequence[str]) -> Iterator[str]:
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--bind", str(box.shared_memory), "/dev/shm", "--bind", str(box.temporary), TEMPORARY)  # noqa: S108
    for path in (*SYSTEM, *(f"/etc/{name}" for name in ETC)):
        yield from _readable(path)
    for prefix in _prefixes():
        for part in PYTHON:
            yield from _readable(str(prefix / part))
    for path in shown:
        yield from _readable(path)
    yield from _readable(SEEN_LAUNCHER, source=str(LAUNCHER))
    yield from ("--bind", str(box.work), HOME)
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def _readable(path: str, *, source: str | None = None) -> Iterator[str]:
    if not Path(source or path).exists():
        return
    for folder in reversed(Path(path).parents[:-1]):  # bwrap would make them for its own user alone
        yield from ("--dir", str(folder))
    yield from ("--ro-bind", source or path, path)


def _prefixes() -> list[Path]:
    """Where this Python lives, by each name it goes by: links are followed before they are mounted."""
    named = [Path(prefix) for prefix in (sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix)]
    every = dict.fromkeys((*named, *(prefix.resolve() for prefix in named)))
    return [prefix for prefix in every if not prefix.is_relative_to("/usr")]
