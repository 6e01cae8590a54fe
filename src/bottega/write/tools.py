"""What the actions of `write` find in `run.tools`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bottega.journal import HistoryStore
from bottega.pipeline import Run
from bottega.sandbox import DEFAULT_LIMITS, Limits, Sandbox


@dataclass(frozen=True, slots=True)
class WriteTools:
    """`open_sandbox` raises `SandboxError` where no sandbox is available."""

    history: HistoryStore
    open_sandbox: Callable[[], Sandbox]
    limits: Limits = DEFAULT_LIMITS
    parallel: int = 1


WriteRun = Run[WriteTools]
