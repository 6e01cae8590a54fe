"""Resource limits of a command."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a command may go.

    These hold for all processes of the command together: `seconds` of wall time, `memory_mb`, `processes` (threads
    count too), and `disk_mb` in at most `files` files and directories, those of a workspace included. The kernel counts
    `cpu_seconds` and `file_mb` for each process and file alone. `output_bytes` holds for each of the two streams, so
    that a flood on one does not drown the traceback on the other; `given_back_mb` for all files that are given back.
    macOS limits neither memory nor processes that leave their session.
    """

    seconds: float = 10.0
    cpu_seconds: int = 10
    memory_mb: int = 1024
    output_bytes: int = 200_000
    processes: int = 64
    file_mb: int = 64
    disk_mb: int = 256
    files: int = 20_000
    given_back_mb: int = 16


DEFAULT_LIMITS = Limits()
