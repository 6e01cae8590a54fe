"""What a sandbox takes and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a command may go.

    These hold for all processes of the command together: `seconds` of wall time, `memory_mb`, `processes` (threads
    count too), and `disk_mb` in at most `files` files and directories. The kernel counts `cpu_seconds` and `file_mb`
    for each process and file alone. `output_bytes` holds for each of the two streams, so that a flood on one does not
    drown the traceback on the other. macOS limits neither memory nor processes that leave their session.
    """

    seconds: float = 10.0
    cpu_seconds: int = 10
    memory_mb: int = 1024
    output_bytes: int = 200_000
    processes: int = 64
    file_mb: int = 64
    disk_mb: int = 256
    files: int = 20_000


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Ran:
    """How a command ended; one that died of signal 9 has code 137, as a shell would say it."""

    code: int | None
    """`None` when the clock ran out or a limit was overrun."""
    stdout: str
    stderr: str
    timed_out: bool
    truncated: bool
    seconds: float
    overrun: str = ""
    """The limit that the command was killed for, such as `more than 1024 MB of memory`."""

    @property
    def ok(self) -> bool:
        return self.code == 0

    def __str__(self) -> str:
        end = "timed out" if self.timed_out else f"killed for {self.overrun}" if self.overrun else f"exit {self.code}"
        return f"{end} after {self.seconds:.1f} s{', output cut' if self.truncated else ''}"


class Sandbox(Protocol):
    @property
    def name(self) -> str: ...

    def run(
        self,
        command: Sequence[str],
        *,
        files: Mapping[str, str],
        stdin: str = "",
        limits: Limits = DEFAULT_LIMITS,
        shown: Sequence[str] = (),
    ) -> Ran:
        """Run `command` in a directory that holds `files` and nothing else, and forget the directory.

        `shown` are places outside that it may read, by their own names.

        Raise `SandboxError` when the command cannot be started, `InputError` when a file name leaves the directory;
        a command that starts and fails is a `Ran`.
        """
