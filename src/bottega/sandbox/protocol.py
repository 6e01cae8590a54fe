"""The interface of sandboxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Protocol

from bottega.sandbox.limits import DEFAULT_LIMITS, Limits
from bottega.sandbox.workspace import Workspace

_NO_FILES: Mapping[str, bytes] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command; one that was killed by signal 9 has code 137, as in a shell."""

    code: int | None
    """`None` after a timeout or an exceeded limit."""
    stdout: str
    stderr: str
    timed_out: bool
    truncated: bool
    seconds: float
    overrun: str = ""
    """The limit that the command was killed for, such as `more than 1024 MB of memory`."""
    files: Mapping[str, bytes] = field(default_factory=lambda: _NO_FILES)
    """Contents of the requested files, by path."""
    left_out: tuple[str, ...] = ()
    """Requested paths that are not returned: links, devices, pipes, and what exceeds `Limits.given_back_mb`."""

    @property
    def ok(self) -> bool:
        return self.code == 0

    def __str__(self) -> str:
        end = "timed out" if self.timed_out else f"killed for {self.overrun}" if self.overrun else f"exit {self.code}"
        return f"{end} after {self.seconds:.1f} s{', output cut' if self.truncated else ''}"


@dataclass(frozen=True, slots=True)
class Promises:
    """What a sandbox guarantees against a malicious command; prints as the guarantees that it lacks."""

    isolates_files: bool
    """Files outside of the work directory cannot be written, and only mounted ones can be read."""
    isolates_network: bool
    """There is no network, unless it is requested."""
    isolates_processes: bool
    """Other processes cannot be seen or reached, and none outlives the command."""
    bounds_disk: bool
    """The kernel refuses what exceeds `disk_mb`; otherwise the command is killed after it has been written."""
    bounds_memory: bool
    bounds_processes: bool
    keeps_path: bool
    """A workspace appears under the path of its project; otherwise under a temporary one."""

    def __str__(self) -> str:
        missing = [each.name.replace("_", " ") for each in fields(self) if not getattr(self, each.name)]
        return f"does not hold: {', '.join(missing)}" if missing else "holds everything"


class Sandbox(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def promises(self) -> Promises: ...

    def run(
        self,
        command: Sequence[str],
        *,
        files: Mapping[str, str],
        stdin: str = "",
        limits: Limits = DEFAULT_LIMITS,
        shown: Sequence[str] = (),
        workspace: Workspace | None = None,
        environment: Mapping[str, str] | None = None,
        network: bool = False,
        give_back: Sequence[str] = (),
    ) -> CommandResult:
        """Run `command` in a new directory that contains only `files`; the directory is removed afterwards.

        With a `workspace` the directory holds a copy of its project, with `files` on top for this run only. `shown` are
        paths outside that the command may read. `environment` adds to a fixed base of variables; nothing else of this
        process's own is passed on. `give_back` are patterns such as `build/**/*.o` of files to return as
        `CommandResult.files`.

        Raise `SandboxError` when the command cannot be started, `InputError` when a file name leaves the directory,
        `Cancelled` when the current run is cancelled; a command that starts and fails is a `CommandResult`.
        """
