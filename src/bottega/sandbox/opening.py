"""Choose the sandbox for this machine."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from bottega.errors import SandboxError
from bottega.sandbox.bubblewrap import Bubblewrap
from bottega.sandbox.protocol import Sandbox
from bottega.sandbox.rlimits import Rlimits
from bottega.source.programs import find_program

HINT = (
    "Install bubblewrap (`apt install bubblewrap`, `dnf install bubblewrap`) and allow user namespaces, "
    "or run code that you trust with --allow-unsafe-sandbox."
)


@lru_cache
def _find_trouble(program: str) -> str | None:
    """Try bubblewrap; cached for the process."""
    return Bubblewrap(program).find_trouble()


def open_sandbox(*, allow_unsafe: bool = False, bwrap: str | None = None, outside: Path | None = None) -> Sandbox:
    """Open bubblewrap if a trial run works; `Rlimits` only when asked for by name; otherwise `SandboxError`.

    No program below `outside` is run.
    """
    program = bwrap or find_program("bwrap", outside=outside)
    trouble = "bwrap is not on the PATH"
    if program is not None:
        sandbox = Bubblewrap(program)
        found = _find_trouble(program)
        if found is None:
            return sandbox
        trouble = found
    if allow_unsafe:
        return Rlimits()
    raise SandboxError(f"Nothing safe to run a command in: {trouble}", hint=HINT)
