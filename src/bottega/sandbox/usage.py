"""Measure what all processes of a command use together: the kernel's limits hold for one process or file."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bottega.sandbox.limits import Limits

MEGABYTE = 1 << 20
PROC = Path("/proc")
EVERY = 0.1
"""Seconds between two measurements of all processes."""


@dataclass(slots=True)
class MemoryMeter:
    """Measures a process with all its descendants; shared pages count once."""

    root: int
    limits: Limits
    _next: float = 0.0

    def __call__(self) -> str:
        if sys.platform != "linux" or time.monotonic() < self._next:
            return ""
        used = measure_memory(self.root, enough=self.limits.memory_mb * MEGABYTE)
        self._next = time.monotonic() + EVERY
        return f"more than {self.limits.memory_mb} MB of memory" if used > self.limits.memory_mb * MEGABYTE else ""


def measure_memory(root: int, *, enough: int = 0) -> int:
    """Bytes: a quick sum that counts shared pages repeatedly, or the exact sum if that is above `enough`."""
    pids = list(_list_descendants(root))
    quick = sum(_read_resident(pid) for pid in pids)
    return sum(_read_proportional(pid) for pid in pids) if quick > enough else quick


def _list_descendants(root: int) -> Iterator[int]:
    children: dict[int, list[int]] = defaultdict(list)
    for folder in PROC.iterdir():
        if folder.name.isdecimal():
            with suppress(OSError, ValueError, IndexError):  # it ended
                text = (folder / "stat").read_bytes()
                children[int(text.rpartition(b")")[2].split()[1])].append(int(folder.name))
    pending = [root]
    while pending:
        pid = pending.pop()
        yield pid
        pending += children.get(pid, [])


def _read_resident(pid: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        return int((PROC / str(pid) / "statm").read_bytes().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _read_proportional(pid: int) -> int:
    with suppress(OSError, ValueError, IndexError):
        rollup = (PROC / str(pid) / "smaps_rollup").read_bytes()
        return int(rollup.partition(b"\nPss:")[2].split()[0]) * 1024
    return _read_resident(pid)


def check_file_systems(folders: Iterable[int], limits: Limits) -> str:
    """The limit that the command's own file systems exceed together, "" for none; `folders` are open descriptors."""
    size = count = 0
    for folder in {os.fstat(folder).st_dev: folder for folder in folders}.values():
        seen = os.fstatvfs(folder)
        size += (seen.f_blocks - seen.f_bfree) * seen.f_frsize
        count += seen.f_files - seen.f_ffree
    return check_overrun(size, count, limits)


@dataclass(slots=True)
class DiskMeter:
    """Measures a directory on a shared file system; a large one is measured less often."""

    folder: Path
    limits: Limits
    _next: float = 0.0

    def __call__(self) -> str:
        started = time.monotonic()
        if started < self._next:
            return ""
        reason = check_directory(self.folder, self.limits)
        ended = time.monotonic()
        self._next = ended + 2 * (ended - started)
        return reason


def check_directory(folder: Path, limits: Limits) -> str:
    """The limit that the files of a directory exceed, "" for none; stops at the first one."""
    size = count = 0
    pending = [str(folder)]
    while pending:
        with suppress(OSError), os.scandir(pending.pop()) as entries:  # it was removed, or is not readable
            for entry in entries:
                with suppress(OSError):
                    seen = entry.stat(follow_symlinks=False)
                    size, count = size + seen.st_blocks * 512, count + 1
                    if stat.S_ISDIR(seen.st_mode):
                        pending.append(entry.path)
                if reason := check_overrun(size, count, limits):
                    return reason
    return ""


def check_overrun(size: int, count: int, limits: Limits) -> str:
    """The limit that so many bytes in so many files exceed, "" for none."""
    if count > limits.files:
        return f"more than {limits.files} files"
    return f"more than {limits.disk_mb} MB on disk" if size > limits.disk_mb * MEGABYTE else ""
