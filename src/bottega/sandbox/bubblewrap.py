"""Walls from the kernel: a command behind `bwrap` has no network and sees the system's programs and its own files."""

from __future__ import annotations

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

from bottega.errors import SandboxError
from bottega.sandbox.account import SYS_ADMIN, crowd, spare_account
from bottega.sandbox.files import check_files, encode_text
from bottega.sandbox.launch import LAUNCHER, Place, launch
from bottega.sandbox.protocol import DEFAULT_LIMITS, Limits, Ran
from bottega.sandbox.seccomp import build_filter
from bottega.sandbox.usage import MEGABYTE
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
FOLDER = "/sandbox"
"""A file system in memory with a size: the only place that can be written."""
HOME = f"{FOLDER}/work"
SEEN_LAUNCHER = "/launch.py"
TEMPORARY = "/tmp"  # noqa: S108 the command's own, behind a link
LINKS = {
    TEMPORARY: f"{FOLDER}/tmp",  # noqa: S108 as above
    "/dev/shm": f"{FOLDER}/shm",  # noqa: S108 as above
    "/dev/fd": "/proc/self/fd",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
    "/dev/stderr": "/proc/self/fd/2",
}
DEVICES = ("null", "zero", "full", "random", "urandom")
TRIAL = """
import ctypes, os, sys
os.listdir("/sandbox/work")
sys.exit(ctypes.CDLL(None).unshare(0x10000000) == 0 and "a user namespace can be made inside")
"""


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """Everything that is not listed here is absent: homes, `/run`, `/var`, sockets, terminals, other people's data."""

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
        contents = {os.fsencode(path).decode("latin-1"): data for path, data in check_files(files).items()}
        parcel = json.dumps({name: data.decode("latin-1") for name, data in contents.items()}).encode()
        account = spare_account(SYS_ADMIN)
        with _sealed(parcel) as laid_out, _sealed(encode_text(stdin)) as given, _filter() as seccomp:
            filtered = ("--seccomp", str(seccomp)) if seccomp >= 0 else ("--disable-userns",)
            own = (*_namespaces(account), *filtered, *_mounts(self.program, limits, shown))
            place = Place(
                wrapper=(self.program, *own, "--chdir", HOME, "--"),
                launcher=SEEN_LAUNCHER,
                home=HOME,
                temporary=TEMPORARY,
                account=account,
                crowd=0 if account is not None else crowd(own_namespace=True),
                stdin=given,
                files=laid_out,
                inherited=(seccomp,),
            )
            # With bwrap goes the first process of the namespace, and with that one all the others.
            return launch(command, place=place, limits=limits, end=kill_group)

    def trouble(self) -> str | None:
        """Why it cannot be used here: some kernels and most containers forbid what it needs. `None` when it works."""
        try:
            ran = self.run([sys.executable, "-c", TRIAL], files={})
        except SandboxError as error:
            return str(error)
        return None if ran.ok else f"a trial of {self.program} failed ({ran}) {ran.stderr.strip()}"


@contextmanager
def _sealed(data: bytes) -> Iterator[int]:
    """A descriptor of these bytes at their beginning; nobody can write them, and they are nowhere on the disk."""
    try:
        handle = os.memfd_create("bottega", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    except OSError as error:
        raise SandboxError(f"No memory for the sandbox's files: {error.strerror}") from error
    with os.fdopen(handle, "r+b") as file:
        file.write(data)
        file.flush()
        file.seek(0)
        fcntl.fcntl(handle, fcntl.F_ADD_SEALS, fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL)
        yield handle


@contextmanager
def _filter() -> Iterator[int]:
    program = build_filter()
    if program is None:
        yield -1
        return
    with _sealed(program) as handle:
        yield handle


def _namespaces(account: int | None) -> Iterator[str]:
    """A user namespace, unless root can lend an account: what root maps into one can still read root's files."""
    if account is None:
        yield "--unshare-all"
    else:
        yield from ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
    yield from ("--die-with-parent", "--new-session", "--cap-drop", "ALL")
    if account is not None:  # the launcher loses both when it becomes the account
        yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")


def _mounts(program: str, limits: Limits, shown: Sequence[str]) -> Iterator[str]:
    yield from ("--proc", "/proc", "--tmpfs", "/dev")
    for name in DEVICES:
        yield from ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    for path in (*SYSTEM, *(f"/etc/{name}" for name in ETC)):
        yield from _readable(path)
    for prefix in _prefixes():
        for part in PYTHON:
            yield from _readable(str(prefix / part))
    for path in shown:
        yield from _readable(path)
    yield from _readable(SEEN_LAUNCHER, source=str(LAUNCHER))
    if _has_sizes(program):
        yield from ("--size", str(limits.disk_mb * MEGABYTE))
    yield from ("--perms", "0555", "--tmpfs", FOLDER)
    for name in ("work", "tmp", "shm"):
        yield from ("--perms", "1777", "--dir", f"{FOLDER}/{name}")
    for name, target in LINKS.items():
        yield from ("--symlink", target, name)
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


@lru_cache
def _has_sizes(program: str) -> bool:
    """From version 0.7 on; an older one leaves the bound to the watch that is kept while the command runs."""
    try:
        helped = subprocess.run([program, "--help"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        return True
    return "--size" in helped.stdout


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
