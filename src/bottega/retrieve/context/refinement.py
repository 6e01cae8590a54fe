"""Ask for more context with concrete evidence of what was missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bottega.errors import InputError
from bottega.retrieve.context.request import ContextTask


@dataclass(frozen=True, slots=True)
class RefinementRequest:
    """Why a package was not enough, and what was missing in it."""

    reason: str
    missing_files: Sequence[str] = ()
    missing_symbols: Sequence[str] = ()
    missing_tests: Sequence[str] = ()
    error_signatures: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not (self.missing_files or self.missing_symbols or self.missing_tests or self.error_signatures):
            raise InputError(
                f"more context is asked for without naming any: {self.reason}",
                hint="Name a file, a symbol, a test or an error.",
            )


def refine_task(task: ContextTask, request: RefinementRequest) -> ContextTask:
    """The task with what was missing: files and tests are named, symbols too, and errors are words of the task."""
    tests = [name for name in request.missing_tests if "/" in name]
    named = [name for name in request.missing_tests if "/" not in name]
    return replace(
        task,
        text="\n".join([task.text, *request.error_signatures]),
        files=tuple(dict.fromkeys([*task.files, *request.missing_files, *tests])),
        symbols=tuple(dict.fromkeys([*task.symbols, *request.missing_symbols, *named])),
    )
