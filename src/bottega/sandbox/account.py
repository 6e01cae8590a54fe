"""The user id of a command: the kernel limits processes per user, and does not limit root's.

As root, the command therefore runs under an unused id from the range that systemd reserves for dynamic users. Other
users keep their id, and the limit is raised by the number of processes that they run already.
"""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

SPARE = range(61184, 65520)
PROC = Path("/proc")
NEEDED = (0, 1, 3, 5, 6, 7)
"""CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_KILL, CAP_SETGID, CAP_SETUID."""
SYS_ADMIN = 21
PER_NAMESPACE = (5, 14)
"""From this Linux version on, a user namespace counts its own processes."""


def find_spare_account(*extra: int) -> int | None:
    """An unused user id, or `None` where this process may not switch to another one."""
    if sys.platform != "linux" or os.geteuid() != 0 or not _has_capabilities((*NEEDED, *extra)):
        return None
    taken = {owner for _, owner in list_owners()}
    start = secrets.randbelow(len(SPARE))
    rotated = (*SPARE[start:], *SPARE[:start])
    return next((uid for uid in rotated if uid not in taken), None)


def _has_capabilities(capabilities: tuple[int, ...]) -> bool:
    status = (PROC / "self" / "status").read_text(encoding="ascii", errors="replace")
    held = int(status.partition("CapEff:")[2].split()[0], 16)
    return all(held >> capability & 1 for capability in capabilities)


def list_owners() -> list[tuple[int, int]]:
    """Every visible process with its user id."""
    found = []
    for folder in PROC.iterdir() if PROC.is_dir() else ():
        with suppress(OSError):  # it has ended, or is hidden
            if folder.name.isdecimal():
                found.append((int(folder.name), folder.stat().st_uid))
    return found


def count_processes(*, own_namespace: bool) -> int:
    """The number of processes and threads that the kernel counts for this user before the command starts."""
    if own_namespace and read_kernel_version() >= PER_NAMESPACE:
        return 1  # bubblewrap's own first process
    if sys.platform != "linux":
        listed = subprocess.run(["ps", "-A", "-o", "uid="], capture_output=True, text=True, check=False)
        return listed.stdout.split().count(str(os.getuid()))
    return sum(_count_threads(pid) for pid, owner in list_owners() if owner == os.geteuid())


def read_kernel_version() -> tuple[int, int]:
    major, minor = re.findall(r"\d+", os.uname().release)[:2]
    return int(major), int(minor)


def _count_threads(pid: int) -> int:
    try:
        return (PROC / str(pid) / "task").stat().st_nlink - 2
    except OSError:
        return 0
