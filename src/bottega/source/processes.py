"""Processes of our own that help the index along."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import subprocess

_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG


def module_command(module: str, *arguments: str) -> list[str]:
    """Start a module of ours; nothing of the directory it starts in is imported."""
    return [sys.executable, "-P", "-m", module, *arguments]


def is_alive(pid: int) -> bool:
    if sys.platform == "win32":
        return True  # signal 0 is no question there
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill it, wait for it, and close what leads to it."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


def end_with_parent() -> None:
    """Have the system end this process with the one that started it, also in the middle of a parse."""
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):  # elsewhere it ends when nothing more arrives
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, int(signal.SIGKILL))


def limit_memory(more: int) -> None:
    """Refuse this process more than so many bytes beyond what it has now."""
    if sys.platform != "linux":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):  # a lower limit is in force already
        now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = now + more
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
