"""Start, end and limit helper processes of bottega."""

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
    """The command that starts a module of bottega; nothing is imported from the working directory."""
    return [sys.executable, "-P", "-m", module, *arguments]


def is_alive(pid: int) -> bool:
    if sys.platform == "win32":
        return True  # `os.kill` with signal 0 would kill it there
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill a process, wait for it, and close its pipes."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(BrokenPipeError):
                pipe.close()


def end_with_parent() -> None:
    """Have the system kill this process when its parent ends, also in the middle of a parse."""
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):  # elsewhere it ends when its standard input ends
        ctypes.CDLL(None).prctl(_DEATH_SIGNAL, int(signal.SIGKILL))


def limit_memory(more: int) -> None:
    """Limit this process to so many bytes more than it uses now."""
    if sys.platform != "linux":
        return
    import resource

    with contextlib.suppress(OSError, ValueError):  # a lower limit is in force already
        now = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        wanted = now + more
        resource.setrlimit(resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
