"""What `write` needs from the house, handed in by the workshop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bottega.journal import History
from bottega.pipeline import Run
from bottega.sandbox import DEFAULT_LIMITS, Limits, Sandbox


@dataclass(frozen=True, slots=True)
class WriteTools:
    """`open_sandbox` raises `SandboxError` where nothing safe is to be had."""

    history: History
    open_sandbox: Callable[[], Sandbox]
    limits: Limits = DEFAULT_LIMITS
    parallel: int = 1


WriteRun = Run[WriteTools]
